import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { parseCitation } from "#shared/citations.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { interchange } from "#shared/flashcards/interchange-contract.ts";
import { fileNameOf } from "#shared/flashcards/truncate-text.ts";
import type { Flashcard, Region } from "#shared/flashcards/schema.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { Review, Schedule } from "#shared/study/schema.ts";
import { inReviewOrder } from "#shared/study/rules.ts";
import { groupBy } from "#shared/pages/rules.ts";
import { findFile } from "#api/blobs/file-records.ts";
import type { FileAnswer, Handlers, UserCtx } from "#api/http/handler.ts";
import { UniqueNames } from "#api/http/zip-response.ts";
import type { AnkiMedia, OutgoingCard, OutgoingDeck } from "#api/documents/anki/anki-messages.ts";
import { writeAnki } from "#api/documents/anki/anki-reader.ts";
import { mediaReference } from "#api/documents/anki/card-markup.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { listDeckHeads } from "#api/pages/overview.ts";
import { readDeckStudy } from "#api/study/service.ts";

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
    const media = new MediaCollector(ctx);
    const decks = [await buildOutgoingDeck(own, deck, media)];
    const sent = { kind: "apkg", form, now: clock.now(), decks, media: media.files } as const;
    return toPackageAnswer(await writeAnki(sent, signal), `${fileNameOf(deck.content.title)}.apkg`);
  },

  async exportDecks(ctx, { form }) {
    const { own, clock, signal } = ctx;
    const media = new MediaCollector(ctx);
    const decks: OutgoingDeck[] = [];
    let cards = 0;
    // Anki would merge decks of the same name.
    const titles = new UniqueNames((title, count) => `${title} (${count})`);
    for (const { _id } of await listDeckHeads(own)) {
      const deck = await findComponent(own, _id);
      if (deck?.type !== "flash_cards" || signal.aborted) continue;
      cards += deck.content.cards.length;
      if (cards > MAX_CARDS) throw new Failure("too_large", "too_many_cards_to_export");
      const outgoing = await buildOutgoingDeck(own, deck, media);
      decks.push({ ...outgoing, title: titles.reserve(outgoing.title) });
    }
    if (decks.length === 0) throw new Failure("not_found", "no_decks_to_export");
    const sent = { kind: "colpkg", form, now: clock.now(), decks, media: media.files } as const;
    return toPackageAnswer(await writeAnki(sent, signal), "Lamplight.colpkg");
  },
};

function toPackageAnswer(content: Uint8Array, name: string): FileAnswer {
  const bytes = Buffer.from(content);
  return {
    type: "application/octet-stream",
    sizeBytes: bytes.length,
    open: (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
    disposition: { kind: "attachment", name },
  };
}

async function buildOutgoingDeck(own: Own, deck: FlashcardsComponent, media: MediaCollector): Promise<OutgoingDeck> {
  const { schedules, reviews, desiredRetention } = await readDeckStudy(own, deck._id);
  const { title, cards } = deck.content;
  const known = new Map(schedules.map((schedule) => [schedule.cardId, schedule]));
  const pastReviews = groupBy(reviews, (review) => review.cardId);
  const answersByRegion = collectRegionAnswers(cards);
  const outgoing: OutgoingCard[] = [];
  for (const card of cards)
    outgoing.push(
      await buildOutgoingCard(card, {
        schedule: known.get(card.id),
        reviews: pastReviews.get(card.id) ?? [],
        answersByRegion,
        media,
      }),
    );
  const createdAt = Math.floor(deck.createdAt) || 1;
  return { title: title.replaceAll(" / ", "::"), createdAt, desiredRetention, cards: outgoing };
}

/** Longer names and other characters are rejected or altered by some system that Anki runs on. */
const MAX_NAME_BYTES = 100;
const RESERVED_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Turns a name into one that Anki accepts unchanged. */
function toMediaName(name: string): string {
  const clean = name
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}._() -]+/gu, "_")
    .replace(RESERVED_NAME, (device) => `${device}_`)
    .trim();
  const [, stem = clean, ending = ""] = /^(.*?)(\.[A-Za-z0-9]{1,5})?$/s.exec(clean) ?? [];
  const characters = Array.from(stem);
  while (Buffer.byteLength(characters.join("") + ending) > MAX_NAME_BYTES) characters.pop();
  const short = characters.join("");
  return ending === "" ? short.replace(/[. ]+$/, "") : short + ending;
}

const FILE_PATH = /^\/v1\/files\/([^)\s]+)$/;

/** Collects the media files of cards, each once, under names that Anki accepts. */
class MediaCollector {
  readonly files: AnkiMedia[] = [];
  readonly #ctx: UserCtx;
  readonly #names = new Map<string, string | undefined>();
  #bytes = 0;

  constructor(ctx: UserCtx) {
    this.#ctx = ctx;
  }

