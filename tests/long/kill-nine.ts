// Kills the API in the middle of writes, again and again: `node tests/long/kill-nine.ts`.
// No acknowledged write may be lost or applied twice, and the database must open.
// With ACK_BEFORE_COMMIT=1 it runs against hasty-api.ts, and must then fail.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { ulid } from "ulid";
import { createClient, type Client } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { Failure } from "#shared/contract/failure.ts";
import { v1 } from "#shared/contract/v1.ts";
import type { SyncType } from "#shared/sync/schema.ts";
import { seededDraws } from "#tests/kit/random.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/servers/server-process.ts";
import { isFull } from "#tests/kit/all-cases.ts";

const ROUNDS = isFull ? 20 : 8;
const WRITERS = 16;
const randomInt = seededDraws("kill-nine");

interface Change {
  id: string;
  clientId: string;
  seq: number;
  createdAt: number;
  type: SyncType;
  resourceId: string;
  data: object;
  baseVersion?: number;
}

/** One client with its queue: a change is sent again, with the same id, until the server acknowledges it. */
class Writer {
  readonly #name: string;
  readonly #userId: string;
  readonly pages: string[] = [];
  /** The page of each component. */
  readonly components = new Map<string, string>();
  /** How many updates of a component were acknowledged. */
  readonly updates = new Map<string, number>();
  acknowledged = 0;
  #seq = 0;
  #pending: Change | undefined;
  #last: Change | undefined;

  constructor(name: string, userId: string) {
    this.#name = name;
    this.#userId = userId;
  }

