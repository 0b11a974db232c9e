/** What visitors made with free tools, sets of cards and study plans, until an account takes them over; in the browser's local storage. */
export const PENDING_CARDS_KEY = "lamplight_pending_cards";

/** A set is removed after this time, because by then somebody else may use the browser. */
export const PENDING_CARDS_MS = 24 * 60 * 60 * 1000;

export const MAX_PENDING_SETS = 20;
export const MAX_PENDING_TITLE = 200;
/** As many characters as a side of a card in a deck may have. */
export const MAX_PENDING_SIDE = 20_000;
export const MAX_PENDING_QUOTE = 2000;
/** A longer passage is cut around its quote. */
export const MAX_PENDING_PASSAGE = 4000;

export interface PendingCard {
  question: string;
  answer: string;
  quote?: string | undefined;
  /** Position in the set's passages of the one that contains the quote. */
  passage?: number | undefined;
}

/** A line of a study plan, which becomes a block of its page. */
export interface PendingLine {
  kind: "heading" | "task" | "text";
  text: string;
}

export interface PendingCards {
  /** Id of the page to make: if two tabs take the set over, the cards are there once. */
  pageId: string;
  /** Epoch ms. */
  storedAt: number;
  /** The account that was signed in; undefined for a visitor. */
  accountId?: string | undefined;
  title: string;
  /** Name of the file or video that the cards were made from. */
  source?: string | undefined;
  passages: { text: string; page?: number | undefined }[];
  cards: PendingCard[];
  /** Of a study plan, which has no cards. */
  lines?: PendingLine[];
}

/** Cuts without splitting a surrogate pair. */
export const cutText = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/u, "");

/** The stored sets, not checked further; undefined if the text is not readable at all. */
export function parsePendingList(text: string): unknown[] | undefined {
  try {
    const stored: unknown = JSON.parse(text);
    if (Array.isArray(stored)) return stored;
    // Earlier versions stored one set without a list.
    return typeof stored === "object" && stored !== null ? [stored] : undefined;
  } catch {
    return undefined;
  }
}

export const hasPageId = (set: unknown, pageId: string): boolean =>
  typeof set === "object" && set !== null && "pageId" in set && set.pageId === pageId;

/** A set from far in the future, stored while the clock was wrong, counts as old too. */
export const isPendingExpired = (set: unknown, now: number): boolean =>
  typeof set === "object" &&
  set !== null &&
  "storedAt" in set &&
  typeof set.storedAt === "number" &&
  Math.abs(now - set.storedAt) > PENDING_CARDS_MS;
