import { putAside } from "#shared/study/session-changes.ts";
import { store } from "#webapp/app/store.ts";
import type { Deck } from "./deck.ts";
import { studyDoor } from "./door.ts";
import { currentAtom } from "./view.ts";

/** Continues the session with the updated deck, and without the skipped card if one is given. */
export function goOnWithout(deck: Deck, cardId: string | null): void {
  const view = store.get(currentAtom);
  if (view.state !== "ready") return;
  const now = studyDoor().now();
  const session = cardId === null ? view.session : putAside(view.session, cardId, now);
  const isOther = session.current !== view.session.current;
  const shown = isOther ? { isRevealed: false, shownAt: now } : {};
  store.set(currentAtom, { ...view, deck, session, leechId: null, ...shown });
}

export function dismissLeech(): void {
  const view = store.get(currentAtom);
  if (view.state === "ready") store.set(currentAtom, { ...view, leechId: null });
}
