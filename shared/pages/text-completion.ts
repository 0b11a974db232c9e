import { foldText } from "#shared/text/fold-text.ts";
import { MAX_COMPLETION_WORDS, trimCompletion } from "./completion.ts";

interface Word {
  folded: string;
  start: number;
  end: number;
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu;
/** How many words in a row must be the same before one of the student's texts can complete the line. */
const MIN_WORDS = 3;
/** Two words are enough if both are this long, because they are hardly the same by chance. */
const LONG_WORD = 6;
const MAX_WORDS = 10;

const wordsIn = (text: string): Word[] =>
  [...text.matchAll(WORD)].map((match) => ({
    folded: foldText(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));

/** The number of words up to `last` that equal the end of the line; the line's last word may be incomplete. */
function countMatches(line: readonly Word[], words: readonly Word[], last: number, isIncomplete: boolean): number {
  let matching = 0;
  for (; matching < Math.min(MAX_WORDS, line.length, last + 1); matching += 1) {
    const lineWord = line[line.length - 1 - matching]?.folded ?? "";
    const textWord = words[last - matching]?.folded ?? "";
    const isSame = matching === 0 && isIncomplete ? textWord.startsWith(lineWord) : textWord === lineWord;
    if (!isSame) return matching;
  }
  return matching;
}

function isLongEnough(line: readonly Word[], matching: number): boolean {
  if (matching >= MIN_WORDS) return true;
  const [last, before] = [line.at(-1)?.folded ?? "", line.at(-2)?.folded ?? ""];
  return matching === 2 && last.length >= LONG_WORD && before.length >= LONG_WORD;
}

/** The text from a position up to the end of its sentence. */
function restOfSentence(text: string, from: number): string {
  const rest = text.slice(from);
  const end = /[.!?。！？](?=\s|$)|\n/u.exec(rest);
  return trimCompletion(end ? rest.slice(0, end.index + 1) : rest, MAX_COMPLETION_WORDS);
}

interface Continuation {
  /** How many words before the continuation are the same. */
  matching: number;
  rest: string;
}

/** Each position where a text contains the words at the end of the line, with the text after them. */
function* continuationsIn(text: string, line: readonly Word[], isIncomplete: boolean): Generator<Continuation> {
  const words = wordsIn(text);
  for (const [last, word] of words.entries()) {
    const matching = countMatches(line, words, last, isIncomplete);
    if (!isLongEnough(line, matching)) continue;
    // An incomplete word gets its missing letters from the other text.
    const missing = isIncomplete ? word.folded.length - (line.at(-1)?.folded.length ?? 0) : 0;
    const rest = restOfSentence(text, word.end - missing);
    if (/[\p{L}\p{N}]/u.test(rest)) yield { matching, rest };
  }
}

/**
 * How one of the student's own texts continues after the words at the end of the line, word for word, up to the end of
 * its sentence. The longest match wins, then the earlier text; undefined without a match.
 */
export function completeFromTexts(line: string, texts: readonly string[]): string | undefined {
  const lineWords = wordsIn(line);
  const isIncomplete = /[\p{L}\p{M}\p{N}]$/u.test(line);
  let best: Continuation | undefined;
  for (const text of texts)
    for (const found of continuationsIn(text, lineWords, isIncomplete))
      if (found.matching > (best?.matching ?? 0)) best = found;
  if (!best) return undefined;
  return /\s$/.test(line) ? best.rest.trimStart() : best.rest;
}
