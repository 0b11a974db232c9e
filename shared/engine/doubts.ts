import { doubtOfBlank, isSetOff } from "./blank-doubts.ts";
import type { Candidate, Style } from "./candidates.ts";
import { ASKS_ANYTHING, doubtOfDefinition, doubtOfTerm, SAYS_MORE } from "./definition-doubts.ts";
import { DOUBT } from "./doubt-weights.ts";
import { isHalfTold, isInName, isToldAlmostWhole } from "./told.ts";
import { wordsOf } from "./words.ts";

/** "To count these losses": which, was said before. */
const WHICH_OF_THESE = /\b(?:these|those|this) \p{Ll}+/u;

/** "The lamps usually burn oil" is no rule, which a question without the word makes it. */
const HEDGE = /\b(?:usually|often|generally|typically|sometimes|commonly|frequently|mostly|mainly|probably|perhaps)\b/i;

/** "Like gulls, why do": the likeness is not asked. */
const LIKENED = /^(?:[^:]{2,60}: )?Like [^,]+, (?:what|where|why|how|when)\b/;
/** A reason in the sentence before is often only half of it. */
const DOUBT_REASON_BEFORE = 0.3;

/** "Why is the molecule split?" */
const WHY_THE =
  /^(?:[^:]{2,60}: )?Why (?:is|are|was|were|do|does|did|can|must) the (?:enzyme|molecule|cell|protein|process|compound|structure|reaction|gene|result|information)s? (?!of\b|that\b|which\b|for\b|in\b)/;
/** "Why is it more complex?" */
const MORE_THAN_WHAT = /\b(?:more|less) \p{L}+\?$/u;

/** What speaks for several right answers where a deck need not be full. */
export function doubtInPlace(candidate: Candidate): number {
  const { style, question, answer } = candidate;
  const points = style !== "cloze" && WHICH_OF_THESE.test(answer) ? DOUBT.asked : 0;
  const likened = LIKENED.test(question) ? DOUBT.asked : 0;
  return points + likened + doubtOfTelling(candidate) + doubtOfFaces(candidate);
}

/** That the question tells its answer, or half of it. */
function doubtOfTelling({ style, question, answer }: Candidate): number {
  const isName = question.endsWith("named after?");
  if ((style === "definition" && !isName) || !isHalfTold(question, answer)) return 0;
  return isName || isToldAlmostWhole(question, answer) ? DOUBT.inPlace : DOUBT.halfTold;
}

function doubtOfFaces(candidate: Candidate): number {
  const { style, question, answer, fact } = candidate;
  const own = OF_STYLE[style]?.(candidate);
  if (own !== undefined) return own;
  if (style === "why" && (MORE_THAN_WHAT.test(question) || WHY_THE.test(question))) return DOUBT.elsewhere;
  const isHedged = style !== "short_form" && HEDGE.test(fact.raw) && !HEDGE.test(`${question} ${answer}`);
  const isAsked = style === "fact" && (ASKS_ANYTHING.test(question) || isInName(question, answer));
  return (isHedged ? DOUBT.hedged : 0) + (isAsked ? DOUBT.asked : 0);
}
const OF_STYLE: Readonly<Partial<Record<Style, (candidate: Candidate) => number>>> = {
  term: doubtOfTerm,
  definition: doubtOfDefinition,
  cloze: doubtOfBlank,
};

/**
 * What strict readers kept of each style: of blanks and names six of seven, of definitions three of four, of reasons two
 * of three, of the rest fewer than half (docs/cards.md).
 */
const DOUBT_OF_STYLE: Readonly<Partial<Record<Style, number>>> = {
  why: 0.1,
  list: 0.3,
  compare: 0.35,
  how: 0.4,
  fact: 0.5,
  when: 0.7,
};
/** "What is the smallest unit of life?" is kept as names are. */
const IS_WHAT = /^What (?:is|are) (?:an?|the) .*\b(?:of|for|in|that|which)\b/;
/** Of answers this long they kept half: one of its words more or less, and it is another answer. */
const LONG_ANSWER = 9;
const DOUBT_LONG = 0.2;
/** A blank that stands in a sentence of its own has one answer more often than any question. */
const CLEAR = 0.3;

/** "____ are towers", "towers called ____": the sentence is about it, or names it. */
const ASKS_NAME =
  /^(?:[^:?_]{2,60}: )?(?:(?:The|A\/an) )?____ (?!of\b)|\b(?:called|known as|termed|named|referred to as|designated)(?: the| an?| a\/an)? ____/;
/** Amid a sentence about something else two of five had other right answers. */
const DOUBT_AMID = 0.3;

/** What its form alone says for or against a card, where a deck need not be full and has better ones. */
export function doubtOfStyle(candidate: Candidate): number {
  const { style, question, answer, fact, withPrevious } = candidate;
  if (style === "cloze") {
    const isNamed = isSetOff(candidate) || ASKS_NAME.test(question);
    return (withPrevious ? 0 : -CLEAR) + (isNamed ? 0 : DOUBT_AMID);
  }
  const isKnown = style === "fact" && IS_WHAT.test(question) && !SAYS_MORE.test(fact.raw);
  const own = isKnown ? 0 : (DOUBT_OF_STYLE[style] ?? 0);
  return (
    own + doubtOfReason(candidate) + (style in DOUBT_OF_STYLE && wordsOf(answer).length >= LONG_ANSWER ? DOUBT_LONG : 0)
  );
}

const doubtOfReason = ({ style, withPrevious }: Candidate) =>
  style === "why" && withPrevious === true ? DOUBT_REASON_BEFORE : 0;
