import type { ExamCard, ExamQuestion } from "#shared/study/exam-plan.ts";
import { askedIds, dayOf } from "#shared/study/today.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { fetchCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import { client } from "#webapp/app/client.ts";
import { deckOf, type Deck } from "../deck.ts";
import { studyDoor } from "../door.ts";
import { loadDeck, type Loaded } from "../loading.ts";
import { paramsOf } from "../terms.ts";

/** Input of a plan, without the exam itself. */
export type Preparation = Omit<ExamQuestion, "examAt" | "minutesPerDay">;

export function cardsOf(deck: Deck, { schedules }: Pick<Loaded, "schedules">, now: number): ExamCard[] {
  const known = new Map(schedules.map((schedule) => [schedule.cardId, schedule]));
  const { componentId } = deck;
  return askedIds(deck, now).map((cardId) => ({ cardId, componentId, schedule: known.get(cardId) }));
}

export function preparationOf(cards: readonly ExamCard[], { terms, allowance }: Loaded, now: number): Preparation {
  const { startsAt } = dayOf(now, allowance);
  return { cards, startsAt, now, params: paramsOf(terms), secondsPerReview: terms.secondsPerReview };
}

export function loadOf({ pageId, componentId }: Pick<DueDeck, "pageId" | "componentId">): Promise<Loaded> {
  const fetchSchedules = () => client.study.getDeckSchedule({ componentId });
  const fetchFavourites = () => fetchCardFavourites(componentId);
  return loadDeck({ pageId, componentId, fetchSchedules, fetchFavourites }, studyDoor());
}

/** The cards of several decks, from the server or this device; undefined if there are none. */
export async function prepareDecks(
  decks: readonly Pick<DueDeck, "pageId" | "componentId">[],
): Promise<Preparation | undefined> {
  const now = studyDoor().now();
  const loaded = await Promise.all(
    decks.map(async (deck) => {
      const found = await loadOf(deck);
      return { found, deck: deckOf(found.state, deck.componentId) };
    }),
  );
  const [first] = loaded;
  if (!first) return undefined;
  const cards = loaded.flatMap(({ found, deck }) => (deck ? cardsOf(deck, found, now) : []));
  return preparationOf(cards, first.found, now);
}
