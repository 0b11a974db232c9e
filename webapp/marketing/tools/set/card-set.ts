import type { ToolCard } from "../tool-cards.ts";

/** The cards on the page, with what is stored and kept of them. */
export interface CardSet {
  cards: readonly ToolCard[];
  title: string;
  /** Name of the file or video; empty for pasted text and for cards written by hand. */
  source: string;
  /** Id under which the set was last handed to the app. */
  pageId?: string | undefined;
}

const isWritten = ({ question, answer }: ToolCard) => question.trim() !== "" || answer.trim() !== "";

export const hasCards = ({ cards }: CardSet): boolean => cards.some(isWritten);

export const emptyCard = (id: number): ToolCard => ({ id, question: "", answer: "" });

export const emptySet = (byHand: boolean): CardSet => ({
  cards: byHand ? [emptyCard(1), emptyCard(2)] : [],
  title: "",
  source: "",
});

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrMissing = (value: unknown) => value === undefined || isText(value);

function isToolCard(value: unknown): value is ToolCard {
  if (typeof value !== "object" || value === null) return false;
  const { id, question, answer, section, quote, passage, page } = value as Record<keyof ToolCard, unknown>;
  return (
    typeof id === "number" &&
    isText(question) &&
    isText(answer) &&
    [section, quote, passage].every(isTextOrMissing) &&
    (page === undefined || typeof page === "number")
  );
}

/** Reads a stored set; undefined for data of another shape. */
export function parseCardSet(text: string): CardSet | undefined {
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored !== "object" || stored === null) return undefined;
    const { cards, title, source, pageId } = stored as Record<keyof CardSet, unknown>;
    if (!Array.isArray(cards) || !cards.every(isToolCard) || !isText(title) || !isText(source)) return undefined;
    return { cards, title, source, ...(isText(pageId) ? { pageId } : {}) };
  } catch {
    return undefined;
  }
}
