import { wordsOf } from "#shared/text/words.ts";
import { holdsVariable } from "./clear-alone.ts";

/** More figures than these are forgotten before the sentence ends: "up to 40 epochs, with a rate of 0.1 and 16 pairs". */
const MAX_FIGURES = 2;
const MAX_WORDS = 38;
/** "We fine-tune", "our reader", "I think": how a work was done, or who speaks, and not what it found. */
export const OF_THE_WORK = /\b(?:[Ww]e|[Oo]ur|I|[Mm]y)\b/u;
const FINDINGS =
  /\b(?:we|our \p{L}+) (?:\p{Ll}+ )?(?:find|found|show|showed|observe|observed|conclude|concluded|demonstrate|demonstrated|propose|proposed)\b/iu;

const HARD_SCORE = -1.5;
const WORK_SCORE = -0.6;

/** A year, or a number inside a name such as BM25, is no figure to remember. */
const figuresIn = (sentence: string) =>
  (sentence.replaceAll(/\([^)]*\)/gu, "").match(/(?<![\p{L}\p{N}-])\p{N}[\p{N}.,%−-]*/gu) ?? []).filter(
    (figure) => !/^(?:1[5-9]|20)\d\d[.,]?$/u.test(figure),
  ).length;

/** How much worse a sentence is for being hard to follow by ear: full of figures, long, with letters for values, or on how the work was done. */
export function hearingScore(sentence: string): number {
  const isHard = figuresIn(sentence) > MAX_FIGURES || wordsOf(sentence).length > MAX_WORDS || holdsVariable(sentence);
  const isOfWork = OF_THE_WORK.test(sentence) && !FINDINGS.test(sentence);
  return (isHard ? HARD_SCORE : 0) + (isOfWork ? WORK_SCORE : 0);
}
