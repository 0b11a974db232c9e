import { zipSync } from "fflate";
// Vite's `?url` import provides the default export.
// oxlint-disable-next-line import/default
import wasmAddress from "sql.js/dist/sql-wasm.wasm?url";
import initSqlJs from "sql.js/dist/sql-wasm-browser.js";
import { ANKI_LEGACY_OPTIONS, ANKI_LEGACY_TABLE, ANKI_TABLES } from "#shared/flashcards/anki-tables.ts";
import type { ToolCard } from "../tool-cards.ts";
import { startOfSha1 } from "./sha1.ts";

/** The schema that every version of Anki since 2.0 can read. */
const SCHEMA_VERSION = 11;

/** The id of the note type, which the app's exports use too, so that imports do not create a second note type. */
const TYPE_ID = 1_700_000_000_001;
const FIELDS = ["Front", "Back", "Source"];
const SOURCE = "{{#Source}}<br><small>{{Source}}</small>{{/Source}}";
const CSS = ".card { font-family: arial; font-size: 20px; text-align: center; color: black; background-color: white; }";

const field = (name: string, ord: number) => ({
  name,
  ord,
  sticky: false,
  rtl: false,
  font: "Arial",
  size: 20,
  media: [],
});

const noteType = (mod: number) => ({
  id: TYPE_ID,
  name: "Lamplight",
  type: 0,
  mod,
  usn: -1,
  sortf: 0,
  did: 1,
  css: CSS,
  latexPre: "\\documentclass[12pt]{article}\\begin{document}",
  latexPost: "\\end{document}",
  tags: [],
  vers: [],
  flds: FIELDS.map(field),
  tmpls: [
    {
      name: "Card 1",
      ord: 0,
      qfmt: "{{Front}}",
      afmt: `{{FrontSide}}<hr id=answer>{{Back}}${SOURCE}`,
      did: null,
      bqfmt: "",
      bafmt: "",
    },
  ],
  req: [[0, "any", [0]]],
});

const deck = (id: number, name: string, mod: number) => ({
  id,
  name,
  mod,
  usn: -1,
  desc: "",
  dyn: 0,
  conf: 1,
  extendNew: 0,
  extendRev: 0,
  lrnToday: [0, 0],
  revToday: [0, 0],
  newToday: [0, 0],
  timeToday: [0, 0],
  collapsed: false,
  browserCollapsed: false,
});

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(/\r?\n/g, "<br>");

const sourceOf = ({ quote, page }: ToolCard) =>
  quote === undefined ? "" : escape(`“${quote}”${page === undefined ? "" : ` (p. ${page})`}`);

/** Writes the cards as an Anki package in the page, so that nothing is sent to a server. */
export async function writeAnkiPackage(title: string, cards: readonly ToolCard[]): Promise<Uint8Array<ArrayBuffer>> {
  const sql = await initSqlJs({ locateFile: () => wasmAddress });
  const db = new sql.Database();
  const now = Date.now();
  const mod = Math.floor(now / 1000);
  const deckId = now;
  const name = title.replaceAll("::", ":").replaceAll(/[\p{Cc}"]+/gu, "");
  db.exec(ANKI_TABLES + ANKI_LEGACY_TABLE);
  const settings = {
    nextPos: 1,
    activeDecks: [1],
    curDeck: 1,
    sortType: "noteFld",
    curModel: TYPE_ID,
    collapseTime: 1200,
  };
  const decks = { 1: deck(1, "Default", mod), [deckId]: deck(deckId, name, mod) };
  const col = [settings, { [TYPE_ID]: noteType(mod) }, decks, { 1: ANKI_LEGACY_OPTIONS }].map((part) =>
    JSON.stringify(part),
  );
  db.run("INSERT INTO col VALUES (1, ?, ?, ?, ?, 0, 0, 0, ?, ?, ?, ?, '{}')", [mod, now, now, SCHEMA_VERSION, ...col]);
  for (const [index, card] of cards.entries()) {
    const front = escape(card.question);
    const noteId = now + 2 * index + 1;
    const fields = [front, escape(card.answer), sourceOf(card)].join("\u001f");
    const guid = `lamplight-${noteId.toString(36)}`;
    db.run("INSERT INTO notes VALUES (?, ?, ?, ?, -1, '', ?, ?, ?, 0, '')", [
      noteId,
      guid,
      TYPE_ID,
      mod,
      fields,
      front,
      // Anki finds duplicates by this number.
      startOfSha1(front.replaceAll(/<[^>]*>/g, "")),
    ]);
    db.run("INSERT INTO cards VALUES (?, ?, ?, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')", [
      noteId + 1,
      noteId,
      deckId,
      mod,
      index + 1,
    ]);
  }
  const collection = db.export();
  db.close();
  const media = new TextEncoder().encode("{}");
  return new Uint8Array(zipSync({ "collection.anki2": collection, media }));
}
