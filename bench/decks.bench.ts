import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { handlers } from "#api/study/handlers.ts";
import { applyStudy } from "#api/study/service.ts";
import { assemble } from "#api/kit/assemble.ts";
import type { UserCtx } from "#api/kit/handler.ts";
import { makeLog } from "#api/kit/log.ts";
import { readSettings } from "#api/kit/settings.ts";
import { ownedBy } from "#api/kit/store/owned.ts";
import { appliers } from "#api/pages/service.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Review } from "#shared/study/schema.ts";
import { type Bench, median, type Row } from "./row.ts";

const DECKS = 4;
const CARDS = 12_500;
const ROUNDS = 7;
const DAY_MS = 86_400_000;
/** Days ago of a card's reviews, from which on: some 180,000 of them in all. */
const AGES = [150, 90, 40, 1];
const NOW = Date.UTC(2026, 8, 1, 12);

export const bench: Bench = {
  name: "decks",
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "lamplight-bench-"));
    const settings = readSettings({ NODE_ENV: "production", LOG_LEVEL: "silent", DATA_DIR: folder });
    const running = await assemble(settings, { clock: { now: () => NOW }, log: makeLog("silent") });
    const caller = { plan: { type: "ULTIMATE", endAt: null, paused: false, pausedUntil: null } };
    try {
      return await measure({
        ...running.deps,
        own: ownedBy(running.deps.store, "student"),
        caller,
      } as unknown as UserCtx);
    } finally {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

let seq = 0;
const envelope = (resourceId: string) => {
  seq += 1;
  return { id: `request-${String(seq).padStart(8, "0")}`, clientId: "bench", seq, resourceId, createdAt: NOW };
};

const aCard = (id: string): Flashcard => ({
  id,
  question: `What is said of ${id} in the chapter on genes and proteins?`,
  answer: `That ${id} is read in groups of three.`,
  questionImage: null,
  citation: null,
});

/** Nine of ten cards of each deck were studied, most of them are due. */
async function fill(ctx: UserCtx): Promise<string[]> {
  const decks = Array.from({ length: DECKS }, (_, at) => `deck-of-the-bench-${at}`);
  const data = { title: "Genes", emoji: null, parent: null, order: 0, isFlashcardPage: false, createdAt: NOW };
  await appliers.page_create(ctx, { ...envelope("page-of-the-bench"), type: "page_create", data });
  for (const deck of decks) {
    const cards = Array.from({ length: CARDS }, (_, at) => aCard(`${deck}-card-${at}`));
    const base = { _id: deck, pageId: "page-of-the-bench", createdAt: NOW, modifiedAt: NOW, createdBy: "", version: 1 };
    const content = { title: deck, cards, minimized: false };
    const component = { ...base, lastOpenedAt: null, type: "flash_cards" as const, content };
    const made = { component, parentId: base.pageId, parentType: "page" as const };
    await appliers.component_create(ctx, { ...envelope(deck), type: "component_create", data: made });
    const studied = cards.filter((_, at) => at % 10 > 0);
    const reviews = AGES.flatMap((age) => studied.map(({ id }, at) => reviewOf(id, deck, { at, age })));
    await applyStudy(
      ctx,
      reviews.map((review) => ({ type: "review_add", review })),
    );
  }
  return decks;
}

const reviewOf = (cardId: string, componentId: string, { at, age }: { at: number; age: number }): Review => ({
  _id: `review-of-${cardId}-${age}`,
  cardId,
  componentId,
  grade: at % 3 === 0 ? 3 : 4,
  reviewedAt: NOW - (age + (at % 20)) * DAY_MS,
  durationMs: 1000,
  mode: "study",
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function rounds(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(work));
  return median(times);
}

async function measure(ctx: UserCtx): Promise<Row[]> {
  const decks = await fill(ctx);
  const first = await timed(() => handlers.getDue(ctx, {}));
  const due = await rounds(() => handlers.getDue(ctx, {}));
  const deck = await rounds(() => handlers.getDeckSchedule(ctx, { componentId: decks[0] ?? "" }));
  const figures = await rounds(() => handlers.getStatistics(ctx, {}));
  return [
    { what: "statistics of 50,000 cards and 180,000 reviews", value: figures, unit: "ms", goal: "<= 250" },
    { what: "due queue over 50,000 cards, counted before", value: due, unit: "ms", goal: "<= 250" },
    { what: "due queue over 50,000 cards, all decks changed", value: first, unit: "ms", goal: "reported" },
    { what: "schedules of a deck of 12,500 cards", value: deck, unit: "ms", goal: "reported" },
  ];
}
