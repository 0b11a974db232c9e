import { wordsOf } from "#shared/text/words.ts";
import { containsVariable } from "./self-contained.ts";

/** Listeners forget more figures than these: "up to 40 epochs, with a rate of 0.1 and 16 pairs". */
const MAX_FIGURES = 2;
const MAX_WORDS = 38;
/** "We fine-tune", "our reader", "I think": how the work was done or who speaks, instead of what was found. */
export const FIRST_PERSON = /\b(?:[Ww]e|[Oo]ur|I|[Mm]y)\b/u;
const FINDINGS =
  /\b(?:we|our \p{L}+) (?:\p{Ll}+ )?(?:find|found|show|showed|observe|observed|conclude|concluded|demonstrate|demonstrated|propose|proposed)\b/iu;

/** "A slot alternative is not needed", "the cluster argument of the package": how software is used. */
const OF_SOFTWARE =
  /\b(?:arguments?|packages?|interfaces?|user[- ](?:supplied|defined)|slots?|defaults?|implement(?:ed|ations?)|software|coded in|functions? generators?|class structures?|S4)\b/gu;
/** One such word also occurs in other texts: "an argument", "a package". */
const MAX_SOFTWARE_WORDS = 1;

const HARD_PENALTY = 1.5;
const WORK_PENALTY = 0.6;
const SOFTWARE_PENALTY = 0.8;

/** The figures in a sentence, without years and without numbers inside names such as BM25. */
const figuresIn = (sentence: string) =>
  (sentence.replaceAll(/\([^)]*\)/gu, "").match(/(?<![\p{L}\p{N}-])\p{N}[\p{N}.,%−-]*/gu) ?? []).filter(
    (figure) => !/^(?:1[5-9]|20)\d\d[.,]?$/u.test(figure),
  ).length;

/**
 * A penalty for a sentence that is hard to follow by ear: full of figures, long, with variables, or about how the work
 * was done or its software is used.
 */
export function listenabilityPenalty(sentence: string): number {
  const isHard =
    figuresIn(sentence) > MAX_FIGURES || wordsOf(sentence).length > MAX_WORDS || containsVariable(sentence);
  const isOfWork = FIRST_PERSON.test(sentence) && !FINDINGS.test(sentence);
  const isOfSoftware = new Set(sentence.match(OF_SOFTWARE)).size > MAX_SOFTWARE_WORDS;
  return (isHard ? HARD_PENALTY : 0) + (isOfWork ? WORK_PENALTY : 0) + (isOfSoftware ? SOFTWARE_PENALTY : 0);
}
