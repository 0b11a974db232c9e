import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { type ServerProcess, startServerProcess } from "#tests/kit/servers/server-process.ts";
import { type Bench, median, type Row } from "./row.ts";

const MB = 1024 * 1024;
const FILE_MB = 100;
const ROUNDS = 5;
const LARGE_FILES = 4;
const LARGE_MB = 299;
const PATH = "/v1/pages/upload/image_component";

export const bench: Bench = {
  name: "Upload",
  async run() {
    const server = await startServerProcess();
    const folder = await mkdtemp(join(tmpdir(), "lamplight-bare-"));
    const bare = await startBare(folder);
    try {
      const token = await register(server.origin);
      return [await measureSpeed(server.origin, bare.origin, token), await measureMemory(server, token)];
    } finally {
      bare.child.kill();
      await server.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measureSpeed(origin: string, bareOrigin: string, token: string): Promise<Row> {
  const ours: number[] = [];
  const bare: number[] = [];
  await send(bareOrigin, token, 1);
  await send(origin, token, 1);
  // Alternating, so that a slow phase of the machine affects both.
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await megabytesPerSecond(() => send(origin, token, FILE_MB)));
    bare.push(await megabytesPerSecond(() => send(bareOrigin, token, FILE_MB)));
  }
  const [value, reference] = [median(ours), median(bare)];
  const what = `one file of ${FILE_MB} MB, against bare busboy, both flushed to disk`;
  return { what, value, unit: "MB/s", reference, ratio: value / reference, goal: "ratio >= 0.9" };
}

async function measureMemory(server: ServerProcess, token: string): Promise<Row> {
  const before = await residentMb(server.origin);
  let peakMb = before;
  const updatePeak = async () => {
    peakMb = Math.max(peakMb, await residentMb(server.origin));
  };
  const watch = setInterval(() => {
    void updatePeak();
  }, 100);
  await Promise.all(Array.from({ length: LARGE_FILES }, () => send(server.origin, token, LARGE_MB)));
  clearInterval(watch);
  await updatePeak();
  const what = `memory growth during ${LARGE_FILES} uploads of ${LARGE_MB} MB at once`;
  return { what, value: peakMb - before, unit: "MB", goal: "<= 50" };
}

async function megabytesPerSecond(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (FILE_MB * 1000) / (performance.now() - startedAt);
}

async function residentMb(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes (\S+)$/mu.exec(text)?.[1];
  return Number(bytes) / MB;
}

async function register(origin: string): Promise<string> {
  const client = createClient(v1, fetchTransport({ origin, token: () => undefined }));
  const account = { name: "Bench", email: "bench@example.org", password: "a lamp upon the desk" };
  return (await client.auth.register(account)).token;
}

const CHUNK = randomBytes(MB);
const BOUNDARY = "bench-boundary";
/** The PNG signature: the file is stored but not parsed, so that only storing is measured. */
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function* generateBody(sizeMb: number): Generator<Buffer> {
  const head = [`--${BOUNDARY}`, 'content-disposition: form-data; name="file"; filename="a.png"', "", ""].join("\r\n");
  yield Buffer.from(head);
  yield PNG;
  // All files differ, because a duplicate would cost nothing.
  yield randomBytes(64);
  for (let sent = 0; sent < sizeMb; sent += 1) yield CHUNK;
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}

async function send(origin: string, token: string, sizeMb: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
  const call = request(`${origin}${PATH}`, { method: "POST", headers });
  const responded = once(call, "response");
  for (const chunk of generateBody(sizeMb)) {
    if (!call.write(chunk)) await once(call, "drain");
  }
  call.end();
  const [response] = (await responded) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 200) throw new Error(`The upload was answered with ${response.statusCode}`);
}

async function startBare(folder: string): Promise<{ origin: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ["bench/servers/bare-upload.ts", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { origin: `http://127.0.0.1:${port.toString().trim()}`, child };
}
