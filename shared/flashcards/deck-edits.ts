import type { Flashcard } from "./schema.ts";

const normalised = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Cards with the same question and picture; each group starts with the card to keep, the one with the longest answer. */
export function findDuplicates(cards: readonly Flashcard[]): Flashcard[][] {
  const groups = new Map<string, Flashcard[]>();
  for (const card of cards) {
    const question = normalised(card.question);
    if (question === "") continue;
    const { kind = "qa", questionImage, cloze, occlusion } = card;
    const key = [question, kind, questionImage ?? "", cloze?.index ?? "", occlusion?.regionId ?? ""].join("\n");
    const sameCards = groups.get(key);
    if (sameCards) sameCards.push(card);
    else groups.set(key, [card]);
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => group.toSorted((a, b) => b.answer.length - a.answer.length));
}

/** Whether a card contains every search word, in question, answer or tags; `#tag` searches only tags. */
export function cardMatches(card: Flashcard, words: readonly string[]): boolean {
  const text = `${card.question}\n${card.answer}`.toLowerCase();
  const tags = (card.tags ?? []).map((tag) => tag.toLowerCase());
  return words.every((word) =>
    word.startsWith("#")
      ? tags.some((tag) => tag.startsWith(word.slice(1)))
      : text.includes(word) || tags.includes(word),
  );
}

export const splitSearchWords = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

export function withoutCards(cards: readonly Flashcard[], ids: ReadonlySet<string>): Flashcard[] {
  return cards.filter((card) => !ids.has(card.id));
}

/** Adds a tag to the chosen cards, or removes it if all of them have it. */
export function toggleTag(cards: readonly Flashcard[], ids: ReadonlySet<string>, tag: string): Flashcard[] {
  const chosen = cards.filter((card) => ids.has(card.id));
  const hasAll = chosen.every((card) => card.tags?.includes(tag));
  return cards.map((card) => {
    if (!ids.has(card.id)) return card;
    const others = (card.tags ?? []).filter((one) => one !== tag);
    const { tags: _tags, ...rest } = card;
    const tags = hasAll ? others : [...others, tag].slice(0, 50);
    return tags.length > 0 ? { ...rest, tags } : rest;
  });
}

/** Suspends the chosen cards, or unsuspends them if all of them are suspended. */
export function toggleSuspended(cards: readonly Flashcard[], ids: ReadonlySet<string>): Flashcard[] {
  const areAll = cards.filter((card) => ids.has(card.id)).every((card) => card.isSuspended);
  return cards.map((card) => {
    if (!ids.has(card.id)) return card;
    const { isSuspended: _isSuspended, ...rest } = card;
    return areAll ? rest : { ...rest, isSuspended: true };
  });
}

/** Moves the chosen cards together so that they start at index `to` among the others. */
export function moveCards(cards: readonly Flashcard[], ids: ReadonlySet<string>, to: number): Flashcard[] {
  const moved = cards.filter((card) => ids.has(card.id));
  return withoutCards(cards, ids).toSpliced(Math.max(0, to), 0, ...moved);
}
