import { DatabaseSync } from "node:sqlite";
import { ANKI_LEGACY_OPTIONS, ANKI_LEGACY_TABLE, ANKI_TABLES } from "#shared/flashcards/anki-tables.ts";
import {
  encodeFieldConfig,
  EXPORTED_NOTE_TYPES,
  encodeTemplateConfig,
  encodeTypeConfig,
  buildTypesJson,
  BASIC_ID,
} from "./anki-note-types.ts";
import { writeFields } from "./protobuf.ts";

/**
 * Names use the collation "unicase", which only Anki has; a placeholder of equal length is used until the file is
 * complete.
 */
const PLACEHOLDER_COLLATION = "COLLATE nocase ";
const ANKI_COLLATION = "COLLATE unicase";
const nameColumn = (column: string) => `${column} text not null ${PLACEHOLDER_COLLATION}`;

const NEW_TABLES = `
CREATE TABLE deck_config (id integer primary key not null, ${nameColumn("name")}, mtime_secs integer not null,
  usn integer not null, config blob not null);
CREATE TABLE config (KEY text not null primary key, usn integer not null, mtime_secs integer not null,
  val blob not null) without rowid;
CREATE TABLE fields (ntid integer not null, ord integer not null, ${nameColumn("name")}, config blob not null,
  primary key (ntid, ord)) without rowid;
CREATE UNIQUE INDEX idx_fields_name_ntid ON fields (name, ntid);
CREATE TABLE templates (ntid integer not null, ord integer not null, ${nameColumn("name")}, mtime_secs integer not null,
  usn integer not null, config blob not null, primary key (ntid, ord)) without rowid;
CREATE UNIQUE INDEX idx_templates_name_ntid ON templates (name, ntid);
CREATE INDEX idx_templates_usn ON templates (usn);
CREATE TABLE notetypes (id integer not null primary key, ${nameColumn("name")}, mtime_secs integer not null,
  usn integer not null, config blob not null);
CREATE UNIQUE INDEX idx_notetypes_name ON notetypes (name);
CREATE INDEX idx_notetypes_usn ON notetypes (usn);
CREATE TABLE decks (id integer primary key not null, ${nameColumn("name")}, mtime_secs integer not null,
  usn integer not null, common blob not null, kind blob not null);
CREATE INDEX idx_notes_mid ON notes (mid);
CREATE INDEX idx_cards_odid ON cards (odid) WHERE odid != 0;
CREATE TABLE tags (tag text not null primary key ${PLACEHOLDER_COLLATION}, usn integer not null, collapsed boolean not null,
  config blob null) without rowid;
CREATE TABLE graves (oid integer not null, type integer not null, usn integer not null,
  primary key (oid, type)) without rowid;
CREATE INDEX idx_graves_pending ON graves (usn);`;

export interface DeckRow {
  id: number;
  /** The full name, with "::" between parent and child decks. */
  name: string;
  desiredRetention: number;
}

export interface TableOptions {
  form: "old" | "new";
  kind: "apkg" | "colpkg";
  /** Epoch ms. */
  now: number;
  /** Epoch seconds; due dates count days from here. */
  crt: number;
  decks: readonly DeckRow[];
  tags: ReadonlySet<string>;
}

export interface OpenTables {
  db: DatabaseSync;
  /** Returns the database file. */
  close(): Uint8Array;
}

/** An in-memory collection with everything but notes, cards and reviews. */
export function openTables(options: TableOptions): OpenTables {
  const db = new DatabaseSync(":memory:");
  db.exec(ANKI_TABLES);
  const offsets = options.form === "new" ? initNew(db, options) : initOld(db, options);
  return {
    db,
    close() {
      const bytes = Buffer.from(db.serialize());
      db.close();
      for (const offset of offsets) bytes.write(ANKI_COLLATION, offset, "latin1");
      return new Uint8Array(bytes);
    },
  };
}

/** Collection settings; a package of decks leaves the importing user's settings unchanged. */
const buildSettings = ({ kind }: TableOptions): Record<string, unknown> => ({
  nextPos: 1,
  estTimes: true,
  activeDecks: [1],
  sortType: "noteFld",
  timeLim: 0,
  sortBackwards: false,
  addToCur: true,
  curDeck: 1,
  newSpread: 0,
  dueCounts: true,
  curModel: BASIC_ID,
  collapseTime: 1200,
  ...(kind === "colpkg" ? { schedVer: 2, sched2021: true, fsrs: true } : {}),
});

