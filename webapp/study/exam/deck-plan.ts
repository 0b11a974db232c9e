import { dueAtom, loadDue } from "../due.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import type { Deck } from "#shared/study/deck/deck.ts";
import { getStudyPort } from "../study-port.ts";
import type { LoadedDeck } from "../load-deck.ts";
import type { DeckExamPlan } from "../session/study-view.ts";
import { toExamCards, toPlanInput, loadPlanInput } from "./plan-input.ts";
import { daysUntil } from "./days-until.ts";
import { planInWorker } from "./plan-in-worker.ts";

/** Today's part of the exam plan for one deck; decks of the same exam share its minutes. */
export async function planDeck(deck: Deck, loaded: LoadedDeck): Promise<DeckExamPlan | null> {
  const { examAt, minutesPerDay, examId } = loaded.terms.settings;
  if (examAt === null || minutesPerDay === null) return null;
  const now = getStudyPort().now();
  const ownCards = toExamCards(deck, loaded, now);
  const otherCards = examId === null ? [] : await loadOtherDecksCards(deck.componentId, examId);
  const planInput = { ...toPlanInput([...ownCards, ...otherCards], loaded, now), examAt, minutesPerDay };
  const plan = await planInWorker(planInput);
  if (plan.state !== "planned") return null;
  const today = plan.today.flatMap(({ cardId, componentId }) => (componentId === deck.componentId ? cardId : []));
  return { today, daysLeft: daysUntil(examAt, now), recall: plan.recall };
}

/** The cards of the exam's other decks. A deck that cannot be read is left out, and its minutes go to the others. */
async function loadOtherDecksCards(componentId: string, examId: string) {
  if (store.get(dueAtom).state !== "ready") await loadDue();
  const due = store.get(dueAtom);
  if (due.state !== "ready") return [];
  const otherDecks = due.decks.filter((deck) => deck.examId === examId && deck.componentId !== componentId);
  try {
    return (await loadPlanInput(otherDecks))?.cards ?? [];
  } catch (error) {
    logWarning("Could not read another deck of the exam", error);
    return [];
  }
}
