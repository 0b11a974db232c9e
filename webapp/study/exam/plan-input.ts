import type { ExamCard, ExamPlanInput } from "#shared/study/exam/plan.ts";
import { studiableCardIds, studyDayOf } from "#shared/study/today.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { findDeck, type Deck } from "#shared/study/deck/deck.ts";
import { getStudyPort } from "../study-port.ts";
import { loadDeck, type LoadedDeck } from "../load-deck.ts";
import { getDeckStudyParams } from "../scheduling-params.ts";

/** Input of a plan, without the exam itself. */
export type PlanInput = Omit<ExamPlanInput, "examAt" | "minutesPerDay">;

export function toExamCards(deck: Deck, { schedules }: Pick<LoadedDeck, "schedules">, now: number): ExamCard[] {
  const scheduleByCard = new Map(schedules.map((schedule) => [schedule.cardId, schedule]));
  const { componentId } = deck;
  return studiableCardIds(deck, now).map((cardId) => ({ cardId, componentId, schedule: scheduleByCard.get(cardId) }));
}

export function toPlanInput(cards: readonly ExamCard[], { terms, allowance }: LoadedDeck, now: number): PlanInput {
  const { startsAt } = studyDayOf(now, allowance);
  return { cards, startsAt, now, params: getDeckStudyParams(terms), secondsPerReview: terms.secondsPerReview };
}

/** The plan input of several decks, from the server or this device; undefined without decks. */
export async function loadPlanInput(
  decks: readonly Pick<DueDeck, "pageId" | "componentId">[],
): Promise<PlanInput | undefined> {
  const now = getStudyPort().now();
  const loaded = await Promise.all(
    decks.map(async (deck) => {
      const loadedDeck = await loadDeck(deck, getStudyPort());
      return { loadedDeck, deck: findDeck(loadedDeck.state, deck.componentId) };
    }),
  );
  const [first] = loaded;
  if (!first) return undefined;
  const cards = loaded.flatMap(({ loadedDeck, deck }) => (deck ? toExamCards(deck, loadedDeck, now) : []));
  return toPlanInput(cards, first.loadedDeck, now);
}
