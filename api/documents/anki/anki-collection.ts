import { DatabaseSync } from "node:sqlite";
import { AnkiUnreadable, readFields, textField } from "./anki-proto.ts";

export interface NoteType {
  isCloze: boolean;
  name: string;
  fields: string[];
  templates: { question: string; answer: string }[];
}

export interface CardRow {
  id: number;
  guid: string;
  ord: number;
  deck: string;
  noteType: NoteType | undefined;
  fields: string[];
  tags: string[];
  type: number;
  queue: number;
  due: number;
  ivl: number;
  factor: number;
  reps: number;
  lapses: number;
  /** Epoch seconds. */
  modifiedAt: number;
  data: string;
}

export interface ReviewRow {
  at: number;
  grade: 1 | 2 | 3 | 4;
  durationMs: number;
}

export interface Collection {
  /** Epoch seconds; due dates count days from here. */
  createdAt: number;
  cardCount: number;
  cards(): Generator<CardRow>;
  reviewsOf(cardId: number): ReviewRow[];
}

type Row = Record<string, unknown>;
const text = (value: unknown) =>
  typeof value === "string" ? value : value instanceof Uint8Array ? new TextDecoder().decode(value) : "";
const number = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : 0);

/** Schema objects that Anki never creates and that could run without end or generate unlimited data. */
const ODD_THINGS = `SELECT count(*) AS n FROM sqlite_schema
  WHERE type IN ('view', 'trigger') OR sql LIKE 'create virtual%' OR sql LIKE '%generated always%' OR sql LIKE '% as (%'`;

/** Opens a collection in memory. Anything but plain tables is refused. */
export function openCollection(bytes: Uint8Array): Collection {
  const db = new DatabaseSync(":memory:");
  try {
    db.deserialize(readableCopy(bytes));
    db.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON");
    const odd = db.prepare(ODD_THINGS).get();
    if (number(odd?.["n"]) > 0) throw new AnkiUnreadable("broken");
    return readCollection(db);
  } catch (cause) {
    throw cause instanceof AnkiUnreadable ? cause : new AnkiUnreadable("broken");
  }
}

const STAND_IN = "nocase\f";

/**
 * A copy that SQLite can open in memory. Bytes 18 and 19 of the header are set to say that there is no write-ahead log.
 * Anki's own collation ("unicase") does not exist here, so it is replaced by a name of equal length, which does not
 * affect reading rows. Card text that contains the same words is changed back when read; the placeholder's last
 * character never occurs in text.
 */
function readableCopy(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  copy.set([1, 1], 18);
  for (const words of ["COLLATE unicase", "collate unicase"])
    for (let at = copy.indexOf(words); at !== -1; at = copy.indexOf(words, at + 1))
      copy.write(STAND_IN, at + 8, "latin1");
  return copy;
}

function readCollection(db: DatabaseSync): Collection {
  const col = db.prepare("SELECT crt, ver, models, decks FROM col LIMIT 1").get();
  if (!col) throw new AnkiUnreadable("broken");
  const isOld = text(col["models"]).length > 2;
  const types = isOld ? oldTypes(text(col["models"])) : newTypes(db);
  const decks = isOld ? oldDecks(text(col["decks"])) : newDecks(db);
  const count = db.prepare("SELECT count(*) AS n FROM cards").get();
  const log = db.prepare("SELECT id, ease, time, type FROM revlog WHERE cid = ? ORDER BY id LIMIT 2000");
  return {
    createdAt: number(col["crt"]),
    cardCount: number(count?.["n"]),
    *cards() {
      const sql = `SELECT c.id, c.ord, c.did, c.odid, c.type, c.queue, c.due, c.odue, c.ivl, c.factor, c.reps, c.lapses,
        c.mod, c.data, n.guid, n.mid, n.flds, n.tags FROM cards c JOIN notes n ON n.id = c.nid ORDER BY c.nid, c.ord`;
      for (const row of db.prepare(sql).iterate()) yield cardOf(row, { types, decks });
    },
    reviewsOf: (cardId) => log.all(cardId).flatMap(reviewOf),
  };
}