  async addFile(fileId: string): Promise<string | undefined> {
    if (this.#names.has(fileId)) return this.#names.get(fileId);
    const name = await this.#readFile(fileId);
    this.#names.set(fileId, name);
    return name;
  }

  async #readFile(fileId: string): Promise<string | undefined> {
    const file = await findFile(this.#ctx.own, fileId);
    if (!file || this.#bytes + file.sizeBytes > MAX_MEDIA_BYTES) return undefined;
    this.#bytes += file.sizeBytes;
    const clean = toMediaName(file.name);
    const isTaken = this.files.some(({ name }) => name.toLowerCase() === clean.toLowerCase());
    const name = isTaken || clean === "" ? fileId : clean;
    this.files.push({ name, bytes: new Uint8Array(await buffer(await this.#ctx.blobs.open(file.blobKey))) });
    return name;
  }

  async addFileByUrl(url: string): Promise<string | undefined> {
    const fileId = FILE_PATH.exec(url)?.[1];
    return fileId === undefined ? undefined : this.addFile(fileId);
  }

  /** Replaces image links to our files by the names used in the package. */
  async withImages(text: string): Promise<string> {
    let withImages = text;
    for (const [whole, alt = "", fileId = ""] of text.matchAll(/!\[([^\]]*)\]\(\/v1\/files\/([^)\s]+)\)/g)) {
      const name = await this.addFile(fileId);
      withImages = withImages.replace(whole, () => (name === undefined ? "" : mediaReference(name, alt)));
    }
    return withImages;
  }
}

const imageMarkdown = (address: string | null | undefined) => (address ? `\n![](${address})` : "");

function quoteOf({ citation }: Flashcard): string {
  const quote = citation === null ? null : parseCitation(citation)?.quote;
  return quote ?? "";
}

interface CardContext {
  schedule: Schedule | undefined;
  reviews: readonly Review[];
  /** Answers by picture region, for the occlusion cards of the deck. */
  answersByRegion: ReadonlyMap<string, string>;
  media: MediaCollector;
}

async function buildOutgoingCard(
  card: Flashcard,
  { schedule, reviews: pastReviews, answersByRegion, media }: CardContext,
): Promise<OutgoingCard> {
  const text = card.kind === "cloze" && card.cloze ? await media.withImages(card.cloze.text) : null;
  const occlusion = await exportOcclusion(card, answersByRegion, media);
  const picture = occlusion ? "" : imageMarkdown(card.questionImage);
  return {
    key: card.id,
    question: await media.withImages(card.question + picture),
    answer: await media.withImages(card.answer + imageMarkdown(card.answerImage)),
    source: quoteOf(card),
    tags: card.tags ?? [],
    isSuspended: card.isSuspended ?? false,
    cloze: text !== null && card.cloze ? { text, index: card.cloze.index, group: card.groupId ?? card.id } : null,
    occlusion,
    reviews: toReviewLog(pastReviews),
    memory: toMemoryState(schedule),
  };
}

const regionKey = ({ id, groupId = id }: Flashcard, regionId: string) => `${groupId} ${regionId}`;

/** Maps each region of an occlusion picture to the current answer of its card. */
const collectRegionAnswers = (cards: readonly Flashcard[]): ReadonlyMap<string, string> =>
  new Map(
    cards.flatMap((card) =>
      card.occlusion ? [[regionKey(card, card.occlusion.regionId), card.answer + imageMarkdown(card.answerImage)]] : [],
    ),
  );

type OcclusionParts = NonNullable<OutgoingCard["occlusion"]>;

/** Exports an occlusion card as one if its picture is available; null means it is exported as a text question. */
async function exportOcclusion(
  card: Flashcard,
  answersByRegion: ReadonlyMap<string, string>,
  media: MediaCollector,
): Promise<OcclusionParts | null> {
  const { occlusion, groupId = card.id } = card;
  const image = occlusion && (await media.addFileByUrl(card.questionImage ?? ""));
  if (!occlusion || image === undefined) return null;
  const regions = numberRegions(card, occlusion.regions, answersByRegion);
  const number = regions.find(({ id }) => id === occlusion.regionId)?.number ?? 0;
  if (number === 0) return null;
  for (const region of regions) region.label = await media.withImages(region.label);
  return { image, regions, number, hidesAll: occlusion.hidesAll ?? false, group: groupId };
}

/** Anki creates a card for every number except 0, so regions of deleted cards get 0 and do not reappear. */
function numberRegions(card: Flashcard, regions: readonly Region[], answersByRegion: ReadonlyMap<string, string>) {
  const numbered = regions.map((region, index) => {
    const { id, x, y, w, h } = region;
    const answer = answersByRegion.get(regionKey(card, id));
    const number = originalNumberOf(card, id) ?? index + 1;
    return { id, x, y, w, h, label: answer ?? region.label, number, isTested: answer !== undefined };
  });
  const testedNumbers = new Set(numbered.flatMap(({ number, isTested }) => (isTested ? number : [])));
  return numbered.map(({ isTested: _isTested, ...part }) => ({
    ...part,
    number: testedNumbers.has(part.number) ? part.number : 0,
  }));
}

/** The number that a region had in the package it was imported from. */
function originalNumberOf(card: Flashcard, regionId: string): number | undefined {
  const [, number] = /^(\d{1,3})-\d+$/.exec(regionId) ?? [];
  return number !== undefined && card.id.startsWith("anki:") ? Number(number) : undefined;
}

function toReviewLog(pastReviews: readonly Review[]): OutgoingCard["reviews"] {
  const answers = inReviewOrder(pastReviews.filter((review) => !review.seed));
  return answers.map(({ reviewedAt: at, grade, durationMs }, position) => {
    const next = answers[position + 1]?.reviewedAt ?? at;
    return { at, grade, durationMs, intervalDays: Math.round((next - at) / DAY_MS), isFirst: position === 0 };
  });
}

function toMemoryState(schedule: Schedule | undefined): OutgoingCard["memory"] {
  if (!schedule || schedule.state === "new") return null;
  const { state, dueAt, stability, difficulty, reps, lapses, lastReviewedAt } = schedule;
  const intervalDays = Math.max(0, Math.round((dueAt - (lastReviewedAt ?? dueAt)) / DAY_MS));
  return { state, dueAt, intervalDays, reps, lapses, factor: 0, stability, difficulty, lastReviewedAt };
}
