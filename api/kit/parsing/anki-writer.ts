import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { zipSync } from "fflate";
import type { OutgoingCard, OutgoingDeck } from "./anki-messages.ts";

const DAY_MS = 86_400_000;
/** Day 0 lies so far back that no due date is below zero. */
const DAYS_BACK = 3650;
const BASIC_ID = 1_700_000_000_001;
const CLOZE_ID = 1_700_000_000_002;

const TABLES = `
CREATE TABLE col (id integer primary key, crt integer not null, mod integer not null, scm integer not null,
  ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null,
  models text not null, decks text not null, dconf text not null, tags text not null);
CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null, mod integer not null,
  usn integer not null, tags text not null, flds text not null, sfld integer not null, csum integer not null,
  flags integer not null, data text not null);
CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null, ord integer not null,
  mod integer not null, usn integer not null, type integer not null, queue integer not null, due integer not null,
  ivl integer not null, factor integer not null, reps integer not null, lapses integer not null, left integer not null,
  odue integer not null, odid integer not null, flags integer not null, data text not null);
CREATE TABLE revlog (id integer primary key, cid integer not null, usn integer not null, ease integer not null,
  ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null, type integer not null);
CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_cid ON revlog (cid);
CREATE INDEX ix_notes_csum ON notes (csum);`;

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

const model = (id: number, now: number, more: Record<string, unknown>) => ({
  id,
  type: 0,
  mod: Math.floor(now / 1000),
  usn: -1,
  sortf: 0,
  did: 1,
  css: CSS,
  latexPre: "\\documentclass[12pt]{article}\\begin{document}",
  latexPost: "\\end{document}",
  tags: [],
  vers: [],
  ...more,
});

const template = (name: string, qfmt: string, afmt: string) => ({
  name,
  ord: 0,
  qfmt,
  afmt,
  did: null,
  bqfmt: "",
  bafmt: "",
});

const SOURCE = "{{#Source}}<br><small>{{Source}}</small>{{/Source}}";

const models = (now: number) => ({
  [BASIC_ID]: model(BASIC_ID, now, {
    name: "Lamplight",
    flds: ["Front", "Back", "Source"].map(field),
    tmpls: [template("Card 1", "{{Front}}", `{{FrontSide}}<hr id=answer>{{Back}}${SOURCE}`)],
    req: [[0, "any", [0]]],
  }),
  [CLOZE_ID]: model(CLOZE_ID, now, {
    name: "Lamplight cloze",
    type: 1,
    flds: ["Text", "Extra", "Source"].map(field),
    tmpls: [template("Cloze", "{{cloze:Text}}", `{{cloze:Text}}<br>{{Extra}}${SOURCE}`)],
  }),
});

const deckRow = (id: number, name: string, now: number) => ({
  id,
  name,
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

const hash48 = (text: string) => Number.parseInt(createHash("sha1").update(text).digest("hex").slice(0, 11), 16);

/** Words of a card as markup: our signs for pictures and formulae become Anki's. */
export function toMarkup(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/!\[([^\]]*)\]\(anki:([^)\s]+)\)/g, (_, alt: string, name: string) => {
      const file = decodeURIComponent(name);
      return alt === "sound" ? `[sound:${file}]` : `<img src="${file.replaceAll('"', "&quot;")}">`;
    })
    .replaceAll(/\$\$([^$]+)\$\$/g, (_, tex: string) => `\\[${tex}\\]`)
    .replaceAll(/\$([^$\n]+)\$/g, (_, tex: string) => `\\(${tex}\\)`)
    .replaceAll("\n", "<br>");
}

interface Note {
  guid: string;
  isCloze: boolean;
  fields: string[];
  cards: { ord: number; card: OutgoingCard }[];
}

/** Cards of one text are one note; a card that came from a package goes out under its own name. */
function notesOf(cards: readonly OutgoingCard[]): Note[] {
  const notes = new Map<string, Note>();
  for (const card of cards) {
    const [, ord = "0", ...names] = card.key.startsWith("anki:") ? card.key.split(":") : ["", "0", card.key];
    const name = names.join(":");
    if (card.cloze) {
      const named = card.key.startsWith("anki:") ? name : card.cloze.group;
      // A note whose fields each had gaps came as several texts: each goes out as a note of its own.
      const held = notes.get(`cloze ${named}`);
      const other = held !== undefined && held.fields[0] !== toMarkup(card.cloze.text);
      const guid = other ? `${named}-${hash48(card.cloze.text)}` : named;
      const fields = [toMarkup(card.cloze.text), "", toMarkup(card.source)];
      const note = notes.get(`cloze ${guid}`) ?? { guid, isCloze: true, fields, cards: [] };
      note.cards.push({ ord: card.cloze.index - 1, card });
      notes.set(`cloze ${guid}`, note);
    } else {
      // A second side of the same note becomes a note of its own, as our type has one card.
      const own = ord === "0" ? name : `${name}-${ord}`;
      const fields = [toMarkup(card.question), toMarkup(card.answer), toMarkup(card.source)];
      notes.set(`pair ${own}`, { guid: own, isCloze: false, fields, cards: [{ ord: 0, card }] });
    }
  }
  return [...notes.values()];
}

const cardTypes = { learning: 1, review: 2, relearning: 3 } as const;

