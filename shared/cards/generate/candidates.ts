import type { Fact } from "../source/facts.ts";
import { upperFirst } from "../source/lexicon.ts";
import type { Token } from "#shared/text/tokens.ts";
import { wordsOf } from "#shared/text/words.ts";

export const CARD_STYLES = [
  "definition",
  "term",
  "short_form",
  "list",
  "why",
  "how",
  "when",
  "compare",
  "fact",
  "cell",
  "formula",
  "cloze",
] as const;
export type CardStyle = (typeof CARD_STYLES)[number];

export interface Candidate {
  style: CardStyle;
  question: string;
  answer: string;
  fact: Fact;
  /** The previous sentence is part of the quote. */
  withPrevious?: boolean;
  /** The next sentence is part of the quote. */
  withNext?: boolean;
  /** Used only if no better card asks for its term. */
  isLastResort?: boolean;
  /** Used only if nothing better is left to ask. */
  isFiller?: boolean;
  /** Used only if everything else was asked, because its sentence has little besides the blank. */
  isSparse?: boolean;
  /** Set if the quote is more than the sentence and its neighbours. */
  quote?: string;
  /** The key of the term that it asks for or explains. */
  termKey?: string;
}

export const isShort = (tokens: readonly Token[], maxWords: number) =>
  tokens.length > 0 && tokens.filter((t) => t.pos !== "PUNCT").length <= maxWords;

/** Joins the parts into a question with one question mark. */
export function asQuestion(...parts: (string | undefined)[]): string {
  const text = parts
    .filter((p) => p !== undefined && p !== "")
    .join(" ")
    .replace(/\s+/g, " ")
    .replace(/ ([,;:])/g, "$1")
    .replace(/[\s.,;:]+$/, "");
  return `${upperFirst(text)}?`;
}

export function asAnswer(text: string): string {
  return upperFirst(text.trim().replace(/[\s.,;:]+$/, ""));
}

export const wordCount = (text: string) => wordsOf(text).length;
