import { ulid } from "ulid";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { SYNC_BODY_BYTES } from "#shared/contract/endpoint.ts";
import { v1 } from "#shared/contract/v1.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { type Bench, type Row } from "./row.ts";

/** Concurrent requests of the attacker, repeated while the reader reads. */
const HOSTILE = 20;
const READS = 300;
const LONG_PAGE = 20_000;
const PER_CALL = 2_000;
const LONG_TEXT = 3_900_000;
const PREFERENCE_KEYS = 60_000;

export const bench: Bench = {
  name: "Hostile requests beside a reader",
  async run() {
    const server = await startServerProcess({ RATE_LIMIT_FACTOR: "1000000" });
    try {
      const target = await seed(server.origin);
      const read = () => request(`${server.origin}/v1/pages/${target.readerPage}`, target.reader);
      await measure(read, READS);
      const rows: Row[] = [];
      for (const [what, send] of Object.entries(attacksOn(server.origin, target))) {
        const quiet = percentile99(await measure(read, READS));
        const attack = repeat(send);
        const value = percentile99(await measure(read, READS));
        await attack.stop();
        rows.push({
          what,
          value,
          unit: "ms p99",
          reference: quiet,
          ratio: value / quiet,
          goal: "<= 50 ms above quiet",
        });
      }
      return rows;
    } finally {
      await server.dispose();
    }
  },
};

interface Target {
  reader: string;
  readerPage: string;
  attacker: string;
  longPage: string;
  share: string;
}

function attacksOn(origin: string, { attacker, longPage, share }: Target): Record<string, () => Promise<unknown>> {
  const json = (method: string, path: string, body: string) => () => request(origin + path, attacker, { method, body });
  const keys = Object.fromEntries(Array.from({ length: PREFERENCE_KEYS }, (_, index) => [`key${index}`, index]));
  return {
    "link preview of four long texts": () => request(`${origin}/s/${share}`),
    "shared page of four long texts": () => request(`${origin}/v1/shared/${share}`),
    "body of nested lists": json("POST", "/v1/sync", "[".repeat(SYNC_BODY_BYTES)),
    "60,000 preferences": json("PATCH", "/v1/user/preferences", JSON.stringify(keys)),
    "page of 20,000 components": () => request(`${origin}/v1/pages/${longPage}`, attacker),
    "export of that page": () => request(`${origin}/v1/pages/${longPage}/export`, attacker),
    "export of the account": () => request(`${origin}/v1/user/export`, attacker),
  };
}

async function request(url: string, token?: string, init: RequestInit = {}): Promise<void> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(init.body === undefined ? {} : { "content-type": "application/json" }),
  };
  const response = await fetch(url, { ...init, headers });
  await response.arrayBuffer();
}

/** Sends 20 requests at a time until `stop` is called. */
function repeat(send: () => Promise<unknown>): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const run = async () => {
    // A connection that the server closes counts as an answer.
    while (!stopped.signal.aborted) await send().catch(() => undefined);
  };
  const running = Promise.all(Array.from({ length: HOSTILE }, run));
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

async function measure(read: () => Promise<void>, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const startedAt = performance.now();
    await read();
    times.push(performance.now() - startedAt);
  }
  return times;
}

function percentile99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

async function seed(origin: string): Promise<Target> {
  const reader = await register(origin);
  const attacker = await register(origin);
  const readerPage = await writePage(
    reader,
    Array.from({ length: 50 }, () => "A paragraph of a lecture. ".repeat(10)),
  );
  const longPage = await writePage(
    attacker,
    Array.from({ length: LONG_PAGE }, () => "One of many paragraphs."),
  );
  const texts = await writePage(
    attacker,
    Array.from({ length: 4 }, () => "cell ".repeat(LONG_TEXT / 5)),
  );
  const { share } = await attacker.client.sharing.putShare({ type: "page", id: texts });
  return { reader: reader.token, readerPage, attacker: attacker.token, longPage, share: share._id };
}

async function register(origin: string) {
  const account = { name: "Ada", email: `${ulid()}@example.org`.toLowerCase(), password: "a lamp upon the desk" };
  let token = "";
  const client = createClient(v1, fetchTransport({ origin, token: () => token || undefined }));
  ({ token } = await client.auth.register(account));
  return { client, token };
}

async function writePage({ client }: Awaited<ReturnType<typeof register>>, texts: readonly string[]): Promise<string> {
  const pageId = ulid();
  const now = Date.now();
  const envelope = (seq: number) => ({ id: ulid(), clientId: "bench", seq, createdAt: now });
  const send = async (payload: unknown[]) => {
    const { failed } = await client.sync.sendChanges({ payload });
    if (failed[0]) throw new Error(JSON.stringify(failed[0]));
  };
  await send([{ ...envelope(0), type: "page_create", resourceId: pageId, data: { title: "Bench", createdAt: now } }]);
  const perCall = texts.length > 100 ? PER_CALL : 1;
  for (let start = 0; start < texts.length; start += perCall)
    await send(
      texts.slice(start, start + perCall).map((text, index) => {
        const content = {
          text: [{ content: text }],
          subType: "normal",
          metadata: { indents: 0, highlightColor: null },
        };
        const times = { createdAt: now, modifiedAt: now, lastOpenedAt: null };
        const component = { _id: ulid(), type: "text", pageId, createdBy: "", version: 1, content, ...times };
        const data = { parentId: pageId, parentType: "page", component };
        return { ...envelope(start + index + 1), type: "component_create", resourceId: component._id, data };
      }),
    );
  return pageId;
}
