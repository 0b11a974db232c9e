/** Cards that a visitor made with a free tool, between there and their account; in the browser's local storage. */
export const KEPT_CARDS_KEY = "lamplight_kept_cards";

export interface KeptCards {
  title: string;
  cards: { question: string; answer: string }[];
}
