import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { ulid } from "ulid";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { type ServerProcess, startServerProcess } from "#tests/kit/servers/server-process.ts";
import { type Bench, median, type Row } from "./row.ts";

const COMPONENTS = 50;
const ROUNDS = 5;
const SECONDS = 2;

export const bench: Bench = {
  name: "API",
  async run() {
    const server = await startServerProcess({ RATE_LIMIT_FACTOR: "1000000" });
    try {
      return [await measureStart(server), ...(await measurePage(server))];
    } finally {
      await server.dispose();
    }
  },
};

async function measureStart(server: ServerProcess): Promise<Row> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await server.stop();
    await server.start();
    times.push(server.startedInMs);
  }
  return { what: "start to first 200", value: median(times), unit: "ms", goal: "<= 1500" };
}

async function measurePage(server: ServerProcess): Promise<Row[]> {
  const { token, pageId } = await createPage(server.origin);
  const database = join(server.dataDir, "lamplight.db");
  const tokenId = createHash("sha256").update(token).digest("base64url");
  const folder = await mkdtemp(join(tmpdir(), "lamplight-stub-"));
  const bare = await startServer(["bench/servers/bare-server.ts", database, tokenId]);
  const stubbed = (variant: string) =>
    startServer(["bench/servers/stubbed-server.ts", variant, database, tokenId, pageId, folder]);
  const [stubbedOurs, stubbedBare] = [await stubbed("ours"), await stubbed("bare")];
  const what = `GET /v1/pages/{id}, ${COMPONENTS} components`;
  const call = { path: `/v1/pages/${pageId}`, token };
  try {
    return [
      {
        what: `${what}, against bare Koa doing the same reads`,
        ...(await compare(call, server.origin, bare.origin)),
        goal: "ratio >= 0.70",
      },
      {
        what: `${what}, against bare Koa, both without storage`,
        ...(await compare(call, stubbedOurs.origin, stubbedBare.origin)),
        goal: "ratio >= 0.85",
      },
    ];
  } finally {
    for (const { child } of [bare, stubbedOurs, stubbedBare]) child.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(call: { path: string; token: string }, origin: string, bareOrigin: string) {
  const rates: number[] = [];
  const bareRates: number[] = [];
  await requestsPerSecond(`${origin}${call.path}`, call.token);
  await requestsPerSecond(`${bareOrigin}${call.path}`, call.token);
  // Alternating, so that a slow phase of the machine affects both.
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.push(await requestsPerSecond(`${origin}${call.path}`, call.token));
    bareRates.push(await requestsPerSecond(`${bareOrigin}${call.path}`, call.token));
  }
  const [value, reference] = [median(rates), median(bareRates)];
  return { value, unit: "requests/s", reference, ratio: value / reference };
}

async function requestsPerSecond(url: string, token: string): Promise<number> {
  const result = await autocannon({
    url,
    connections: 10,
    duration: SECONDS,
    headers: { authorization: `Bearer ${token}` },
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} responses of ${url} were not 200`);
  return result.requests.average;
}

async function startServer(args: readonly string[]): Promise<{ origin: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit").then(([code]) => {
    throw new Error(`The server exited with ${String(code)} before it was ready`);
  });
  const [line] = (await Promise.race([once(child.stdout, "data"), exited])) as [Buffer];
  // The server is killed at the end, so its exit is then expected.
  exited.catch(() => undefined);
  return { origin: `http://127.0.0.1:${line.toString().trim()}`, child };
}

async function createPage(origin: string): Promise<{ token: string; pageId: string }> {
  const account = { name: "Ada", email: `${ulid()}@example.org`.toLowerCase(), password: "a lamp upon the desk" };
  let token = "";
  const client = createClient(v1, fetchTransport({ origin, token: () => token || undefined }));
  const registered = await client.auth.register(account);
  token = registered.token;
  const pageId = ulid();
  const now = Date.now();
  const envelope = (seq: number) => ({ id: ulid(), clientId: "bench", seq, createdAt: now });
  const page = { ...envelope(0), type: "page_create", resourceId: pageId, data: { title: "Bench", createdAt: now } };
  const components = Array.from({ length: COMPONENTS }, (_, index) => {
    const component = aComponent(pageId, registered.user._id, now);
    const data = { parentId: pageId, parentType: "page", component };
    return { ...envelope(index + 1), type: "component_create", resourceId: component._id, data };
  });
  const answer = await client.sync.sendChanges({ payload: [page, ...components] });
  if (answer.num_failed > 0) throw new Error(JSON.stringify(answer.failed[0]));
  return { token, pageId };
}

function aComponent(pageId: string, createdBy: string, now: number) {
  const text = [
    { content: "A paragraph of a student's page, about as long as one that is written in a lecture. ".repeat(3) },
  ];
  const content = { text, subType: "normal", metadata: { indents: 0, highlightColor: null } };
  const times = { createdAt: now, modifiedAt: now, lastOpenedAt: null };
  return { _id: ulid(), type: "text", pageId, createdBy, version: 1, content, ...times };
}