interface Known {
  types: ReadonlyMap<string, NoteType>;
  decks: ReadonlyMap<string, string>;
}

function cardOf(row: Row, { types, decks }: Known): CardRow {
  // A card in a filtered deck keeps its original deck and due date in `odid` and `odue`.
  const isLent = number(row["odid"]) > 0;
  return {
    id: number(row["id"]),
    guid: text(row["guid"]) || String(number(row["id"])),
    ord: number(row["ord"]),
    deck: decks.get(String(isLent ? row["odid"] : row["did"])) ?? "Default",
    noteType: types.get(String(row["mid"])),
    fields: text(row["flds"]).replaceAll(STAND_IN, "unicase").split("\u001f"),
    tags: text(row["tags"]).split(/\s+/).filter(Boolean),
    type: number(row["type"]),
    queue: number(row["queue"]),
    due: number(isLent && number(row["odue"]) !== 0 ? row["odue"] : row["due"]),
    ivl: number(row["ivl"]),
    factor: number(row["factor"]),
    reps: number(row["reps"]),
    lapses: number(row["lapses"]),
    modifiedAt: number(row["mod"]),
    data: text(row["data"]),
  };
}

/** The log also contains manual reschedules, which are not reviews. */
function reviewOf(row: Row): ReviewRow[] {
  const [grade, kind] = [number(row["ease"]), number(row["type"])];
  if (kind > 3 || (grade !== 1 && grade !== 2 && grade !== 3 && grade !== 4)) return [];
  return [{ at: number(row["id"]), grade, durationMs: Math.max(0, number(row["time"])) }];
}

const isRecord = (value: unknown): value is Row => typeof value === "object" && value !== null;
const records = (json: string): Row[] => Object.values(JSON.parse(json) as Row).filter(isRecord);
const listOf = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRecord) : []);

function oldTypes(json: string): Map<string, NoteType> {
  return new Map(
    records(json).map((model) => [
      String(model["id"]),
      {
        name: text(model["name"]),
        isCloze: model["type"] === 1,
        fields: listOf(model["flds"]).map((field) => text(field["name"])),
        templates: listOf(model["tmpls"]).map((one) => ({ question: text(one["qfmt"]), answer: text(one["afmt"]) })),
      },
    ]),
  );
}

const deckName = (name: string) => name.replaceAll("\u001f", "::");

const oldDecks = (json: string) =>
  new Map(records(json).map((deck) => [String(deck["id"]), deckName(text(deck["name"]))]));

const newDecks = (db: DatabaseSync) =>
  new Map(
    db
      .prepare("SELECT id, name FROM decks")
      .all()
      .map((row) => [String(row["id"]), deckName(text(row["name"]))]),
  );

const bytesOf = (value: unknown) => (value instanceof Uint8Array ? value : new Uint8Array());

function newTypes(db: DatabaseSync): Map<string, NoteType> {
  const types = new Map<string, NoteType>();
  for (const row of db.prepare("SELECT id, name, config FROM notetypes").all()) {
    const kind = readFields(bytesOf(row["config"])).find(({ field }) => field === 1)?.value;
    types.set(String(row["id"]), { name: text(row["name"]), isCloze: kind === 1, fields: [], templates: [] });
  }
  for (const row of db.prepare("SELECT ntid, ord, name FROM fields").all()) {
    const type = types.get(String(row["ntid"]));
    if (type) type.fields[number(row["ord"])] = text(row["name"]);
  }
  for (const row of db.prepare("SELECT ntid, ord, config FROM templates").all()) {
    const config = bytesOf(row["config"]);
    const type = types.get(String(row["ntid"]));
    if (type) type.templates[number(row["ord"])] = { question: textField(config, 1), answer: textField(config, 2) };
  }
  return types;
}
