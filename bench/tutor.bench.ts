import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { aQuestion } from "#tests/kit/tutor.ts";
import type { Bench } from "./row.ts";

const STREAMS = 50;
const TOKENS = 60;
const EVERY_MS = 40;
const ROUNDS = 3;

/** The streams start one after another, so that at any time they are at different words of their answers. */
const SPREAD_MS = TOKENS * EVERY_MS;

const now = () => performance.timeOrigin + performance.now();

/** A fake model server whose words are the times at which they were sent. */
async function startModel() {
  const http = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      void writeWords((text, finish) => {
        const choices = [{ index: 0, delta: { content: text }, finish_reason: finish }];
        response.write(`data: ${JSON.stringify({ id: "1", created: 1, model: "m", choices })}\n\n`);
      }).then(() => response.end("data: [DONE]\n\n"));
    });
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  return { http, origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

async function writeWords(write: (text: string, finish: string | null) => void): Promise<void> {
  for (let token = 0; token < TOKENS; token += 1) {
    write(`${now().toFixed(2)} `, null);
    await pause(EVERY_MS);
  }
  write("", "stop");
}

/** The baseline: a minimal proxy between client and model server. */
const PROXY = `
const http = require("node:http");
http.createServer((q, s) => {
  const up = http.request(process.argv[1] + q.url, { method: q.method, headers: q.headers }, (a) => {
    s.writeHead(a.statusCode, a.headers); a.pipe(s);
  });
  q.pipe(up);
}).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;

interface Times {
  first: number[];
  each: number[];
}

/** Records when the words of one stream arrive; the first word's time counts from the question. */
function createListener(times: Times) {
  const askedAt = now();
  let isFirst = true;
  let rest = "";
  return (text: string) => {
    const words = (rest + text).split(" ");
    rest = words.pop() ?? "";
    for (const word of words.filter((candidate) => /^\d{13}\.\d\d$/.test(candidate))) {
      if (isFirst) times.first.push(now() - askedAt);
      isFirst = false;
      times.each.push(now() - Number(word));
    }
  };
}

async function readBare(origin: string, times: Times): Promise<void> {
  const record = createListener(times);
  const response = await fetch(`${origin}/v1/chat/completions`, { method: "POST", body: "{}" });
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
    for (const [, text = ""] of chunk.matchAll(/"content":"([^"]*)"/g)) record(text);
}

type Client = ReturnType<typeof createClient<typeof v1>>;

async function readOurs(client: Client, times: Times): Promise<void> {
  const record = createListener(times);
  for await (const event of client.tutor.ask(aQuestion({ text: "What does the ribosome read?" })))
    if (event.type === "text") record(event.text);
}

async function aClient(origin: string, n: number): Promise<Client> {
  const signedOut = createClient(v1, fetchTransport({ origin, token: () => undefined }));
  const account = { name: "Bench", email: `bench${n}@example.org`, password: "a lamp upon the desk" };
  const { token } = await signedOut.auth.register(account);
  const client = createClient(v1, fetchTransport({ origin, token: () => token }));
  await aText({ client }, await aPage({ client }), "The ribosome reads messenger RNA one codon at a time.");
  return client;
}

const percentile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

const createTimes = (): Times => ({ first: [], each: [] });

/** Each reader reads one answer after another; their starts are spread evenly over the duration of an answer. */
async function runStaggered(readers: readonly (() => Promise<void>)[]): Promise<void> {
  const work = readers.map(async (read, n) => {
    await pause((n * SPREAD_MS) / readers.length);
    for (let round = 0; round < ROUNDS; round += 1) await read();
  });
  await Promise.all(work);
}

function row(
  what: string,
  { ours, bare, key, share }: { ours: Times; bare: Times; key: keyof Times; share: number },
  goal: string,
) {
  const [value, reference] = [percentile(ours[key], share), percentile(bare[key], share)];
  return { what: `${what} (added: ${(value - reference).toFixed(1)} ms)`, value, reference, unit: "ms", goal };
}

export const bench: Bench = {
  name: "tutor",
  async run() {
    const model = await startModel();
    const proxy = spawn(process.execPath, ["-e", PROXY, model.origin], { stdio: ["ignore", "pipe", "inherit"] });
    const [port] = (await once(proxy.stdout, "data")) as [Uint8Array];
    const bareOrigin = `http://127.0.0.1:${Buffer.from(port).toString().trim()}`;
    const env = { AI_BASE_URL: `${model.origin}/v1`, AI_MODEL: "m", RATE_LIMIT_FACTOR: "1000" };
    const server = await startServerProcess(env);
    const measured = { bare: createTimes(), ours: createTimes(), bareAtOnce: createTimes(), oursAtOnce: createTimes() };
    try {
      const clients: Client[] = [];
      for (let n = 0; n < STREAMS; n += 1) clients.push(await aClient(server.origin, n));
      // Warm up, so that connections, statements and the index exist as on a running server.
      await Promise.all(clients.map((client) => readOurs(client, createTimes())));
      await runStaggered(clients.map(() => () => readBare(bareOrigin, measured.bare)));
      await runStaggered(clients.map((client) => () => readOurs(client, measured.ours)));
      for (let round = 0; round < ROUNDS; round += 1) {
        await Promise.all(clients.map(() => readBare(bareOrigin, measured.bareAtOnce)));
        await Promise.all(clients.map((client) => readOurs(client, measured.oursAtOnce)));
      }
    } finally {
      await server.dispose();
      proxy.kill();
      model.http.closeAllConnections();
      model.http.close();
    }
    const { bare, ours, bareAtOnce, oursAtOnce } = measured;
    return [
      row(`${STREAMS} streams under way: first word, p50`, { ours, bare, key: "first", share: 0.5 }, "reported"),
      row(`${STREAMS} streams under way: first word, p95`, { ours, bare, key: "first", share: 0.95 }, "added <= 25"),
      row("latency per word, p50", { ours, bare, key: "each", share: 0.5 }, "reported"),
      row("latency per word, p99", { ours, bare, key: "each", share: 0.99 }, "added <= 5"),
      ...(["first", "each"] as const).map((key) => {
        const what = key === "first" ? "first word, p95" : "latency per word, p99";
        const share = key === "first" ? 0.95 : 0.99;
        return row(
          `${STREAMS} begun at the same moment: ${what}`,
          { ours: oursAtOnce, bare: bareAtOnce, key, share },
          "reported",
        );
      }),
    ];
  },
};
