import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { parseCitation } from "#shared/citations.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { interchange } from "#shared/flashcards/interchange-contract.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Review, Schedule } from "#shared/study/schema.ts";
import { inOrder } from "#shared/study/rules.ts";
import { groupBy } from "#shared/pages/rules.ts";
import { findFile } from "#api/kit/blobs/file-records.ts";
import type { Handlers, UserCtx } from "#api/kit/handler.ts";
import type { AnkiMedia, OutgoingCard } from "#api/kit/parsing/anki-messages.ts";
import { writeAnki } from "#api/kit/parsing/anki-reader.ts";
import { findComponent } from "#api/pages/service.ts";
import { readStudyOf } from "#api/study/service.ts";

const MAX_MEDIA_BYTES = 200 * 1024 * 1024;
const DAY_MS = 86_400_000;

type ExportHandlers = Pick<Handlers<typeof interchange>, "exportDeck">;

export const exportHandlers: ExportHandlers = {
  async exportDeck(ctx, { componentId }) {
    const { own, clock, signal } = ctx;
    const deck = await findComponent(own, componentId);
    if (deck?.type !== "flash_cards") throw new Failure("not_found", "There is no such deck.");
    const { schedules, reviews, desiredRetention } = await readStudyOf(own, componentId);
    const { title, cards } = deck.content;
    const media = new MediaBag(ctx);
    const known = new Map(schedules.map((schedule) => [schedule.cardId, schedule]));
    const given = groupBy(reviews, (review) => review.cardId);
    const outgoing: OutgoingCard[] = [];
    for (const card of cards)
      outgoing.push(await outgoingOf(card, known.get(card.id), given.get(card.id) ?? [], media));
    const name = title.replaceAll(" / ", "::");
    const times = { createdAt: Math.floor(deck.createdAt) || 1, now: clock.now() };
    const sent = { title: name, ...times, desiredRetention, cards: outgoing, media: media.files };
    const bytes = Buffer.from(await writeAnki(sent, signal));
    return {
      type: "application/octet-stream",
      sizeBytes: bytes.length,
      open: (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
      disposition: { kind: "attachment", name: `${title.replaceAll(/[\\/:*?"<>|]+/g, " ").slice(0, 120)}.apkg` },
    };
  },
};

/** The files that cards show, each once, under a name that Anki takes. */
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
    const clean = file.name.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, "_").slice(-80);
    const isTaken = this.files.some(({ name }) => name === clean);
    const name = isTaken || clean === "" ? fileId : clean;
    this.files.push({ name, bytes: new Uint8Array(await buffer(await this.#ctx.blobs.open(file.blobKey))) });
    return name;
  }

  /** A text with the pictures of this place named as the package names them. */
  async marked(text: string): Promise<string> {
    let marked = text;
    for (const [whole, alt = "", fileId = ""] of text.matchAll(/!\[([^\]]*)\]\(\/v1\/files\/([^)\s]+)\)/g)) {
      const name = await this.nameOf(fileId);
      marked = marked.replace(whole, () => (name === undefined ? "" : `![${alt}](anki:${encodeURIComponent(name)})`));
    }
    return marked;
  }
}

const imageMark = (address: string | null | undefined) => (address ? `\n![](${address})` : "");

function sourceOf({ citation }: Flashcard): string {
  const quote = citation === null ? null : parseCitation(citation)?.quote;
  return quote ?? "";
}

async function outgoingOf(
  card: Flashcard,
  schedule: Schedule | undefined,
  given: readonly Review[],
  media: MediaBag,
): Promise<OutgoingCard> {
  const text = card.kind === "cloze" && card.cloze ? await media.marked(card.cloze.text) : null;
  return {
    key: card.id,
    question: await media.marked(card.question + imageMark(card.questionImage)),
    answer: await media.marked(card.answer + imageMark(card.answerImage)),
    source: sourceOf(card),
    tags: card.tags ?? [],
    isSuspended: card.isSuspended ?? false,
    cloze: text !== null && card.cloze ? { text, index: card.cloze.index, group: card.groupId ?? card.id } : null,
    reviews: logOf(given),
    memory: memoryOf(schedule),
  };
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
