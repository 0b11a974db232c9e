import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import { zipSync } from "fflate";
import type { AnkiMedia, OutgoingCard, OutgoingDeck, OutgoingPackage } from "./anki-messages.ts";
import { hash48, groupNotes } from "./anki-notes.ts";
import { LATEST_FORM } from "./anki-package.ts";
import { writeFields } from "./protobuf.ts";
import { type DeckRow, openTables } from "./anki-tables.ts";

const DAY_MS = 86_400_000;
/** Far enough back that no due day is negative. */
const EPOCH_OFFSET_DAYS = 3650;

const cardTypes = { learning: 1, review: 2, relearning: 3 } as const;

interface DeckContext {
  crt: number;
  mod: number;
  did: number;
  desiredRetention: number;
}

function buildCardState(
  { memory, isSuspended }: OutgoingCard,
  position: number,
  { crt, desiredRetention }: DeckContext,
) {
  if (!memory)
    return { type: 0, queue: isSuspended ? -1 : 0, due: position, ivl: 0, factor: 0, reps: 0, lapses: 0, data: "{}" };
  const type = cardTypes[memory.state];
  const isDay = type === 2 || memory.intervalDays > 0;
  const due = isDay ? Math.floor((memory.dueAt - crt * 1000) / DAY_MS) : Math.floor(memory.dueAt / 1000);
  const { stability: s, difficulty: d, reps, lapses } = memory;
  const lastAt = memory.lastReviewedAt === null ? {} : { lrt: Math.floor(memory.lastReviewedAt / 1000) };
  const data = { pos: position, s: Number(s.toFixed(4)), d: Number(d.toFixed(3)), dr: desiredRetention, ...lastAt };
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

/** A deck name as Anki stores it: no empty parts and no characters that Anki would remove. */
const toDeckName = (title: string): string =>
  title
    .normalize("NFC")
    .split("::")
    .map((part) => part.replaceAll(/[\p{Cc}"]+/gu, "").trim() || "blank")
    .join("::");

/** One row per deck name and per parent; decks with the same name are merged. */
function buildDeckRows(decks: readonly OutgoingDeck[]): { rows: DeckRow[]; getDeckId: (deck: OutgoingDeck) => number } {
  const rows = new Map<string, DeckRow>([["default", { id: 1, name: "Default", desiredRetention: 0.9 }]]);
  const taken = new Set([1]);
  for (const { title, createdAt, desiredRetention } of decks) {
    const parts = toDeckName(title).split("::");
    for (const level of parts.keys()) {
      const name = parts.slice(0, level + 1).join("::");
      const key = name.toLowerCase();
      if (rows.has(key)) continue;
      let id = 1_600_000_000_000 + (hash48(name + String(createdAt)) % 100_000_000_000);
      while (taken.has(id)) id += 1;
      taken.add(id);
      rows.set(key, { id, name, desiredRetention });
    }
  }
  const getDeckId = ({ title }: OutgoingDeck) => rows.get(toDeckName(title).toLowerCase())?.id ?? 1;
  return { rows: [...rows.values()], getDeckId };
}

const toTagName = (tag: string) => tag.replaceAll(/[\s\p{Cc}"]+/gu, "_");

/** Writes a package with schedules, reviews and media; calls `reportAlive` while it works. */
export function writePackage(outgoing: OutgoingPackage, reportAlive: () => void = () => {}): Uint8Array {
  const { now, kind, form, media } = outgoing;
  const collection = writeCollection(outgoing, reportAlive);
  reportAlive();
  if (form === "new") return packNew(collection, media, now);
  const names = Object.fromEntries(media.map(({ name }, index) => [String(index), name]));
  const files = Object.fromEntries(media.map(({ bytes: content }, index) => [String(index), content]));
  const list = { media: new TextEncoder().encode(JSON.stringify(names)), ...files };
  // `collection.anki21` is the old form with the second scheduler; the older `collection.anki2` only contains an
  // upgrade notice.
  const collections =
    kind === "colpkg"
      ? { "collection.anki21": collection, "collection.anki2": writeNotice(now) }
      : { "collection.anki2": collection };
  return zipSync({ ...collections, ...list }, { level: 6 });
}

const compress = (bytes: Uint8Array) => new Uint8Array(zstdCompressSync(bytes));

/**
 * Compresses the collection, each media file and the media list separately, and adds an upgrade notice for older
 * versions of Anki.
 */
function packNew(collection: Uint8Array, media: readonly AnkiMedia[], now: number): Uint8Array {
  const entries = media.map(({ name, bytes }): [1, Uint8Array] => {
    const sum = new Uint8Array(createHash("sha1").update(bytes).digest());
    return [1, writeFields([1, name], [2, bytes.length], [3, sum])];
  });
  const files = Object.fromEntries(media.map(({ bytes }, index) => [String(index), compress(bytes)]));
  return zipSync(
    {
      meta: writeFields([1, LATEST_FORM]),
      "collection.anki21b": compress(collection),
      "collection.anki2": writeNotice(now),
      ...files,
      media: compress(writeFields(...entries)),
    },
    { level: 0 },
  );
}

const NOTICE = "This package needs Anki 2.1.50 or later. Please update Anki, or save the deck for older versions.";

const writeNotice = (now: number) => {
  const empty = { tags: [], isSuspended: false, cloze: null, occlusion: null, reviews: [], memory: null };
  const card: OutgoingCard = { ...empty, key: "needs-newer-anki", question: NOTICE, answer: "", source: "" };
  const deck = { title: "Default", createdAt: now, desiredRetention: 0.9, cards: [card] };
  return writeCollection({ kind: "apkg", form: "old", now, decks: [deck], media: [] });
};

function writeCollection(outgoing: OutgoingPackage, reportAlive: () => void = () => {}): Uint8Array {
  const { now, decks } = outgoing;
  const crt = Math.floor(now / DAY_MS - EPOCH_OFFSET_DAYS) * 86_400;
  const { rows, getDeckId } = buildDeckRows(decks);
  const tags = new Set(decks.flatMap(({ cards }) => cards.flatMap((card) => card.tags.map(toTagName))));
  const tables = openTables({ ...outgoing, crt, decks: rows, tags });
  const writer = new NoteWriter(tables.db);
  tables.db.exec("BEGIN");
  for (const deck of decks) {
    const { desiredRetention } = deck;
    writer.write(deck, { crt, mod: Math.floor(now / 1000), did: getDeckId(deck), desiredRetention });
    reportAlive();
  }
  tables.db.exec("COMMIT");
  return tables.close();
}

/** Writes notes with their cards and reviews, each under a unique id. */
class NoteWriter {
  readonly #note;
  readonly #card;
  readonly #log;
  readonly #guids = new Set<string>();
  /** For each timestamp in use, the next one to try. */
  readonly #nextFreeMs = new Map<number, number>();
  #id = 0;
  #position = 0;

  constructor(db: DatabaseSync) {
    this.#note = db.prepare("INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')");
    this.#card = db.prepare("INSERT INTO cards VALUES (?, ?, ?, ?, ?, -1, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, ?)");
    this.#log = db.prepare("INSERT INTO revlog VALUES (?, ?, -1, ?, ?, ?, 0, ?, ?)");
  }

  write(deck: OutgoingDeck, deckContext: DeckContext): void {
    this.#id = Math.max(this.#id, deck.createdAt);
    for (const { guid, typeId, fields, cards } of groupNotes(deck.cards)) {
      const noteId = this.#nextId();
      const tags = [...new Set(cards.flatMap((entry) => entry.card.tags))].map(toTagName);
      const sort = fields[0]?.replaceAll(/<[^>]*>/g, "") ?? "";
      const sum = Number.parseInt(createHash("sha1").update(sort).digest("hex").slice(0, 8), 16);
      const tagText = tags.length === 0 ? "" : ` ${tags.join(" ")} `;
      const { mod } = deckContext;
      this.#note.run(noteId, this.#uniqueGuid(guid, deck), typeId, mod, tagText, fields.join("\u001f"), sort, sum);
      for (const { ord, card } of cards) this.#writeCard(card, noteId, ord, deckContext);
    }
  }

  #nextId(): number {
    this.#id += 1;
    return this.#id;
  }

  /** A copy of a card in another deck becomes a note of its own. */
  #uniqueGuid(guid: string, { title, createdAt }: OutgoingDeck): string {
    const unique = this.#guids.has(guid) ? `${guid}-${hash48(title + String(createdAt))}` : guid;
    this.#guids.add(unique);
    return unique;
  }

  #writeCard(card: OutgoingCard, noteId: number, ord: number, deckContext: DeckContext): void {
    this.#position += 1;
    const id = this.#nextId();
    const { type, queue, due, ivl, factor, reps, lapses, data } = buildCardState(card, this.#position, deckContext);
    this.#card.run(
      id,
      noteId,
      deckContext.did,
      ord,
      deckContext.mod,
      type,
      queue,
      due,
      ivl,
      factor,
      reps,
      lapses,
      data,
    );
    for (const review of card.reviews) {
      const time = Math.min(60_000, Math.round(review.durationMs));
      const at = this.#uniqueTimestamp(review.at);
      this.#log.run(at, id, review.grade, review.intervalDays, 0, time, review.isFirst ? 0 : 1);
    }
  }

  /**
   * Anki uses the millisecond of a review as its id, so a second review in the same millisecond is moved slightly
   * later.
   */
  #uniqueTimestamp(at: number): number {
    let unique = at;
    for (let next = this.#nextFreeMs.get(unique); next !== undefined; next = this.#nextFreeMs.get(unique))
      unique = next;
    this.#nextFreeMs.set(unique, unique + 1);
    this.#nextFreeMs.set(at, unique + 1);
    return unique;
  }
}
