import { useRef, useState } from "react";
import type { ToolCard } from "../tool-cards.ts";
import { emptyCard, emptySet, hasCards, type CardSet } from "./card-set.ts";
import { useStoredSet } from "./stored-set.ts";

/** The card maker reads a long source several times, but the cards are in the order of the pages. */
function findPlace(cards: readonly ToolCard[], page: number | undefined): number {
  const next = page === undefined ? -1 : cards.findIndex((other) => other.page !== undefined && other.page > page);
  return next === -1 ? cards.length : next;
}

/** The cards of a tool, and functions that change them. They are stored in this tab under the tool's name. */
export function useCardSet(tool: string, byHand: boolean) {
  const [set, setSet] = useState<CardSet>(() => emptySet(byHand));
  const [removed, setRemoved] = useState<{ card: ToolCard; index: number }>();
  /** The set that the shown one took the place of. */
  const [replaced, setReplaced] = useState<CardSet>();
  // The set that is shown next: cards arrive while the page waits to be rendered.
  const current = useRef(set);
  const nextId = useRef(byHand ? 3 : 1);

  const change = (part: Partial<CardSet>) => {
    current.current = { ...current.current, ...part };
    setSet(current.current);
  };
  const show = (next: CardSet) => {
    nextId.current = Math.max(nextId.current, ...next.cards.map(({ id }) => id + 1));
    setRemoved(undefined);
    change({ ...next, pageId: next.pageId });
  };
  useStoredSet(tool, set, show);

  const append = (card: Omit<ToolCard, "id">) => {
    const id = nextId.current++;
    const { cards } = current.current;
    change({ cards: cards.toSpliced(findPlace(cards, card.page), 0, { ...card, id }) });
  };
  /** Begins another set. `restore` brings the shown one back. */
  const replace = (next: CardSet) => {
    setReplaced(hasCards(current.current) ? current.current : undefined);
    show(next);
  };
  const restore = () => {
    if (replaced) show(replaced);
    setReplaced(undefined);
  };
  const edit = (id: number, part: Partial<ToolCard>) =>
    change({ cards: current.current.cards.map((card) => (card.id === id ? { ...card, ...part } : card)) });
  const remove = (id: number) => {
    const { cards } = current.current;
    const index = cards.findIndex((card) => card.id === id);
    const card = cards[index];
    if (card) setRemoved({ card, index });
    change({ cards: cards.filter((other) => other.id !== id) });
  };
  const undo = () => {
    if (removed) change({ cards: current.current.cards.toSpliced(removed.index, 0, removed.card) });
    setRemoved(undefined);
  };
  return {
    list: set.cards,
    title: set.title,
    source: set.source,
    pageId: set.pageId,
    removed,
    replaced,
    append,
    add: () => append(emptyCard(0)),
    edit,
    remove,
    undo,
    replace,
    restore,
    setTitle: (title: string) => change({ title }),
    setPageId: (pageId: string) => change({ pageId }),
  };
}
