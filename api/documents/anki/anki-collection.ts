import { DatabaseSync } from "node:sqlite";
import { AnkiFormatError, readFields, readTextField } from "./protobuf.ts";

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
  listReviews(cardId: number): ReviewRow[];
}

type Row = Record<string, unknown>;
const asText = (value: unknown) =>
  typeof value === "string" ? value : value instanceof Uint8Array ? new TextDecoder().decode(value) : "";
const asNumber = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : 0);

/** Schema objects that Anki never creates and that could run without end or generate unlimited data. */
const COUNT_SUSPICIOUS_OBJECTS = `SELECT count(*) AS n FROM sqlite_schema
  WHERE type IN ('view', 'trigger') OR sql LIKE 'create virtual%' OR sql LIKE '%generated always%' OR sql LIKE '% as (%'`;

/** Opens a collection in memory. Anything but plain tables is refused. */
export function openCollection(bytes: Uint8Array): Collection {
  const db = new DatabaseSync(":memory:");
  try {
    db.deserialize(toReadableCopy(bytes));
    db.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON");
    const suspicious = db.prepare(COUNT_SUSPICIOUS_OBJECTS).get();
    if (asNumber(suspicious?.["n"]) > 0) throw new AnkiFormatError("broken");
    return readCollection(db);
  } catch (cause) {
    throw cause instanceof AnkiFormatError ? cause : new AnkiFormatError("broken");
  }
}

const PLACEHOLDER = "nocase\f";

/**
 * A copy that SQLite can open in memory. Bytes 18 and 19 of the header are set for a file without a write-ahead log.
 * Anki's own collation ("unicase") does not exist here, so it is replaced by a name of equal length, which does not
 * affect reading rows. Card text that contains the same words is changed back when read; the placeholder's last
 * character never occurs in text.
 */
function toReadableCopy(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  copy.set([1, 1], 18);
  for (const words of ["COLLATE unicase", "collate unicase"])
    for (let at = copy.indexOf(words); at !== -1; at = copy.indexOf(words, at + 1))
      copy.write(PLACEHOLDER, at + 8, "latin1");
  return copy;
}

function readCollection(db: DatabaseSync): Collection {
  const col = db.prepare("SELECT crt, ver, models, decks FROM col LIMIT 1").get();
  if (!col) throw new AnkiFormatError("broken");
  const isOld = asText(col["models"]).length > 2;
  const types = isOld ? readOldTypes(asText(col["models"])) : readNewTypes(db);
  const decks = isOld ? readOldDecks(asText(col["decks"])) : readNewDecks(db);
  const count = db.prepare("SELECT count(*) AS n FROM cards").get();
  const reviewQuery = db.prepare("SELECT id, ease, time, type FROM revlog WHERE cid = ? ORDER BY id LIMIT 2000");
  return {
    createdAt: asNumber(col["crt"]),
    cardCount: asNumber(count?.["n"]),
    *cards() {
      const sql = `SELECT c.id, c.ord, c.did, c.odid, c.type, c.queue, c.due, c.odue, c.ivl, c.factor, c.reps, c.lapses,
        c.mod, c.data, n.guid, n.mid, n.flds, n.tags FROM cards c JOIN notes n ON n.id = c.nid ORDER BY c.nid, c.ord`;
      for (const row of db.prepare(sql).iterate()) yield toCardRow(row, { types, decks });
    },
    listReviews: (cardId) => reviewQuery.all(cardId).flatMap(toReviewRow),
  };
}

interface NoteTypesAndDecks {
  types: ReadonlyMap<string, NoteType>;
  decks: ReadonlyMap<string, string>;
}

function toCardRow(row: Row, { types, decks }: NoteTypesAndDecks): CardRow {
  // A card in a filtered deck keeps its original deck and due date in `odid` and `odue`.
  const isInFilteredDeck = asNumber(row["odid"]) > 0;
  return {
    id: asNumber(row["id"]),
    guid: asText(row["guid"]) || String(asNumber(row["id"])),
    ord: asNumber(row["ord"]),
    deck: decks.get(String(isInFilteredDeck ? row["odid"] : row["did"])) ?? "Default",
    noteType: types.get(String(row["mid"])),
    fields: asText(row["flds"]).replaceAll(PLACEHOLDER, "unicase").split("\u001f"),
    tags: asText(row["tags"]).split(/\s+/).filter(Boolean),
    type: asNumber(row["type"]),
    queue: asNumber(row["queue"]),
    due: asNumber(isInFilteredDeck && asNumber(row["odue"]) !== 0 ? row["odue"] : row["due"]),
    ivl: asNumber(row["ivl"]),
    factor: asNumber(row["factor"]),
    reps: asNumber(row["reps"]),
    lapses: asNumber(row["lapses"]),
    modifiedAt: asNumber(row["mod"]),
    data: asText(row["data"]),
  };
}

/** The log also contains manual reschedules, which are not reviews. */
function toReviewRow(row: Row): ReviewRow[] {
  const [grade, kind] = [asNumber(row["ease"]), asNumber(row["type"])];
  if (kind > 3 || (grade !== 1 && grade !== 2 && grade !== 3 && grade !== 4)) return [];
  return [{ at: asNumber(row["id"]), grade, durationMs: Math.max(0, asNumber(row["time"])) }];
}

const isRecord = (value: unknown): value is Row => typeof value === "object" && value !== null;
const parseRecords = (json: string): Row[] => Object.values(JSON.parse(json) as Row).filter(isRecord);
const asRecords = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRecord) : []);

function readOldTypes(json: string): Map<string, NoteType> {
  return new Map(
    parseRecords(json).map((model) => [
      String(model["id"]),
      {
        name: asText(model["name"]),
        isCloze: model["type"] === 1,
        fields: asRecords(model["flds"]).map((field) => asText(field["name"])),
        templates: asRecords(model["tmpls"]).map((template) => ({
          question: asText(template["qfmt"]),
          answer: asText(template["afmt"]),
        })),
      },
    ]),
  );
}

const toDeckName = (name: string) => name.replaceAll("\u001f", "::");

const readOldDecks = (json: string) =>
  new Map(parseRecords(json).map((deck) => [String(deck["id"]), toDeckName(asText(deck["name"]))]));

const readNewDecks = (db: DatabaseSync) =>
  new Map(
    db
      .prepare("SELECT id, name FROM decks")
      .all()
      .map((row) => [String(row["id"]), toDeckName(asText(row["name"]))]),
  );

const asBytes = (value: unknown) => (value instanceof Uint8Array ? value : new Uint8Array());

function readNewTypes(db: DatabaseSync): Map<string, NoteType> {
  const types = new Map<string, NoteType>();
  for (const row of db.prepare("SELECT id, name, config FROM notetypes").all()) {
    const kind = readFields(asBytes(row["config"])).find(({ field }) => field === 1)?.value;
    types.set(String(row["id"]), { name: asText(row["name"]), isCloze: kind === 1, fields: [], templates: [] });
  }
  for (const row of db.prepare("SELECT ntid, ord, name FROM fields").all()) {
    const type = types.get(String(row["ntid"]));
    if (type) type.fields[asNumber(row["ord"])] = asText(row["name"]);
  }
  for (const row of db.prepare("SELECT ntid, ord, config FROM templates").all()) {
    const config = asBytes(row["config"]);
    const type = types.get(String(row["ntid"]));
    if (type)
      type.templates[asNumber(row["ord"])] = { question: readTextField(config, 1), answer: readTextField(config, 2) };
  }
  return types;
}