function stateOf(
  { memory, isSuspended }: OutgoingCard,
  position: number,
  { deck, crt }: { deck: OutgoingDeck; crt: number },
) {
  if (!memory)
    return { type: 0, queue: isSuspended ? -1 : 0, due: position, ivl: 0, factor: 0, reps: 0, lapses: 0, data: "{}" };
  const type = cardTypes[memory.state];
  const isDay = type === 2 || memory.intervalDays > 0;
  const due = isDay ? Math.floor((memory.dueAt - crt * 1000) / DAY_MS) : Math.floor(memory.dueAt / 1000);
  const { stability: s, difficulty: d, reps, lapses } = memory;
  const data = { pos: position, s: Number(s.toFixed(4)), d: Number(d.toFixed(3)), dr: deck.desiredRetention };
  const queue = isSuspended ? -1 : isDay && type !== 2 ? 3 : type === 2 ? 2 : 1;
  return {
    type,
    queue,
    due,
    ivl: Math.max(type === 2 ? 1 : 0, Math.round(memory.intervalDays)),
    factor: memory.factor > 0 ? Math.round(memory.factor * 1000) : 2500,
    reps,
    lapses,
    data: JSON.stringify(data),
  };
}

/** A package in the form that every version of Anki reads, with schedules, reviews and media. */
export function writePackage(deck: OutgoingDeck): Uint8Array {
  const db = new DatabaseSync(":memory:");
  db.exec(TABLES);
  const crt = Math.floor(deck.now / DAY_MS - DAYS_BACK) * 86_400;
  const mod = Math.floor(deck.now / 1000);
  const did = 1_600_000_000_000 + (hash48(deck.title + String(deck.createdAt)) % 100_000_000_000);
  const decks = { 1: deckRow(1, "Default", deck.now), [did]: deckRow(did, deck.title, deck.now) };
  const conf = { nextPos: 1, estTimes: true, activeDecks: [1], sortType: "noteFld", timeLim: 0, sortBackwards: false };
  const all = {
    ...conf,
    addToCur: true,
    curDeck: 1,
    newBury: true,
    newSpread: 0,
    dueCounts: true,
    curModel: BASIC_ID,
    collapseTime: 1200,
  };
  const options = {
    id: 1,
    name: "Default",
    mod: 0,
    usn: 0,
    maxTaken: 60,
    autoplay: true,
    timer: 0,
    replayq: true,
    dyn: false,
  };
  const fresh = {
    delays: [1, 10],
    ints: [1, 4, 7],
    initialFactor: 2500,
    order: 1,
    perDay: 20,
    bury: false,
    separate: true,
  };
  const rev = { perDay: 200, ease4: 1.3, fuzz: 0.05, minSpace: 1, ivlFct: 1, maxIvl: 36_500, bury: false };
  const lapse = { delays: [10], mult: 0, minInt: 1, leechFails: 8, leechAction: 0 };
  const dconf = { 1: { ...options, new: fresh, rev, lapse } };
  db.prepare("INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')").run(
    crt,
    deck.now,
    deck.now,
    JSON.stringify(all),
    JSON.stringify(models(deck.now)),
    JSON.stringify(decks),
    JSON.stringify(dconf),
  );
  writeNotes(db, deck, { crt, mod, did });
  const bytes = db.serialize();
  db.close();
  const names = Object.fromEntries(deck.media.map(({ name }, at) => [String(at), name]));
  const files = Object.fromEntries(deck.media.map(({ bytes: content }, at) => [String(at), content]));
  return zipSync(
    { "collection.anki2": bytes, media: new TextEncoder().encode(JSON.stringify(names)), ...files },
    { level: 6 },
  );
}

function writeNotes(
  db: DatabaseSync,
  deck: OutgoingDeck,
  { crt, mod, did }: { crt: number; mod: number; did: number },
) {
  const note = db.prepare("INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')");
  const card = db.prepare("INSERT INTO cards VALUES (?, ?, ?, ?, ?, -1, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, ?)");
  const log = db.prepare("INSERT OR IGNORE INTO revlog VALUES (?, ?, -1, ?, ?, ?, 0, ?, ?)");
  let id = deck.createdAt;
  let position = 0;
  db.exec("BEGIN");
  for (const { guid, isCloze, fields, cards } of notesOf(deck.cards)) {
    id += 1;
    const noteId = id;
    const tags = [...new Set(cards.flatMap((one) => one.card.tags))].map((tag) => tag.replaceAll(/\s+/g, "_"));
    const sort = fields[0]?.replaceAll(/<[^>]*>/g, "") ?? "";
    const sum = Number.parseInt(createHash("sha1").update(sort).digest("hex").slice(0, 8), 16);
    const tagText = tags.length === 0 ? "" : ` ${tags.join(" ")} `;
    note.run(noteId, guid, isCloze ? CLOZE_ID : BASIC_ID, mod, tagText, fields.join("\u001f"), sort, sum);
    for (const { ord, card: own } of cards) {
      id += 1;
      position += 1;
      const { type, queue, due, ivl, factor, reps, lapses, data } = stateOf(own, position, { deck, crt });
      card.run(id, noteId, did, ord, mod, type, queue, due, ivl, factor, reps, lapses, data);
      for (const review of own.reviews) {
        const time = Math.min(60_000, Math.round(review.durationMs));
        log.run(review.at, id, review.grade, review.intervalDays, 0, time, review.isFirst ? 0 : 1);
      }
    }
  }
  db.exec("COMMIT");
}
