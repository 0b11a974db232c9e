import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { parseCitation } from "#shared/citations.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { interchange } from "#shared/flashcards/interchange-contract.ts";
import { fileNameOf } from "#shared/flashcards/cut-text.ts";
import type { Flashcard, Region } from "#shared/flashcards/schema.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { Review, Schedule } from "#shared/study/schema.ts";
import { inOrder } from "#shared/study/rules.ts";
import { groupBy } from "#shared/pages/rules.ts";
import { findFile } from "#api/blobs/file-records.ts";
import type { FileAnswer, Handlers, UserCtx } from "#api/http/handler.ts";
import type { AnkiMedia, OutgoingCard, OutgoingDeck } from "#api/documents/anki/anki-messages.ts";
import { writeAnki } from "#api/documents/anki/anki-reader.ts";
import { mediaMark } from "#api/documents/anki/anki-text.ts";
import type { Own } from "#api/store/owned.ts";
import { findComponent, listDeckHeads } from "#api/pages/service.ts";
import { readStudyOf } from "#api/study/service.ts";

const MAX_MEDIA_BYTES = 200 * 1024 * 1024;
/** The import accepts no more than this in one package. */
const MAX_CARDS = 50_000;
const DAY_MS = 86_400_000;

type FlashcardsComponent = Extract<Component, { type: "flash_cards" }>;
type ExportHandlers = Pick<Handlers<typeof interchange>, "exportDeck" | "exportDecks">;

export const exportHandlers: ExportHandlers = {
  async exportDeck(ctx, { componentId, form }) {
    const { own, clock, signal } = ctx;
    const deck = await findComponent(own, componentId);
    if (deck?.type !== "flash_cards") throw new Failure("not_found", "no_deck");
    const media = new MediaBag(ctx);
    const decks = [await outgoingDeck(own, deck, media)];
    const sent = { kind: "apkg", form, now: clock.now(), decks, media: media.files } as const;
    return packed(await writeAnki(sent, signal), `${fileNameOf(deck.content.title)}.apkg`);
  },

  async exportDecks(ctx, { form }) {
    const { own, clock, signal } = ctx;
    const media = new MediaBag(ctx);
    const decks: OutgoingDeck[] = [];
    let cards = 0;
    const names = new Map<string, number>();
    for (const { _id } of await listDeckHeads(own)) {
      const deck = await findComponent(own, _id);
      if (deck?.type !== "flash_cards" || signal.aborted) continue;
      cards += deck.content.cards.length;
      if (cards > MAX_CARDS) throw new Failure("too_large", "too_many_cards_to_export");
      const outgoing = await outgoingDeck(own, deck, media);
      const known = (names.get(outgoing.title) ?? 0) + 1;
      names.set(outgoing.title, known);
      // Anki would merge decks of the same name.
      decks.push(known === 1 ? outgoing : { ...outgoing, title: `${outgoing.title} (${known})` });
    }
    if (decks.length === 0) throw new Failure("not_found", "no_decks_to_export");
    const sent = { kind: "colpkg", form, now: clock.now(), decks, media: media.files } as const;
    return packed(await writeAnki(sent, signal), "Lamplight.colpkg");
  },
};

function packed(content: Uint8Array, name: string): FileAnswer {
  const bytes = Buffer.from(content);
  return {
    type: "application/octet-stream",
    sizeBytes: bytes.length,
    open: (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
    disposition: { kind: "attachment", name },
  };
}

async function outgoingDeck(own: Own, deck: FlashcardsComponent, media: MediaBag): Promise<OutgoingDeck> {
  const { schedules, reviews, desiredRetention } = await readStudyOf(own, deck._id);
  const { title, cards } = deck.content;
  const known = new Map(schedules.map((schedule) => [schedule.cardId, schedule]));
  const given = groupBy(reviews, (review) => review.cardId);
  const told = partsTold(cards);
  const outgoing: OutgoingCard[] = [];
  for (const card of cards)
    outgoing.push(
      await outgoingOf(card, { schedule: known.get(card.id), given: given.get(card.id) ?? [], told, media }),
    );
  const createdAt = Math.floor(deck.createdAt) || 1;
  return { title: title.replaceAll(" / ", "::"), createdAt, desiredRetention, cards: outgoing };
}

/** Longer names and other characters are rejected or altered by some system that Anki runs on. */
const MAX_NAME_BYTES = 100;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Turns a name into one that Anki accepts unchanged. */
function mediaName(name: string): string {
  const clean = name
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}._() -]+/gu, "_")
    .replace(DEVICE, (device) => `${device}_`)
    .trim();
  const [, stem = clean, ending = ""] = /^(.*?)(\.[A-Za-z0-9]{1,5})?$/s.exec(clean) ?? [];
  const signs = Array.from(stem);
  while (Buffer.byteLength(signs.join("") + ending) > MAX_NAME_BYTES) signs.pop();
  const short = signs.join("");
  return ending === "" ? short.replace(/[. ]+$/, "") : short + ending;
}

const FILE = /^\/v1\/files\/([^)\s]+)$/;

/** Collects the media files of cards, each once, under names that Anki accepts. */
class MediaBag {
  readonly files: AnkiMedia[] = [];
  readonly #ctx: UserCtx;
  readonly #names = new Map<string, string | undefined>();
  #bytes = 0;

  constructor(ctx: UserCtx) {
    this.#ctx = ctx;
  }

