import { ulid } from "ulid";
import {
  cutText,
  hasPageId,
  isPendingExpired,
  MAX_PENDING_PASSAGE,
  MAX_PENDING_QUOTE,
  MAX_PENDING_SETS,
  MAX_PENDING_SIDE,
  MAX_PENDING_TITLE,
  parsePendingList,
  PENDING_CARDS_KEY,
  type PendingCards,
  type PendingLine,
} from "#shared/marketing/pending-cards.ts";
import { SESSION_CACHE_KEY } from "#shared/user/session-cache.ts";
import type { ToolCard } from "../tool-cards.ts";
import type { CardSet } from "./card-set.ts";

/** The account that this browser is signed in with. The page itself knows only whether there is one. */
function readAccountId(): string | undefined {
  if (!document.documentElement.classList.contains("signed-in")) return undefined;
  try {
    const cached = JSON.parse(localStorage.getItem(SESSION_CACHE_KEY) ?? "null") as { user?: { _id?: unknown } } | null;
    const id = cached?.user?._id;
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Cuts a long passage so that the quote stays in it. */
function cutPassage(passage: string, quote: string): string {
  if (!passage.includes(quote)) return quote;
  if (passage.length <= MAX_PENDING_PASSAGE) return passage;
  const spare = MAX_PENDING_PASSAGE - quote.length;
  const start = Math.max(0, passage.indexOf(quote) - Math.floor(spare / 2));
  return cutText(passage.slice(start).replace(/^[\uDC00-\uDFFF]/u, ""), MAX_PENDING_PASSAGE);
}

/** Adds a card's passage, unless another card has it, and returns its position. */
function addPassage(passages: PendingCards["passages"], { quote = "", passage = quote, page }: ToolCard): number {
  const text = cutPassage(passage, cutText(quote, MAX_PENDING_QUOTE));
  const known = passages.findIndex((other) => other.text === text && other.page === page);
  return known === -1 ? passages.push({ text, page }) - 1 : known;
}

function toPending({ title, source, cards }: CardSet, pageId: string): PendingCards {
  const passages: PendingCards["passages"] = [];
  const toCard = (card: ToolCard) => ({
    question: cutText(card.question, MAX_PENDING_SIDE),
    answer: cutText(card.answer, MAX_PENDING_SIDE),
    ...(card.quote === undefined
      ? {}
      : { quote: cutText(card.quote, MAX_PENDING_QUOTE), passage: addPassage(passages, card) }),
  });
  return {
    pageId,
    storedAt: Date.now(),
    accountId: readAccountId(),
    title: cutText(title, MAX_PENDING_TITLE),
    source: source === "" ? undefined : cutText(source, MAX_PENDING_TITLE),
    cards: cards.map(toCard),
    passages,
  };
}

/** The stored sets that are not too old. The others are removed with the next change. */
const listStored = (): unknown[] =>
  (parsePendingList(localStorage.getItem(PENDING_CARDS_KEY) ?? "") ?? []).filter(
    (set) => !isPendingExpired(set, Date.now()),
  );

/** Adds a set, or replaces the one with the same page. False if the browser cannot store it. */
function storeSet(set: PendingCards): boolean {
  try {
    const others = listStored().filter((other) => !hasPageId(other, set.pageId));
    if (others.length >= MAX_PENDING_SETS) return false;
    localStorage.setItem(PENDING_CARDS_KEY, JSON.stringify([...others, set]));
    return true;
  } catch {
    return false;
  }
}

/** Whether the set with this page is still waiting for the app. */
function isWaiting(pageId: string): boolean {
  try {
    return listStored().some((set) => hasPageId(set, pageId));
  } catch {
    return false;
  }
}

/**
 * Stores the cards for the app beside those of other tools, and returns the id of their page. A set that is still
 * waiting there is replaced. Undefined if the browser cannot store them.
 */
export function storePendingCards(set: CardSet): string | undefined {
  // After the app took the set over, its page exists, and the cards go to another one.
  const pageId = set.pageId !== undefined && isWaiting(set.pageId) ? set.pageId : ulid();
  return storeSet(toPending(set, pageId)) ? pageId : undefined;
}

/** What two versions of one plan have in common: the account, the name, and the days of the exams, which are headings. */
const planKey = ({ accountId, title, lines = [] }: Omit<PendingCards, "pageId">) =>
  JSON.stringify([accountId, title, ...lines.filter(({ kind }) => kind === "heading").map(({ text }) => text)]);

/** The page of an earlier version of this study plan that is still waiting for the app. */
function findWaitingPlan(plan: Omit<PendingCards, "pageId">): string | undefined {
  try {
    const plans = (listStored() as PendingCards[]).filter(({ lines }) => lines !== undefined);
    return plans.find((other) => planKey(other) === planKey(plan))?.pageId;
  } catch {
    return undefined;
  }
}

/**
 * Stores a study plan for the app, in place of an earlier version of it. False if the browser cannot store it.
 */
export function storePendingPlan(name: string, lines: readonly PendingLine[]): boolean {
  const plan = {
    storedAt: Date.now(),
    accountId: readAccountId(),
    title: cutText(name, MAX_PENDING_TITLE),
    passages: [],
    cards: [],
    lines: lines.map(({ kind, text }) => ({ kind, text: cutText(text, MAX_PENDING_PASSAGE) })),
  };
  return storeSet({ pageId: findWaitingPlan(plan) ?? ulid(), ...plan });
}

/** Removes sets that nobody took over in time. */
export function removeExpiredCards(): void {
  try {
    const text = localStorage.getItem(PENDING_CARDS_KEY);
    const stored = text === null ? undefined : parsePendingList(text);
    if (!stored?.some((set) => isPendingExpired(set, Date.now()))) return;
    const rest = listStored();
    if (rest.length === 0) localStorage.removeItem(PENDING_CARDS_KEY);
    else localStorage.setItem(PENDING_CARDS_KEY, JSON.stringify(rest));
  } catch {
    // The browser blocks storage.
  }
}
