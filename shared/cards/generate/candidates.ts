import type { Fact } from "../source/facts.ts";
import { upperFirst } from "../source/lexicon.ts";
import type { Token } from "#shared/text/tokens.ts";
import { wordsOf } from "#shared/text/words.ts";

export type CardStyle =
  | "definition"
  | "term"
  | "short_form"
  | "list"
  | "why"
  | "how"
  | "when"
  | "compare"
  | "fact"
  | "cloze";

export interface Candidate {
  style: CardStyle;
  question: string;
  answer: string;
  fact: Fact;
  /** The sentence before is part of the quote. */
  withPrevious?: boolean;
  /** The sentence after is part of the quote. */
  withNext?: boolean;
  /** Only for a term that nothing better asks for. */
  isLastResort?: boolean;
  /** Only where nothing better is left to ask. */
  isFiller?: boolean;
  /** Only where everything else was asked: it says little beside its blank. */
  isSparse?: boolean;
  /** Where the evidence is more than the sentence. */
  quote?: string;
  /** The key of the term it asks for or explains, if it is about one. */
  termKey?: string;
}

export const isShort = (tokens: readonly Token[], most: number) =>
  tokens.length > 0 && tokens.filter((t) => t.pos !== "PUNCT").length <= most;

/** "What", then the words, one question mark. */
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