  /** Sends changes until the server is gone. */
  async write(client: Client<typeof v1>, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      this.#pending ??= this.#next();
      // A repeated change: to the server this looks as if its answer had been lost.
      const repeated = this.#last && randomInt(8) === 0 ? [this.#last] : [];
      const payload = [...repeated, this.#pending];
      const answer = await client.sync.sendChanges({ payload }).catch(() => undefined);
      if (!answer) return;
      if (answer.failed.length > 0) throw new Error(`refused: ${JSON.stringify(answer.failed)}`);
      if (answer.success.includes(this.#pending.id)) this.#acknowledge(this.#pending);
    }
  }

  async settle(client: Client<typeof v1>): Promise<void> {
    if (!this.#pending) return;
    const { success } = await client.sync.sendChanges({ payload: [this.#pending] });
    if (!success.includes(this.#pending.id)) throw new Error("a repeated change was not accepted");
    this.#acknowledge(this.#pending);
  }

  #acknowledge(change: Change): void {
    this.acknowledged += 1;
    this.#last = change;
    this.#pending = undefined;
    if (change.type === "page_create") this.pages.push(change.resourceId);
    if (change.type === "component_create")
      this.components.set(change.resourceId, (change.data as { parentId: string }).parentId);
    if (change.type === "component_content_update")
      this.updates.set(change.resourceId, (this.updates.get(change.resourceId) ?? 0) + 1);
  }

  #next(): Change {
    this.#seq += 1;
    const envelope = { id: ulid(), clientId: this.#name, seq: this.#seq, createdAt: Date.now() };
    const kind = this.#seq % 6;
    const page = this.pages.at(-1);
    const component = [...this.components.keys()].at(-1);
    if (kind === 1 || page === undefined)
      return { ...envelope, type: "page_create", resourceId: ulid(), data: { title: envelope.id, createdAt: 1 } };
    if (kind === 2 || component === undefined) return { ...envelope, ...this.#newText(page) };
    const baseVersion = 1 + (this.updates.get(component) ?? 0);
    const newContent = textOf(envelope.id);
    return { ...envelope, type: "component_content_update", resourceId: component, data: { newContent }, baseVersion };
  }

  #newText(pageId: string): Pick<Change, "type" | "resourceId" | "data"> {
    const _id = ulid();
    const times = { createdAt: 1, modifiedAt: 1, lastOpenedAt: null };
    const content = textOf("new");
    const component = { _id, pageId, type: "text", content, createdBy: this.#userId, version: 1, ...times };
    return { type: "component_create", resourceId: _id, data: { component, parentId: pageId, parentType: "page" } };
  }
}

const textOf = (content: string) => ({
  text: [{ content }],
  subType: "normal",
  metadata: { indents: 0, highlightColor: null },
});

/** Acknowledged changes that are missing or were applied more than once. */
async function findFaults(client: Client<typeof v1>, writers: readonly Writer[]): Promise<string[]> {
  const answer = await client.pages.getContent({}).catch((error: unknown) => {
    if (error instanceof Failure && error.code === "signed_out") return undefined;
    throw error;
  });
  if (!answer) return ["the account or its session is lost"];
  const { content } = answer;
  const pageIds = content.pages.map((page) => page._id);
  const found: string[] = [];
  if (new Set(pageIds).size !== pageIds.length) found.push("a page is there twice");
  const known = new Set(pageIds);
  for (const writer of writers) {
    for (const page of writer.pages) if (!known.has(page)) found.push(`page ${page} is lost`);
    found.push(...(await findComponentFaults(client, writer)));
  }
  return found;
}

async function findComponentFaults(client: Client<typeof v1>, writer: Writer): Promise<string[]> {
  const found: string[] = [];
  for (const pageId of new Set(writer.components.values())) {
    const page = await client.pages.getPage({ id: pageId }).catch(() => undefined);
    const stored = (page?.components ?? []).map((component) => component._id);
    if (new Set(stored).size !== stored.length) found.push(`a component of page ${pageId} is there twice`);
    for (const [id, parent] of writer.components)
      if (parent === pageId) {
        const version = page?.components.find((component) => component._id === id)?.version;
        found.push(...findVersionFaults(id, version, 1 + (writer.updates.get(id) ?? 0)));
      }
  }
  return found;
}

function findVersionFaults(id: string, version: number | undefined, written: number): string[] {
  if (version === undefined) return [`component ${id} is lost`];
  if (version < written) return [`component ${id} lost ${written - version} of its changes`];
  return version > written ? [`component ${id} took ${version - written} changes twice`] : [];
}

function checkDatabase(server: ServerProcess): string[] {
  const db = new DatabaseSync(join(server.dataDir, "lamplight.db"));
  try {
    const answer = db.prepare("PRAGMA integrity_check").get();
    return answer?.["integrity_check"] === "ok" ? [] : [`the database is damaged: ${JSON.stringify(answer)}`];
  } finally {
    db.close();
  }
}

async function runRound(
  server: ServerProcess,
  client: Client<typeof v1>,
  writers: readonly Writer[],
): Promise<string[]> {
  let isOver = false;
  const writing = Promise.all(writers.map((writer) => writer.write(client, () => isOver)));
  await pause(randomInt(100, 700));
  isOver = true;
  await Promise.all([server.kill(), writing]);
  const damage = checkDatabase(server);
  await server.start();
  // A change whose answer was cut off may be stored or not; after it is sent again, it must be stored once.
  const lost = (await findFaults(client, writers)).filter((fault) => fault.includes("lost"));
  for (const writer of writers) await writer.settle(client).catch((cause: unknown) => damage.push(String(cause)));
  return [...damage, ...lost, ...(await findFaults(client, writers))];
}

/** Runs the rounds; stops after the first one with faults. */
async function sweep(entry: string): Promise<string[]> {
  const server = await startServerProcess({ RATE_LIMIT_FACTOR: "1000000" }, entry);
  try {
    const signedOut = createClient(v1, fetchTransport({ origin: server.origin, token: () => undefined }));
    const account = { name: "Ada", email: "ada@example.org", password: "a lamp upon the desk" };
    const { token, user } = await signedOut.auth.register(account);
    const client = createClient(v1, fetchTransport({ origin: server.origin, token: () => token }));
    const writers = Array.from({ length: WRITERS }, (_, n) => new Writer(`writer-${n}`, user._id));
    for (let round = 1; round <= ROUNDS; round += 1) {
      const found = await runRound(server, client, writers);
      const total = writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
      process.stdout.write(`  kill ${round}: ${total} changes acknowledged so far, ${found.length} faults\n`);
      if (found.length > 0) return found;
    }
    return [];
  } finally {
    await server.dispose();
  }
}

const isHasty = process.env["ACK_BEFORE_COMMIT"] === "1";
process.stdout.write(`kill -9 under ${WRITERS} writers${isHasty ? ", acknowledged before the commit" : ""}\n`);
const found = await sweep(isHasty ? "tests/long/hasty-api.ts" : "api/main.ts");
for (const fault of found.slice(0, 10)) process.stdout.write(`  ${fault}\n`);
process.stdout.write(found.length === 0 ? "nothing lost, nothing applied twice\n" : `${found.length} faults\n`);
// A separate exit code, so that a crash of this script is not mistaken for a lost write.
process.exit(found.length === 0 ? 0 : 3);
