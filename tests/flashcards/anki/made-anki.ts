import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import { zipSync } from "fflate";

interface NoteParts {
  fields: string[];
  tags: string;
  card: { type?: number; queue?: number; due?: number; ivl?: number; factor?: number; reps?: number; lapses?: number };
  reviews: { at: number; ease: number }[];
}

export const aNote = (parts: Partial<NoteParts>): NoteParts => ({
  fields: ["question?", "answer!"],
  tags: "",
  card: {},
  reviews: [],
  ...parts,
});

const newCard = { type: 0, queue: 0, due: 0, ivl: 0, factor: 0, reps: 0, lapses: 0 };

interface CollectionParts {
  notes: NoteParts[];
  crt?: number;
  template?: { question: string; answer: string };
  /** Replaces the table of notes by a hostile one: endless rows, computed text, or a virtual table of a module. */
  trick?: keyof typeof TRICKS;
}

const TRICKS = {
  endless: `CREATE VIEW notes AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
    SELECT id, 'g' AS guid, 7 AS mid, 'a' AS flds, '' AS tags FROM n`,
  made_up: `CREATE TABLE notes (id integer primary key, guid text, mid integer, tags text,
    flds text AS (hex(zeroblob(400000000)))); INSERT INTO notes (id, guid, mid, tags) SELECT id, guid, mid, tags FROM old`,
  virtual: `CREATE VIRTUAL TABLE notes USING fts5(guid, mid, flds, tags);
    INSERT INTO notes (rowid, guid, mid, flds, tags) SELECT id, guid, mid, flds, tags FROM old`,
} as const;

/** A collection as Anki 2.0 wrote it, as bytes. */
export function aCollection({ notes, crt = 1_700_000_000, template, trick }: CollectionParts): Uint8Array {
  const db = new DatabaseSync(":memory:");
  db.exec(`
    CREATE TABLE col (id integer primary key, crt integer, ver integer, models text, decks text);
    CREATE TABLE notes (id integer primary key, guid text, mid integer, flds text, tags text);
    CREATE TABLE cards (id integer primary key, nid integer, did integer, ord integer, mod integer, type integer,
      queue integer, due integer, ivl integer, factor integer, reps integer, lapses integer, odue integer, odid integer, data text);
    CREATE TABLE revlog (id integer primary key, cid integer, ease integer, time integer, type integer);`);
  const tmpls = [
    { qfmt: template?.question ?? "{{Front}}", afmt: template?.answer ?? "{{FrontSide}}<hr id=answer>{{Back}}" },
  ];
  const model = { id: 7, name: "Basic", type: 0, flds: [{ name: "Front" }, { name: "Back" }], tmpls };
  const decks = { 1: { id: 1, name: "Default" }, 9: { id: 9, name: "Biology::Cells" } };
  db.prepare("INSERT INTO col VALUES (1, ?, 11, ?, ?)").run(crt, JSON.stringify({ 7: model }), JSON.stringify(decks));
  const note = db.prepare("INSERT INTO notes VALUES (?, ?, 7, ?, ?)");
  const card = db.prepare("INSERT INTO cards VALUES (?, ?, 9, 0, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, '')");
  const log = db.prepare("INSERT INTO revlog VALUES (?, ?, ?, 1500, 1)");
  db.exec("BEGIN");
  for (const [at, { fields, tags, card: own, reviews }] of notes.entries()) {
    note.run(at + 1, `guid-${at}`, fields.join("\u001f"), ` ${tags} `);
    const { type, queue, due, ivl, factor, reps, lapses } = { ...newCard, due: at, ...own };
    card.run(at + 1, at + 1, crt, type, queue, due, ivl, factor, reps, lapses);
    for (const review of reviews) log.run(review.at, at + 1, review.ease);
  }
  db.exec("COMMIT");
  if (trick) db.exec(`ALTER TABLE notes RENAME TO old; ${TRICKS[trick]}`);
  const bytes = db.serialize();
  db.close();
  return bytes;
}

/** A package with a collection and named media. */
export function aPackage(collection: Uint8Array, media: Record<string, Uint8Array> = {}): Uint8Array {
  const names = Object.fromEntries(Object.keys(media).map((name, at) => [String(at), name]));
  const files = Object.fromEntries(Object.values(media).map((bytes, at) => [String(at), bytes]));
  const list = new TextEncoder().encode(JSON.stringify(names));
  return zipSync({ "collection.anki2": collection, media: list, ...files });
}

/** One field of a protobuf message that contains bytes. */
function bytesField(field: number, bytes: Uint8Array): number[] {
  const length: number[] = [];
  for (let rest = bytes.length; ; rest = Math.floor(rest / 128)) {
    length.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) break;
  }
  return [field * 8 + 2, ...length, ...bytes];
}

const packed = (bytes: Uint8Array) => new Uint8Array(zstdCompressSync(bytes));

/** A package in the format of Anki 2.1.50 and later, which compresses the collection, each file and the media list. */
export function aNewPackage(collection: Uint8Array, media: Record<string, Uint8Array> = {}): Uint8Array {
  const names = Object.keys(media).flatMap((name) =>
    bytesField(1, Uint8Array.from(bytesField(1, new TextEncoder().encode(name)))),
  );
  const files = Object.fromEntries(Object.values(media).map((bytes, at) => [String(at), packed(bytes)]));
  const list = packed(Uint8Array.from(names));
  return zipSync({ "collection.anki21b": packed(collection), media: list, ...files }, { level: 0 });
}
