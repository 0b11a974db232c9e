import { applyStudy } from "#api/study/service.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { pageTable } from "#api/pages/sync/page-table.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { Review } from "#shared/study/schema.ts";

const DECKS = 4;
const CARDS = 12_500;
const DAY_MS = 86_400_000;
/** Start of each round of reviews, in days ago; about 180,000 reviews in total. */
const REVIEW_AGES_DAYS = [150, 90, 40, 1];
export const BIG_PAGE = "page-of-the-bench";

let seq = 0;
const envelope = (resourceId: string, now: number) => {
  seq += 1;
  return { id: `request-${String(seq).padStart(8, "0")}`, clientId: "bench", seq, resourceId, createdAt: now };
};

const aCard = (id: string): Flashcard => ({
  id,
  question: `What is said of ${id} in the chapter on genes and proteins?`,
  answer: `That ${id} is read in groups of three.`,
  questionImage: null,
  citation: null,
});

const buildReview = (
  cardId: string,
  componentId: string,
  { at, reviewedAt }: { at: number; reviewedAt: number },
): Review => ({
  _id: `review-of-${cardId}-${reviewedAt}`,
  cardId,
  componentId,
  grade: at % 3 === 0 ? 3 : 4,
  reviewedAt,
  durationMs: 1000,
  mode: "study",
});

/** Long enough ago that most cards are due again. */
export const OVERDUE_AGES_DAYS = [400, 392, 380, 340];

/**
 * Creates 50,000 cards in four decks, nine in ten of them reviewed four times at the given ages; returns the deck ids.
 */
export async function fillBigAccount(
  ctx: UserCtx,
  now: number,
  ages: readonly number[] = REVIEW_AGES_DAYS,
): Promise<string[]> {
  const decks = Array.from({ length: DECKS }, (_, at) => `deck-of-the-bench-${at}`);
  const data = { title: "Genes", emoji: null, parent: null, order: 0, isFlashcardPage: false, createdAt: now };
  await pageTable.page_create.apply(ctx, { ...envelope(BIG_PAGE, now), type: "page_create", data });
  for (const deck of decks) {
    const cards = Array.from({ length: CARDS }, (_, at) => aCard(`${deck}-card-${at}`));
    const base = { _id: deck, pageId: BIG_PAGE, createdAt: now, modifiedAt: now, createdBy: "", version: 1 };
    const content = { title: deck, cards, minimized: false };
    const component = { ...base, lastOpenedAt: null, type: "flash_cards" as const, content };
    const input = { component, parentId: BIG_PAGE, parentType: "page" as const };
    await pageTable.component_create.apply(ctx, { ...envelope(deck, now), type: "component_create", data: input });
    const studied = cards.filter((_, at) => at % 10 > 0);
    const reviews = ages.flatMap((age) =>
      studied.map(({ id }, at) => buildReview(id, deck, { at, reviewedAt: now - (age + (at % 20)) * DAY_MS })),
    );
    await applyStudy(
      ctx,
      reviews.map((review) => ({ type: "review_add", review })),
    );
  }
  return decks;
}
