import { blankPenalty, isEmphasised } from "./blank-penalties.ts";
import type { Candidate, CardStyle } from "../generate/candidates.ts";
import { OPEN_QUESTION, definitionPenalty, termPenalty, ALSO_DEFINITION } from "./definition-penalties.ts";
import { PENALTY } from "./penalty-weights.ts";
import { leaksHalf, leaksByName, leaksAlmostWhole } from "./answer-leak.ts";
import { wordsOf } from "#shared/text/words.ts";

/** "To count these losses": which losses? */
const UNRESOLVED_THESE = /\b(?:these|those|this) \p{Ll}+/u;

/** "The lamps usually burn oil" isn't a rule, but a question without "usually" makes it one. */
const HEDGE = /\b(?:usually|often|generally|typically|sometimes|commonly|frequently|mostly|mainly|probably|perhaps)\b/i;

/** "Like gulls, why do": the comparison isn't asked. */
const COMPARISON_OPENING = /^(?:[^:]{2,60}: )?Like [^,]+, (?:what|where|why|how|when)\b/;
/** A reason from the previous sentence is often incomplete. */
const PREVIOUS_REASON_PENALTY = 0.3;

/** "Why is the molecule split?": which molecule? */
const WHY_WITH_GENERIC_SUBJECT =
  /^(?:[^:]{2,60}: )?Why (?:is|are|was|were|do|does|did|can|must) the (?:enzyme|molecule|cell|protein|process|compound|structure|reaction|gene|result|information)s? (?!of\b|that\b|which\b|for\b|in\b)/;
/** "Why is it more complex?": than what? */
const INCOMPLETE_COMPARISON = /\b(?:more|less) \p{L}+\?$/u;

/** The penalty for several possible answers, in a deck that doesn't have to be full. */
export function ambiguityPenalty(candidate: Candidate): number {
  const { style, question, answer } = candidate;
  const referencePenalty = style !== "cloze" && UNRESOLVED_THESE.test(answer) ? PENALTY.openQuestion : 0;
  const comparisonPenalty = COMPARISON_OPENING.test(question) ? PENALTY.openQuestion : 0;
  return referencePenalty + comparisonPenalty + answerLeakPenalty(candidate) + contentPenalty(candidate);
}

/** The penalty for a question that contains its answer or half of it. */
function answerLeakPenalty({ style, question, answer }: Candidate): number {
  const isName = question.endsWith("named after?");
  if ((style === "definition" && !isName) || !leaksHalf(question, answer)) return 0;
  return isName || leaksAlmostWhole(question, answer) ? PENALTY.ambiguous : PENALTY.partialLeak;
}

function contentPenalty(candidate: Candidate): number {
  const { style, question, answer, fact } = candidate;
  const penalty = PENALTY_BY_STYLE[style]?.(candidate);
  if (penalty !== undefined) return penalty;
  if (style === "why" && (INCOMPLETE_COMPARISON.test(question) || WHY_WITH_GENERIC_SUBJECT.test(question)))
    return PENALTY.offTopic;
  const isHedged = style !== "short_form" && HEDGE.test(fact.original) && !HEDGE.test(`${question} ${answer}`);
  const isOpenQuestion = style === "fact" && (OPEN_QUESTION.test(question) || leaksByName(question, answer));
  return (isHedged ? PENALTY.hedged : 0) + (isOpenQuestion ? PENALTY.openQuestion : 0);
}
const PENALTY_BY_STYLE: Readonly<Partial<Record<CardStyle, (candidate: Candidate) => number>>> = {
  term: termPenalty,
  definition: definitionPenalty,
  cloze: blankPenalty,
};

/**
 * Penalties by how many cards of each style strict readers kept: six of seven cloze and term cards, three of four
 * definitions, two of three reasons, fewer than half of the rest (docs/cards.md).
 */
const STYLE_PENALTIES: Readonly<Partial<Record<CardStyle, number>>> = {
  why: 0.1,
  list: 0.3,
  compare: 0.35,
  how: 0.4,
  fact: 0.5,
  when: 0.7,
};
/** "What is the smallest unit of life?" is as good as a question for a name. */
const WHAT_IS_DESCRIPTION = /^What (?:is|are) (?:an?|the) .*\b(?:of|for|in|that|which)\b/;
/**
 * Readers kept only half of the cards with answers this long, because one word more or less makes a different answer.
 */
const LONG_ANSWER = 9;
const LONG_ANSWER_PENALTY = 0.2;
/** A blank in a sentence that needs no other sentence has a single answer more often than a question has. */
const STANDALONE_BLANK_BONUS = 0.3;

/** "____ are towers", "towers called ____": the sentence is about the blank or names it. */
const ASKS_FOR_NAME =
  /^(?:[^:?_]{2,60}: )?(?:(?:The|A\/an) )?____ (?!of\b)|\b(?:called|known as|termed|named|referred to as|designated)(?: the| an?| a\/an)? ____/;
/** Two of five blanks in the middle of a sentence about something else had other right answers. */
const MID_SENTENCE_PENALTY = 0.3;

/** The penalty for a card's form alone, in a deck that doesn't have to be full. */
export function stylePenalty(candidate: Candidate): number {
  const { style, question, answer, fact, withPrevious } = candidate;
  if (style === "cloze") {
    const isNamed = isEmphasised(candidate) || ASKS_FOR_NAME.test(question);
    return (withPrevious ? 0 : -STANDALONE_BLANK_BONUS) + (isNamed ? 0 : MID_SENTENCE_PENALTY);
  }
  const asksForName = style === "fact" && WHAT_IS_DESCRIPTION.test(question) && !ALSO_DEFINITION.test(fact.original);
  const penalty = asksForName ? 0 : (STYLE_PENALTIES[style] ?? 0);
  return (
    penalty +
    reasonPenalty(candidate) +
    (style in STYLE_PENALTIES && wordsOf(answer).length >= LONG_ANSWER ? LONG_ANSWER_PENALTY : 0)
  );
}

const reasonPenalty = ({ style, withPrevious }: Candidate) =>
  style === "why" && withPrevious === true ? PREVIOUS_REASON_PENALTY : 0;