  async nameOf(fileId: string): Promise<string | undefined> {
    if (this.#names.has(fileId)) return this.#names.get(fileId);
    const name = await this.#take(fileId);
    this.#names.set(fileId, name);
    return name;
  }

  async #take(fileId: string): Promise<string | undefined> {
    const file = await findFile(this.#ctx.own, fileId);
    if (!file || this.#bytes + file.sizeBytes > MAX_MEDIA_BYTES) return undefined;
    this.#bytes += file.sizeBytes;
    const clean = mediaName(file.name);
    const isTaken = this.files.some(({ name }) => name.toLowerCase() === clean.toLowerCase());
    const name = isTaken || clean === "" ? fileId : clean;
    this.files.push({ name, bytes: new Uint8Array(await buffer(await this.#ctx.blobs.open(file.blobKey))) });
    return name;
  }

  async nameAt(address: string): Promise<string | undefined> {
    const fileId = FILE.exec(address)?.[1];
    return fileId === undefined ? undefined : this.nameOf(fileId);
  }

  /** Replaces image links to our files by the names used in the package. */
  async marked(text: string): Promise<string> {
    let marked = text;
    for (const [whole, alt = "", fileId = ""] of text.matchAll(/!\[([^\]]*)\]\(\/v1\/files\/([^)\s]+)\)/g)) {
      const name = await this.nameOf(fileId);
      marked = marked.replace(whole, () => (name === undefined ? "" : mediaMark(name, alt)));
    }
    return marked;
  }
}

const imageMark = (address: string | null | undefined) => (address ? `\n![](${address})` : "");

function sourceOf({ citation }: Flashcard): string {
  const quote = citation === null ? null : parseCitation(citation)?.quote;
  return quote ?? "";
}

interface KnownOfCard {
  schedule: Schedule | undefined;
  given: readonly Review[];
  /** Answers by picture region, for the occlusion cards of the deck. */
  told: ReadonlyMap<string, string>;
  media: MediaBag;
}

async function outgoingOf(card: Flashcard, { schedule, given, told, media }: KnownOfCard): Promise<OutgoingCard> {
  const text = card.kind === "cloze" && card.cloze ? await media.marked(card.cloze.text) : null;
  const occlusion = await hiddenParts(card, told, media);
  const picture = occlusion ? "" : imageMark(card.questionImage);
  return {
    key: card.id,
    question: await media.marked(card.question + picture),
    answer: await media.marked(card.answer + imageMark(card.answerImage)),
    source: sourceOf(card),
    tags: card.tags ?? [],
    isSuspended: card.isSuspended ?? false,
    cloze: text !== null && card.cloze ? { text, index: card.cloze.index, group: card.groupId ?? card.id } : null,
    occlusion,
    reviews: logOf(given),
    memory: memoryOf(schedule),
  };
}

const partName = ({ id, groupId = id }: Flashcard, regionId: string) => `${groupId} ${regionId}`;

/** Maps each region of an occlusion picture to the current answer of its card. */
const partsTold = (cards: readonly Flashcard[]): ReadonlyMap<string, string> =>
  new Map(
    cards.flatMap((card) =>
      card.occlusion ? [[partName(card, card.occlusion.regionId), card.answer + imageMark(card.answerImage)]] : [],
    ),
  );

type HiddenParts = NonNullable<OutgoingCard["occlusion"]>;

/** Exports an occlusion card as one if its picture is available; null means it is exported as a text question. */
async function hiddenParts(
  card: Flashcard,
  told: ReadonlyMap<string, string>,
  media: MediaBag,
): Promise<HiddenParts | null> {
  const { occlusion, groupId = card.id } = card;
  const image = occlusion && (await media.nameAt(card.questionImage ?? ""));
  if (!occlusion || image === undefined) return null;
  const regions = numbered(card, occlusion.regions, told);
  const number = regions.find(({ id }) => id === occlusion.regionId)?.number ?? 0;
  if (number === 0) return null;
  for (const region of regions) region.label = await media.marked(region.label);
  return { image, regions, number, hidesAll: occlusion.hidesAll ?? false, group: groupId };
}

/** Anki creates a card for every number except 0: regions of deleted cards get 0 so that they do not reappear. */
function numbered(card: Flashcard, regions: readonly Region[], told: ReadonlyMap<string, string>) {
  const own = regions.map((region, at) => {
    const { id, x, y, w, h } = region;
    const answer = told.get(partName(card, id));
    const number = numberOf(card, id) ?? at + 1;
    return { id, x, y, w, h, label: answer ?? region.label, number, isAsked: answer !== undefined };
  });
  const asked = new Set(own.flatMap(({ number, isAsked }) => (isAsked ? number : [])));
  return own.map(({ isAsked: _isAsked, ...part }) => ({ ...part, number: asked.has(part.number) ? part.number : 0 }));
}

/** The number that a region had in the package it was imported from. */
function numberOf(card: Flashcard, regionId: string): number | undefined {
  const [, number] = /^(\d{1,3})-\d+$/.exec(regionId) ?? [];
  return number !== undefined && card.id.startsWith("anki:") ? Number(number) : undefined;
}

function logOf(given: readonly Review[]): OutgoingCard["reviews"] {
  const answers = inOrder(given.filter((review) => !review.seed));
  return answers.map(({ reviewedAt: at, grade, durationMs }, place) => {
    const next = answers[place + 1]?.reviewedAt ?? at;
    return { at, grade, durationMs, intervalDays: Math.round((next - at) / DAY_MS), isFirst: place === 0 };
  });
}

function memoryOf(schedule: Schedule | undefined): OutgoingCard["memory"] {
  if (!schedule || schedule.state === "new") return null;
  const { state, dueAt, stability, difficulty, reps, lapses, lastReviewedAt } = schedule;
  const intervalDays = Math.max(0, Math.round((dueAt - (lastReviewedAt ?? dueAt)) / DAY_MS));
  return { state, dueAt, intervalDays, reps, lapses, factor: 0, stability, difficulty, lastReviewedAt };
}
