import type { DeckContent, Flashcard } from "#shared/flashcards/schema.ts";
import { fingerprint, mergeOrder } from "./rules.ts";

/** The common base of two versions of a deck, as far as it is known. Keys are card ids, `TITLE` and `MINIMIZED`. */
export interface MergeBase {
  hasKey(key: string): boolean;
  hasValue(key: string, value: unknown): boolean;
}

const TITLE = "#title";
const MINIMIZED = "#minimized";

export interface MergedDeck {
  content: DeckContent;
  /** Whether both changed the same card or field. Then `mine` is shown, and `theirs` belongs in the history. */
  conflict: boolean;
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Three-way merge of two decks, card by card. Changes of only one side are applied; an edit wins over a removal. */
export function mergeDecks(base: MergeBase, mine: DeckContent, theirs: DeckContent): MergedDeck {
  let conflict = false;
  const choose = <T>(key: string, my: T, their: T): T => {
    if (isSame(my, their) || base.hasValue(key, my)) return their;
    if (!base.hasValue(key, their)) conflict = true;
    return my;
  };
  const myCards = new Map(mine.cards.map((card) => [card.id, card]));
  const theirCards = new Map(theirs.cards.map((card) => [card.id, card]));
  const merged = (id: string): Flashcard | undefined => {
    const my = myCards.get(id);
    const their = theirCards.get(id);
    if (my && their) return choose(id, my, their);
    const only = my ?? their;
    return only && base.hasKey(id) && base.hasValue(id, only) ? undefined : only;
  };
  const order = mergeOrder([...theirCards.keys()], [...myCards.keys()]);
  const content: DeckContent = {
    title: choose(TITLE, mine.title, theirs.title),
    minimized: choose(MINIMIZED, mine.minimized, theirs.minimized),
    cards: order.map(merged).filter((card) => card !== undefined),
  };
  return { content, conflict };
}

const entriesOf = (deck: DeckContent): [string, unknown][] => [
  [TITLE, deck.title],
  [MINIMIZED, deck.minimized],
  ...deck.cards.map((card): [string, unknown] => [card.id, card]),
];

/** The base as a complete deck. */
export function completeBase(deck: DeckContent): MergeBase {
  const values = new Map(entriesOf(deck));
  return { hasKey: (key) => values.has(key), hasValue: (key, value) => isSame(values.get(key), value) };
}

/** For each key the last versions at which it changed, with a fingerprint of its value; "" if it was removed. */
export type DeckLog = [key: string, changes: [version: number, fingerprint: string][]][];

const MAX_CHANGES = 8;
/**
 * Removed cards are logged so that an offline device does not bring them back. Only the most recently removed cards are
 * logged. A device that was offline for longer may bring others back, but nothing is lost.
 */
const MAX_REMOVED = 2000;
const hashValue = (value: unknown) => fingerprint(JSON.stringify(value));

/** Logs the changes of a deck's `version`, so that updates based on any version can be merged without its content. */
export function logDeck(log: DeckLog, deck: DeckContent, version: number): DeckLog {
  const hashes = new Map(entriesOf(deck).map(([key, value]) => [key, hashValue(value)]));
  const updated = log.map(([key, changes]): DeckLog[number] => {
    const valueHash = hashes.get(key) ?? "";
    hashes.delete(key);
    return changes.at(-1)?.[1] === valueHash
      ? [key, changes]
      : [key, [...changes, [version, valueHash]].slice(-MAX_CHANGES) as DeckLog[number][1]];
  });
  return dropOldestRemovals([
    ...updated,
    ...[...hashes].map(([key, valueHash]): DeckLog[number] => [key, [[version, valueHash]]]),
  ]);
}

const isRemoved = ([, changes]: DeckLog[number]) => changes.at(-1)?.[1] === "";
const changedAt = ([, changes]: DeckLog[number]) => changes.at(-1)?.[0] ?? 0;

function dropOldestRemovals(log: DeckLog): DeckLog {
  const removed = log.filter(isRemoved);
  if (removed.length <= MAX_REMOVED) return log;
  const latest = new Set(removed.toSorted((a, b) => changedAt(b) - changedAt(a)).slice(0, MAX_REMOVED));
  return log.filter((entry) => !isRemoved(entry) || latest.has(entry));
}

/**
 * The base of the logged deck at `version`. A key whose changes were dropped counts as changed, so its card is kept.
 */
export function loggedBase(log: DeckLog, version: number | undefined): MergeBase {
  const changes = new Map(log);
  const hashAt = (key: string): string | undefined => {
    const known = changes.get(key) ?? [];
    const valueHash = known.findLast(([at]) => version !== undefined && at <= version)?.[1];
    return valueHash ?? (known.length === MAX_CHANGES && version !== undefined ? "forgotten" : undefined);
  };
  return {
    hasKey: (key) => (hashAt(key) ?? "") !== "",
    hasValue: (key, value) => hashAt(key) === hashValue(value),
  };
}
