import { dueAtom, loadDue } from "../due.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import type { Deck } from "../deck.ts";
import { studyDoor } from "../door.ts";
import type { Loaded } from "../loading.ts";
import type { DeckPlan } from "../view.ts";
import { cardsOf, preparationOf, prepareDecks } from "./exam-cards.ts";
import { daysUntil } from "./days-until.ts";
import { planAside } from "./planner.ts";

/** Today's part of the exam plan for one deck; decks of the same exam share its minutes. */
export async function planDeck(deck: Deck, loaded: Loaded): Promise<DeckPlan | null> {
  const { examAt, minutesPerDay, examId } = loaded.terms.settings;
  if (examAt === null || minutesPerDay === null) return null;
  const now = studyDoor().now();
  const own = cardsOf(deck, loaded, now);
  const others = examId === null ? [] : await cardsBeside(deck.componentId, examId);
  const question = { ...preparationOf([...own, ...others], loaded, now), examAt, minutesPerDay };
  const plan = await planAside(question);
  if (plan.state !== "planned") return null;
  const today = plan.today.flatMap(({ cardId, componentId }) => (componentId === deck.componentId ? cardId : []));
  return { today, daysLeft: daysUntil(examAt, now), recall: plan.recall };
}

/** The cards of the exam's other decks. A deck that cannot be read is left out, and its minutes go to the others. */
async function cardsBeside(componentId: string, examId: string) {
  if (store.get(dueAtom).state !== "ready") await loadDue();
  const due = store.get(dueAtom);
  if (due.state !== "ready") return [];
  const others = due.decks.filter((deck) => deck.examId === examId && deck.componentId !== componentId);
  try {
    return (await prepareDecks(others))?.cards ?? [];
  } catch (error) {
    logTrouble("Could not read another deck of the exam", error);
    return [];
  }
}
