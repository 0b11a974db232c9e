// Many uploads at once through the API, over connections that behave differently: `node tests/long/upload-storm.ts`.
// Every complete form must be accepted; forms that are cut off must leave nothing behind.
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { registerAccount } from "#tests/kit/account.ts";
import { aPage } from "#tests/store/changes.ts";
import { noise, seededDraws } from "#tests/kit/random.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";

const UPLOADS = 2_000;
const AT_ONCE = 24;
const STUDENTS = 40;
const FOUND_FAULTS = 3;
const TIMEOUT_MS = 60_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PATH = "/v1/pages/upload/image_component";

const server = await startServerProcess({ RATE_LIMIT_FACTOR: "100000" });
const { hostname, port } = new URL(server.origin);
const students = await Promise.all(
  Array.from({ length: STUDENTS }, async () => {
    const account = await registerAccount(server.origin);
    return { token: account.token, pageId: await aPage(account, "Pictures") };
  }),
);
const randomInt = seededDraws("upload-storm");
const pickOne = <T>(all: readonly T[]) => all[randomInt(all.length)] as T;

interface Form {
  headers: Record<string, string>;
  bytes: Buffer;
}

function aForm(largest: number): Form {
  const { token, pageId } = pickOne(students);
  const boundary = `----WebKitFormBoundary${noise(8, randomInt(1_000_000)).toString("hex")}`;
  const head = (about: string) => `--${boundary}\r\ncontent-disposition: form-data; name=${about}\r\n\r\n`;
  const bytes = Buffer.concat([
    Buffer.from(`${head(`"pageId"`)}${pageId}\r\n${head(`"file"; filename="a.png"`)}`),
    PNG,
    noise(randomInt(1, largest), randomInt(1_000_000)),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const type = `multipart/form-data; boundary=${boundary}`;
  return { bytes, headers: { authorization: `Bearer ${token}`, "content-type": type } };
}

const agents = [new Agent({ keepAlive: true, maxSockets: 12 }), new Agent({ keepAlive: true, maxSockets: 2 })];
const openRequest = ({ headers, bytes }: Form, hasLength = true): ClientRequest =>
  request({
    hostname,
    port,
    path: PATH,
    method: "POST",
    agent: pickOne(agents),
    headers: hasLength ? { ...headers, "content-length": bytes.length } : headers,
  });

async function readAnswer(call: ClientRequest): Promise<string[]> {
  const [response] = (await once(call, "response")) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return [response.statusCode === 200 ? "200" : `${response.statusCode} ${Buffer.concat(pieces).toString()}`];
}

async function sendInPieces(form: Form, sizes: () => number, between: () => Promise<unknown>): Promise<string[]> {
  const call = openRequest(form, false);
  const answer = readAnswer(call);
  for (let at = 0; at < form.bytes.length;) {
    const size = sizes();
    call.write(form.bytes.subarray(at, at + size));
    at += size;
    await between();
  }
  call.end();
  return answer;
}

/** Writes a form as HTTP/1.1, up to the byte `until`. */
function writeForm(socket: Socket, { headers, bytes }: Form, until = bytes.length): void {
  const headerEntries = Object.entries({ host: hostname, ...headers, "content-length": bytes.length });
  socket.write(
    `POST ${PATH} HTTP/1.1\r\n${headerEntries.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );
  socket.write(bytes.subarray(0, until));
}

async function openSocket(): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Ways to send a form. Each resolves to "200" or the refusal for each form; to nothing if no answer is expected. */
const scenarios: Record<string, () => Promise<string[]>> = {
  async whole() {
    const form = aForm(400_000);
    const call = openRequest(form);
    const answer = readAnswer(call);
    call.end(form.bytes);
    return answer;
  },
  "in pieces of any size": () =>
    sendInPieces(
      aForm(200_000),
      () => randomInt(1, 30_000),
      () => (randomInt(5) === 0 ? pause(randomInt(1, 20)) : Promise.resolve()),
    ),
  slowly: () =>
    sendInPieces(
      aForm(2_000),
      () => 97,
      () => pause(3),
    ),
  async "its last bytes late"() {
    const form = aForm(100_000);
    const call = openRequest(form);
    const answer = readAnswer(call);
    call.flushHeaders();
    await pause(30);
    const late = form.bytes.length - randomInt(0, 60);
    call.write(form.bytes.subarray(0, late));
    await pause(30);
    call.end(form.bytes.subarray(late));
    return answer;
  },
  async "two on one connection"() {
    const socket = await openSocket();
    let response = "";
    socket.on("data", (piece: Buffer) => {
      response += piece.toString("latin1");
    });
    const statuses = () => [...response.matchAll(/HTTP\/1\.1 (\d+)/gu)].map(([, status = ""]) => status);
    for (const form of [aForm(50_000), aForm(50_000)]) writeForm(socket, form);
    for (const until = Date.now() + TIMEOUT_MS; statuses().length < 2 && Date.now() < until;) await pause(20);
    socket.destroy();
    return statuses().length === 2 ? statuses() : [`${statuses().length} answers: ${response}`];
  },
  async "cut off"() {
    const socket = await openSocket();
    const form = aForm(600_000);
    writeForm(socket, form, randomInt(form.bytes.length));
    await pause(randomInt(30));
    if (randomInt(2) === 0) socket.destroy();
    else socket.resetAndDestroy();
    return [];
  },
};

const accepted = new Map<string, number>();
const faults: string[] = [];
let started = 0;
async function sendRepeatedly(): Promise<void> {
  while (started < UPLOADS) {
    started += 1;
    const name = pickOne(Object.keys(scenarios));
    const answers = (await scenarios[name]?.().catch((error: unknown) => [String(error)])) ?? [];
    accepted.set(name, (accepted.get(name) ?? 0) + answers.filter((answer) => answer === "200").length);
    faults.push(...answers.filter((answer) => answer !== "200").map((answer) => `${name}: ${answer.slice(0, 300)}`));
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, sendRepeatedly));
for (const [name, count] of accepted) process.stdout.write(`  ${name}: ${count} accepted\n`);

const incoming = join(server.dataDir, "files", "incoming");
let left = await readdir(incoming);
for (const until = Date.now() + TIMEOUT_MS; left.length > 0 && Date.now() < until; left = await readdir(incoming))
  await pause(100);
if (left.length > 0) faults.push(`${left.length} files of forms that were cut off are still there`);
for (const fault of faults) process.stdout.write(`  ${fault}\n`);
for (const agent of agents) agent.destroy();
await server.dispose();
process.exit(faults.length === 0 ? 0 : FOUND_FAULTS);
