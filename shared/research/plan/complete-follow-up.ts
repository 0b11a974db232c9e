import { namingTerms } from "../evidence/terms/low-weight-terms.ts";
import { isGermanQuestion } from "#shared/text/query-stopwords.ts";
import { wordsOf } from "#shared/text/words.ts";
import { firstNounPhrase, firstQuestionOf } from "./decompose.ts";

const POINTS_BACK =
  /(?<!\p{L})(?:it|its|this|that|these|those|they|them|their|es|sie|ihn|ihm|ihnen|ihre?[nmrs]?|dies(?:e[nmrs]?)?|davon|dadurch|dabei|(?:das|der|die)(?=\s*[?.!]|\s+\p{Ll}|$))(?!\p{L})/u;
/** "Why is it dark at night?": here "it" refers to nothing. */
const EMPTY_IT = /(?<!\p{L})(?:(?:is|was)\s+it|(?:ist|war)\s+es|(?:it|es)\s+(?:is|was|ist|war))(?!\p{L})/iu;
const CONTINUES = /^\s*(?:and|but|what about|how about|und|aber|was ist mit)(?!\p{L})/iu;
/** A question with more naming words is complete. */
const MAX_NAMING = 2;
const MAX_SUBJECT_WORDS = 5;

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Whether a question has no subject of its own, such as "Why does it matter?" or "And in winter?". */
export function needsContext(question: string): boolean {
  const first = firstQuestionOf(question.trim());
  const naming = namingTerms(first).length;
  if (naming === 0) return true;
  const most = EMPTY_IT.test(first) ? 1 : MAX_NAMING;
  return naming <= most && (POINTS_BACK.test(lowerFirst(first)) || CONTINUES.test(first));
}

/** The nouns of a German question: its capitalised words after the first. */
const germanNouns = (question: string): string =>
  question
    .split(/\s+/)
    .slice(1)
    .map((word) => word.replaceAll(/[^\p{L}\p{N}-]/gu, ""))
    .filter((word) => /^\p{Lu}/u.test(word))
    .join(" ");

/** The subject of an earlier question in few words; undefined if it is not recognised. */
function shortSubjectOf(earlier: string): string | undefined {
  const [, topic] = /^([^:?!]{3,60}):\s/u.exec(earlier) ?? [];
  const first = firstQuestionOf(earlier);
  const subject = topic ?? (isGermanQuestion(first) ? germanNouns(first) : firstNounPhrase(first));
  const words = wordsOf(subject);
  return words.length === 0 || words.length > MAX_SUBJECT_WORDS ? undefined : subject.trim();
}

/** Adds the subject of the earlier question to a question without one; undefined if that subject is not recognised. */
export function completeFollowUp(question: string, earlier: string): string | undefined {
  const subject = shortSubjectOf(earlier);
  return subject === undefined ? undefined : `${subject}: ${lowerFirst(question.trim())}`;
}