function initOld(db: DatabaseSync, options: TableOptions): number[] {
  db.exec(ANKI_LEGACY_TABLE);
  const { now, crt } = options;
  const decks = Object.fromEntries(options.decks.map((deck) => [deck.id, toOldDeck(deck, now)]));
  db.prepare("INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')").run(
    crt,
    now,
    now,
    JSON.stringify(buildSettings(options)),
    buildTypesJson(now),
    JSON.stringify(decks),
    JSON.stringify({ 1: ANKI_LEGACY_OPTIONS }),
  );
  return [];
}

const toOldDeck = ({ id, name: displayName }: DeckRow, now: number) => ({
  id,
  name: displayName,
  mod: Math.floor(now / 1000),
  usn: -1,
  lrnToday: [0, 0],
  revToday: [0, 0],
  newToday: [0, 0],
  timeToday: [0, 0],
  collapsed: false,
  browserCollapsed: false,
  desc: "",
  dyn: 0,
  conf: 1,
  extendNew: 0,
  extendRev: 0,
});

/** Returns the byte offsets of the placeholder collation in the file. */
function initNew(db: DatabaseSync, options: TableOptions): number[] {
  const { now, crt } = options;
  const seconds = Math.floor(now / 1000);
  db.exec(NEW_TABLES);
  // An index whose order differs from Anki's would be corrupt; without it, Anki still finds names.
  if (options.decks.every((deck) => sortsAlike(deck.name)))
    db.exec("CREATE UNIQUE INDEX idx_decks_name ON decks (name)");
  const offsets = findOffsets(Buffer.from(db.serialize()), PLACEHOLDER_COLLATION);
  db.prepare("INSERT INTO col VALUES (1, ?, ?, ?, 18, 0, 0, 0, '', '', '', '', '')").run(crt, now, now);
  const setting = db.prepare("INSERT INTO config VALUES (?, 0, 0, ?)");
  for (const [key, value] of Object.entries({ ...buildSettings(options), schedVer: 2, creationOffset: 0 }))
    setting.run(key, Buffer.from(JSON.stringify(value)));
  db.prepare("INSERT INTO deck_config VALUES (1, 'Default', 0, 0, ?)").run(encodeDeckOptions(options.decks));
  const deck = db.prepare("INSERT INTO decks VALUES (?, ?, ?, -1, ?, ?)");
  const normal = writeFields([1, writeFields([1, 1])]);
  for (const { id, name: displayName } of options.decks)
    deck.run(id, displayName.split("::").join("\u001f"), seconds, writeFields([1, 1], [2, 1]), normal);
  const tag = db.prepare("INSERT OR IGNORE INTO tags VALUES (?, -1, 0, NULL)");
  // Anki adds the other tags itself when it imports the notes or checks the database.
  for (const tagName of options.tags) if (sortsAlike(tagName)) tag.run(tagName);
  writeTypes(db, seconds);
  return offsets;
}

function writeTypes(db: DatabaseSync, seconds: number): void {
  const kind = db.prepare("INSERT INTO notetypes VALUES (?, ?, ?, -1, ?)");
  const field = db.prepare("INSERT INTO fields VALUES (?, ?, ?, ?)");
  const template = db.prepare("INSERT INTO templates VALUES (?, 0, ?, ?, -1, ?)");
  for (const noteType of EXPORTED_NOTE_TYPES) {
    kind.run(noteType.id, noteType.name, seconds, encodeTypeConfig(noteType));
    for (const [ord, displayName] of noteType.fields.entries())
      field.run(noteType.id, ord, displayName, encodeFieldConfig(noteType, ord));
    template.run(noteType.id, noteType.template.name, seconds, encodeTemplateConfig(noteType));
  }
}

/** Default deck options; Anki's message `DeckConfig.Config`. */
const encodeDeckOptions = (decks: readonly DeckRow[]) =>
  writeFields(
    [1, { floats: [1, 10] }],
    [2, { floats: [10] }],
    [9, 20],
    [10, 200],
    [11, { float: 2.5 }],
    [12, { float: 1.3 }],
    [13, { float: 1.2 }],
    [15, { float: 1 }],
    [16, 36_500],
    [17, 1],
    [18, 1],
    [19, 4],
    [21, 1],
    [22, 8],
    [24, 60],
    [37, { float: decks.at(-1)?.desiredRetention ?? 0.9 }],
    [40, { float: 0.9 }],
  );

/** Whether both collations sort the name alike: true if no non-ASCII letter changes with its case. */
function sortsAlike(displayName: string): boolean {
  const nonAscii = displayName.replaceAll(/\p{ASCII}+/gu, "");
  return nonAscii === nonAscii.toLowerCase() && nonAscii === nonAscii.toUpperCase().toLowerCase();
}

function findOffsets(file: Buffer, search: string): number[] {
  const offsets: number[] = [];
  for (let offset = file.indexOf(search); offset !== -1; offset = file.indexOf(search, offset + 1))
    offsets.push(offset);
  return offsets;
}
