import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Collection, CollectionSpec } from "#api/store/port.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { type Bench, median, type Row } from "./row.ts";

const DOCUMENTS = 200_000;
const OWNERS = 400;
const ROUNDS = 5;
const READS = 20_000;
const QUERIES = 1_500;
const WRITES = 2_000;

interface Card {
  _id: string;
  ownerId: string;
  dueAt: number;
  question: string;
  answer: string;
}

const spec: CollectionSpec<Card> = { name: "cards", shardKey: "ownerId", indexes: [{ fields: ["ownerId", "dueAt"] }] };

const aCard = (n: number): Card => ({
  _id: `card${String(n).padStart(9, "0")}`,
  ownerId: `owner${n % OWNERS}`,
  // Scattered, like real due times.
  dueAt: (n * 7919) % DOCUMENTS,
  question: `What does the passage say about term ${n}, and where in the chapter does it say so?`,
  answer: `It says that term ${n} names one thing and not another, with an example that is easy to remember.`,
});

const cardId = (round: number, n: number) => aCard((round * 1_000_003 + n * 7_919) % DOCUMENTS)._id;

/** Runs of `work` per second. */
async function perSecond(times: number, work: (n: number) => unknown): Promise<number> {
  const startedAt = performance.now();
  for (let n = 0; n < times; n += 1) await work(n);
  return (times / (performance.now() - startedAt)) * 1000;
}

async function fill(cards: Collection<Card>): Promise<void> {
  for (let from = 0; from < DOCUMENTS; from += 5_000)
    await Promise.all(Array.from({ length: 5_000 }, (_, n) => cards.insert(aCard(from + n))));
}

const parse = (found: unknown) => JSON.parse((found as { doc: string }).doc) as Card;

/** The baseline: the same work in minimal code on node:sqlite. */
function bareSqlite(path: string) {
  const db = new DatabaseSync(path);
  db.exec("PRAGMA synchronous = FULL; PRAGMA cache_size = -65536");
  const read = db.prepare("SELECT doc FROM cards WHERE _id = ?");
  const due = db.prepare(
    `SELECT doc FROM cards WHERE json_extract(doc, '$."ownerId"') = ? AND json_extract(doc, '$."dueAt"') < ?
     ORDER BY json_extract(doc, '$."dueAt"') LIMIT 20`,
  );
  const write = db.prepare("INSERT INTO cards VALUES (?, ?)");
  return {
    read: (id: string) => parse(read.get(id)),
    due: (ownerId: string, before: number) => due.all(ownerId, before).map(parse),
    write: (card: Card) => write.run(card._id, JSON.stringify(card)),
    close: () => db.close(),
  };
}

interface Figures {
  readonly ours: number[];
  readonly bare: number[];
}

const createFigures = (): Figures => ({ ours: [], bare: [] });

function row(what: string, { ours, bare }: Figures, goal: string): Row {
  const ratios = ours.map((value, n) => value / (bare[n] ?? Number.NaN));
  return { what, value: median(ours), unit: "/s", reference: median(bare), ratio: median(ratios), goal };
}

async function measure(folder: string, cards: Collection<Card>): Promise<Row[]> {
  const bare = bareSqlite(join(folder, "lamplight.db"));
  const [reads, queries, writes, concurrentWrites] = [
    createFigures(),
    createFigures(),
    createFigures(),
    createFigures(),
  ];
  const order = [["dueAt", "asc"]] as const;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = DOCUMENTS / 2 + round;
    reads.ours.push(await perSecond(READS, (n) => cards.get(cardId(round, n))));
    reads.bare.push(await perSecond(READS, (n) => bare.read(cardId(round, n))));
    const ownerId = (n: number) => `owner${(n * 31) % OWNERS}`;
    queries.ours.push(
      await perSecond(QUERIES, (n) => cards.find({ ownerId: ownerId(n), dueAt: { lt: before } }, { order, limit: 20 })),
    );
    queries.bare.push(await perSecond(QUERIES, (n) => bare.due(ownerId(n), before)));
    const newCard = (kind: number, n: number) => aCard(DOCUMENTS + (round * 4 + kind) * WRITES + n);
    writes.ours.push(await perSecond(WRITES, (n) => cards.insert(newCard(0, n))));
    writes.bare.push(await perSecond(WRITES, (n) => bare.write(newCard(1, n))));
    const sixteen = (n: number) =>
      Promise.all(Array.from({ length: 16 }, (_, at) => cards.insert(newCard(2, n * 16 + at))));
    concurrentWrites.ours.push(16 * (await perSecond(WRITES / 16, sixteen)));
    concurrentWrites.bare.push(await perSecond(WRITES, (n) => bare.write(newCard(3, n))));
  }
  bare.close();
  return [
    row("point reads", reads, ">= 20,000/s"),
    row("an indexed query with order and limit 20 over 200,000 documents", queries, ">= 3,000/s"),
    row("durable writes, one writer", writes, ">= 2,000/s"),
    row("durable writes, sixteen writers", concurrentWrites, "none: one fsync serves all"),
  ];
}

export const bench: Bench = {
  name: "Document store (SQLite), against bare node:sqlite",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "store-bench-"));
    const store = openSqlite({ folder });
    try {
      const cards = store.collection(spec);
      await fill(cards);
      return await measure(folder, cards);
    } finally {
      await store.close();
      rmSync(folder, { recursive: true });
    }
  },
};
