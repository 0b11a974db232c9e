import { performance } from "node:perf_hooks";
import { ulid } from "ulid";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { aDocument } from "#tests/podcasts/made-podcast.ts";
import { aTextbook } from "#tests/podcasts/textbook.ts";
import { type Bench, median, type Row } from "../row.ts";

const SESSIONS = 1000;
const LISTINGS = 9;
const REPLAYS = 9;
const SECOND_MS = 1000;
const QUESTION = "How does the membrane prepare the transport of its proteins?";

async function registerClient(origin: string) {
  const account = { name: "Bench", email: "bench@example.org", password: "a long enough passphrase" };
  const { token } = await createClient(v1, fetchTransport({ origin, token: () => undefined })).auth.register(account);
  return createClient(v1, fetchTransport({ origin, token: () => token }));
}

type BenchClient = Awaited<ReturnType<typeof registerClient>>;

/** Times a quick session on the library: until its first cited sentence, and until its end. */
async function researchOnce(client: BenchClient) {
  const startedAt = performance.now();
  let [id, firstMs] = ["", Number.NaN];
  const question = { userMessage: QUESTION, depthState: "quick" as const, lookIn: ["library" as const] };
  for await (const event of client.research.sendResearch({ ...question, messageId: ulid() })) {
    if (event.type === "conversation_id") id = event.conversationId;
    if (event.type === "canvas_update" && event.citations.length > 0 && Number.isNaN(firstMs))
      firstMs = performance.now() - startedAt;
  }
  return { id, firstMs, totalMs: performance.now() - startedAt };
}

/** The gaps between events when a finished run is replayed: the stream's overhead per event. */
async function measureEvents(client: BenchClient, id: string): Promise<number[]> {
  const gaps: number[] = [];
  for (let replay = 0; replay < REPLAYS; replay += 1) {
    let last: number | undefined;
    for await (const _ of client.research.followResearch({ id, after: 0 })) {
      const now = performance.now();
      if (last !== undefined) gaps.push(now - last);
      last = now;
    }
  }
  return gaps.toSorted((a, b) => a - b);
}

async function measureListing(client: BenchClient): Promise<number> {
  for (let n = 0; n < SESSIONS; n += 1)
    await client.research.newSession({ conversation_title: `What is question ${n} about?` });
  const times: number[] = [];
  for (let n = 0; n < LISTINGS; n += 1) {
    const startedAt = performance.now();
    await client.research.listConversations({});
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** Sessions on a document of the library, without a model. */
export const bench: Bench = {
  name: "research-session",
  async run(): Promise<Row[]> {
    const server = await startServerProcess({ DEFAULT_PLAN: "ULTIMATE", RATE_LIMIT_FACTOR: "1000" });
    try {
      const client = await registerClient(server.origin);
      await aDocument({ client }, aTextbook());
      // The first session waits for the index.
      await researchOnce(client);
      const { id, firstMs, totalMs } = await researchOnce(client);
      const gaps = await measureEvents(client, id);
      const p99 = gaps[Math.floor(gaps.length * 0.99)] ?? Number.NaN;
      const listMs = await measureListing(client);
      return [
        {
          what: "quick session on the library: first cited sentence",
          value: firstMs / SECOND_MS,
          unit: "s",
          goal: "<= 3",
        },
        { what: "quick session on the library: end", value: totalMs / SECOND_MS, unit: "s", goal: "<= 10" },
        { what: "stream overhead per event, p99", value: p99, unit: "ms", goal: "<= 5" },
        { what: `list ${SESSIONS} sessions, p50`, value: listMs, unit: "ms", goal: "<= 100" },
      ];
    } finally {
      await server.dispose();
    }
  },
};
