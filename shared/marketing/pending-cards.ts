/** Cards that a visitor made with a free tool, between there and their account; in the browser's local storage. */
export const PENDING_CARDS_KEY = "lamplight_pending_cards";

export interface PendingCards {
  /** Id of the page to make: taken twice, the cards are still there once. */
  pageId: string;
  title: string;
  cards: { question: string; answer: string }[];
}
