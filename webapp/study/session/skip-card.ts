import { removeCard } from "#shared/study/session-changes.ts";
import { store } from "#webapp/app/store.ts";
import type { Deck } from "../deck.ts";
import { getStudyPort } from "../study-port.ts";
import { studyStateAtom } from "./view.ts";

/** Continues the session with the updated deck, and without the skipped card if one is given. */
export function continueWithout(deck: Deck, cardId: string | null): void {
  const view = store.get(studyStateAtom);
  if (view.state !== "ready") return;
  const now = getStudyPort().now();
  const session = cardId === null ? view.session : removeCard(view.session, cardId, now);
  const hasChangedCard = session.current !== view.session.current;
  const cardReset = hasChangedCard ? { isRevealed: false, shownAt: now } : {};
  store.set(studyStateAtom, { ...view, deck, session, leechId: null, ...cardReset });
}

export function dismissLeech(): void {
  const view = store.get(studyStateAtom);
  if (view.state === "ready") store.set(studyStateAtom, { ...view, leechId: null });
}
