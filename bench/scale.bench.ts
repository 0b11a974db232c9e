import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { clientAt, registerAccount } from "#tests/kit/account.ts";
import type { V1Client } from "#tests/kit/api.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { aCard, aChange, aDeck, aPage, aText, send, textContent } from "#tests/store/changes.ts";
import { type Bench, median, type Row } from "./row.ts";

/** Sizes of the database, in accounts. All accounts are alike; one is measured. */
const ACCOUNTS = [100, 1_000, 10_000, 100_000];
const CALLS = 200;
/** Edits of the account before it is copied; each adds a document. */
const EDITS = 20;
const TEXTS = 5;
const CARDS = 20;
const MB = 1024 * 1024;
/** How many characters of an id are replaced in a copy. */
const PREFIX = 8;

interface Student {
  client: V1Client;
  token: string;
  email: string;
  pageId: string;
  textId: string;
  version: number;
}

async function seedOne(origin: string): Promise<Student> {
  const user = await registerAccount(origin);
  const pageId = await aPage(user, "Genes");
  for (let n = 1; n < TEXTS; n += 1) await aText(user, pageId, `A codon names an amino acid, part ${n}. `.repeat(4));
  const textId = await aText(user, pageId, "The ribosome reads one codon at a time.");
  const cards = Array.from({ length: CARDS }, (_, n) => aCard(`card-${n}`));
  await aDeck(user, pageId, cards);
  return { ...user, pageId, textId, version: 1 };
}

/** A document split at the first characters of its ids. The parts joined with other characters are a copy. */
interface Template {
  table: string;
  id: readonly string[];
  doc: readonly string[];
}

const CUT = "\0";

/** The account's documents, split wherever an id or the address occurs that must be unique in the database. */
function readAccount(path: string, email: string): Template[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%doc TEXT%'").all();
  const userId = String(db.prepare("SELECT _id FROM users WHERE doc ->> 'email' = ?").get(email)?.["_id"]);
  const docs = tables.flatMap(({ name }) =>
    db
      .prepare(`SELECT _id, doc FROM "${String(name)}" WHERE instr(doc, ?) > 0`)
      .all(userId)
      .map(({ _id, doc }) => ({ table: String(name), id: String(_id), doc: String(doc) })),
  );
  db.close();
  const ids = docs.map(({ id }) => id).filter((id) => id.length > PREFIX * 2);
  const unique = new RegExp(
    [...new Set([...ids, email])].map((id) => id.replaceAll(/\W/g, String.raw`\$&`)).join("|"),
    "g",
  );
  const cut = (text: string) => text.replaceAll(unique, (id) => CUT + id.slice(PREFIX)).split(CUT);
  return docs.map(({ table, id, doc }) => ({ table, id: cut(id), doc: cut(doc) }));
}

/** Copies the account until there are `count` accounts; copies differ in their ids and addresses. */
function copyAccounts(path: string, account: readonly Template[], [from, count]: readonly [number, number]): void {
  const db = new DatabaseSync(path);
  // Fast, unsafe settings for several gigabytes in one transaction; the server sets its own again when it starts.
  db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; BEGIN");
  const inserts = new Map(
    account.map(({ table }) => [table, db.prepare(`INSERT OR IGNORE INTO "${table}" VALUES (?, ?)`)]),
  );
  for (let n = from; n < count; n += 1) {
    const prefix = n.toString(36).padStart(PREFIX, "0");
    for (const { table, id, doc } of account) inserts.get(table)?.run(id.join(prefix), doc.join(prefix));
  }
  db.exec("COMMIT");
  db.close();
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

async function edit(student: Student): Promise<void> {
  const newContent = textContent(`The ribosome reads one codon at a time, edit ${student.version}.`);
  const { textId, version } = student;
  await send(student, aChange("component_content_update", textId, { newContent }, { baseVersion: version }));
  student.version += 1;
}

async function measure(student: Student): Promise<Record<string, number>> {
  const { client, pageId } = student;
  return {
    "read page": await medianMs(() => client.pages.getPage({ id: pageId })),
    "due cards": await medianMs(() => client.study.getDue({})),
    edit: await medianMs(() => edit(student)),
    search: await medianMs(() => client.library.search({ q: "codon" })),
  };
}

export const bench: Bench = {
  name: "A server with more accounts",
  async run() {
    const server = await startServerProcess({ RATE_LIMIT_FACTOR: "1000000" });
    try {
      const student = await seedOne(server.origin);
      for (let n = 0; n < EDITS; n += 1) await edit(student);
      const path = join(server.dataDir, "lamplight.db");
      const rows: Row[] = [];
      const smallest: Record<string, number> = {};
      await server.stop();
      const account = readAccount(path, student.email);
      let reached = 1;
      for (const count of ACCOUNTS) {
        await server.stop();
        copyAccounts(path, account, [reached, count]);
        reached = count;
        await server.start();
        student.client = clientAt(server.origin, student.token);
        const prefix = `${count.toLocaleString("en")} accounts: `;
        for (const [what, value] of Object.entries(await measure(student))) {
          const reference = (smallest[what] ??= value);
          rows.push({ what: prefix + what, value, unit: "ms", reference, ratio: value / reference, goal: "<= 1.5" });
        }
        rows.push({ what: `${prefix}start`, value: server.startedInMs, unit: "ms", goal: "<= 5000" });
        rows.push({ what: `${prefix}database`, value: statSync(path).size / MB, unit: "MB", goal: "no goal" });
      }
      return rows;
    } finally {
      await server.dispose();
    }
  },
};
