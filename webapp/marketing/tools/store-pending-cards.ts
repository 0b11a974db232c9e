import { ulid } from "ulid";
import { PENDING_CARDS_KEY, type PendingCards } from "#shared/marketing/pending-cards.ts";
import { screenPath } from "#shared/screens.ts";
import type { ToolCard } from "./tool-cards.ts";

/** Stores the cards for the app, then opens registration or the workspace. False if the browser cannot store them. */
export function storePendingCards(title: string, cards: readonly ToolCard[]): boolean {
  const pending: PendingCards = {
    pageId: ulid(),
    title,
    cards: cards.map(({ question, answer }) => ({ question, answer })),
  };
  try {
    localStorage.setItem(PENDING_CARDS_KEY, JSON.stringify(pending));
  } catch {
    return false;
  }
  const isSignedIn = document.documentElement.classList.contains("signed-in");
  location.assign(screenPath(isSignedIn ? "home" : "register", {}));
  return true;
}
