// Twenty clients come back online at once, each with 2,000 queued changes: `node tests/long/faults/offline-masses.ts`.
// Prints how long the calls take; exits with 3 if a change is lost, applied twice or refused.
import { ulid } from "ulid";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import type { V1Client } from "#tests/kit/api.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { aChange, aPage, textComponent, textContent } from "#tests/store/changes.ts";
import { readMetrics } from "./soak-memory.ts";

const CLIENTS = 20;
const TEXTS = 1_000;
/** Changes in one call: as many as a client's batch may contain. */
const PER_CALL = 200;
const FOUND_FAULTS = 3;

const print = (line: string) => process.stdout.write(`${line}\n`);

interface ReturningClient {
  client: V1Client;
  pageId: string;
  ids: readonly string[];
}

async function aClient(origin: string, n: number): Promise<ReturningClient> {
  const clientFor = (token?: string) => createClient(v1, fetchTransport({ origin, token: () => token }));
  const account = { name: "Ada", email: `student${n}@example.org`, password: PASSWORD };
  const client = clientFor((await clientFor().auth.register(account)).token);
  return { client, pageId: await aPage({ client }), ids: Array.from({ length: TEXTS }, () => ulid()) };
}

/** Each text is created and then edited, as when it was written offline. */
function queueOf({ pageId, ids }: ReturningClient) {
  return ids.flatMap((id, n) => [
    aChange("component_create", id, textComponent(id, pageId, "begun"), { seq: 2 * n + 1 }),
    aChange(
      "component_content_update",
      id,
      { newContent: textContent(`done ${n}`) },
      { seq: 2 * n + 2, baseVersion: 1 },
    ),
  ]);
}

async function sendAll(returning: ReturningClient, durations: number[]): Promise<number> {
  const queue = queueOf(returning);
  let refused = 0;
  for (let at = 0; at < queue.length; at += PER_CALL) {
    const startedAt = performance.now();
    const answer = await returning.client.sync.sendChanges({ payload: queue.slice(at, at + PER_CALL) });
    durations.push(performance.now() - startedAt);
    refused += answer.num_failed;
  }
  return refused;
}

async function countWrong({ client, pageId, ids }: ReturningClient): Promise<number> {
  const { components, page } = await client.pages.getPage({ id: pageId });
  const textOf = new Map(components.map(({ _id, content }) => [_id, JSON.stringify(content)]));
  const wrong = ids.filter((id, n) => !textOf.get(id)?.includes(`"done ${n}"`)).length;
  return wrong + Math.abs(components.length - ids.length) + Math.abs(page.components.length - ids.length);
}

/** CPU time of the server so far. Unlike durations, it hardly depends on what else the machine does. */
const readCpuSeconds = async (origin: string) => (await readMetrics(origin))("process_cpu_seconds_total");

const server = await startServerProcess({ RATE_LIMIT_FACTOR: "1000" });
try {
  const clients: ReturningClient[] = [];
  for (let n = 0; n < CLIENTS; n += 1) clients.push(await aClient(server.origin, n));
  const durations: number[] = [];
  const cpuBefore = await readCpuSeconds(server.origin);
  const startedAt = performance.now();
  const refused = await Promise.all(clients.map((client) => sendAll(client, durations)));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuSeconds = (await readCpuSeconds(server.origin)) - cpuBefore;
  const sorted = durations.toSorted((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((share) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0));
  const count = CLIENTS * TEXTS * 2;
  print(
    `${count} changes of ${CLIENTS} clients in ${seconds.toFixed(1)} s; a call of ${PER_CALL}: p50 ${p50} ms, p99 ${p99} ms`,
  );
  const cpuMs = (cpuSeconds * 1000) / count;
  print(
    `${cpuMs.toFixed(2)} ms of CPU time per change, so ${(cpuMs * CLIENTS * PER_CALL).toFixed(0)} ms for one call of each client`,
  );
  let wrong = refused.reduce((sum, refusedCount) => sum + refusedCount, 0);
  for (const client of clients) wrong += await countWrong(client);
  print(`lost, applied twice or refused: ${wrong}`);
  process.exitCode = wrong === 0 ? 0 : FOUND_FAULTS;
} finally {
  await server.dispose();
}
