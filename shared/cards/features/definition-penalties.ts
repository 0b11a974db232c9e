import type { Candidate } from "../generate/candidates.ts";
import { PENALTY } from "./penalty-weights.ts";
import { GENERIC_POSSESSOR } from "../gates/rejection-rules.ts";
import { isGeneralWord } from "../source/terms.ts";
import { leaksWord, leaksByOpening } from "./answer-leak.ts";
import { singular, wordsOf } from "#shared/text/words.ts";

/** "A highly unstable molecule", "organic helpers": too few words to identify the term. "A useful tool": praise. */
const SHORT_ANSWER =
  /^The (?!\S+ of )(?:\p{L}+ ){1,2}\p{L}+$|^An? (?:\S+ ){1,2}\S+$|^\p{L}+ (?:\p{L}+ )?\p{L}+$|^An? (?:\p{L}+ly )?(?:useful|important|popular|powerful|common|major|key) /u;

/** "Salts such as soda": examples. "The third and last stage": a position in a sequence. */
const EXAMPLE_DEFINITION =
  /^(?:\S+ ){1,3}(?:such as|like|including) (?:\S+ ?){1,6}$|^The (?:(?:very )?(?:first|second|third|fourth|fifth|next|last|final)(?: and (?:last|final))?) (?:phase|step|stage|part|period|round)s? (?:of|in) (?:\S+ ?){1,4}$/i;

/** "Small things that exist in boats", "a lamp made of two rings": a location or material instead of a definition. */
const LOCATION_DEFINITION =
  /^(?:\p{L}+ )?(?:proteins|cells|molecules|structures|organelles|compounds|enzymes|receptors|substances|organisms|parts|things) (?:(?:that|which) (?:exist|occur|are found|are located|lie|sit|live) )?(?:on|in|within|at|inside|outside) [^,]*$|^An? \p{L}+ (?:composed|made(?: up)?|consisting) of (?:\S+ ?){1,4}$/iu;

/** "What is id?": an identifier in code. */
const CODE_NAME = /^What is \p{Ll}{1,4}\?$/u;

/** "What are ebb and flow?" */
const ASKS_ABOUT_TWO_TERMS = /^(?:[^:]{2,60}: )?What are \p{Ll}[^?]* and [^?]*\?$/u;

/** "Particularly important keepers", "shorter ropes that": praise, or a comparison with something missing. */
const EVALUATIVE_DEFINITION =
  /^(?:(?:particularly |especially |very )?(?:important|useful|common)|shorter|longer|larger|smaller|thinner|thicker|simpler|lighter|heavier|higher|lower) /i;

/** "What does the wall have?", "what is the keeper required to do?" */
export const OPEN_QUESTION =
  /\b[Ww]hat (?:do|does|did|must|should|shall|may|can) .* (?:have|give|make|use|take|show|need|get|involve|share|enter|review|verify|exercise|mark|include|pass|supply|bring|provide|send|carry|allow|do)\?$|\bwhat (?:is|are) .* required to do\?$|\bwhat (?:is|are) .* (?:involved in|(?:issued|sent|given|paid|submitted|reported) to)\?$|\b(?:essential|important|necessary|coupled|crucial) (?:for|with|in|to)\?$|^What (?:is|are) (?:carried out|performed|done|made|used|produced|controlled) by (?:\S+ ?){1,3}\?$|^What (?:involves?|shows?|displays?|illustrates?|means?) /i;

/** "Two major components of it", "crucial players in it": membership instead of a definition. */
const PART_DEFINITION =
  /^(?:(?:Two|Three|Four|Some|Several|The two) )?(?:(?:an?|the) )?(?:main |major |crucial |vital |key |important |significant |essential )?(?:components?|players?|parts?|elements?|members?|features?|examples?) (?:of|in) (?:\S+ ?){1,7}$/i;

/** "Ropes are also the limbs of": an additional statement. */
export const ALSO_DEFINITION = /\b(?:is|are) also (?:an?|the)\b/i;

/** "What is a special sac called?" */
const hasFewWords = (question: string) =>
  new Set(wordsOf(question).filter((word) => !isGeneralWord(singular(word)) && !EMPTY_DEFINITION.test(word))).size < 3;
const EMPTY_DEFINITION =
  /^(?:special|specialized|specific|certain|particular|large|small|like|called|termed|referred)$/;

/** "What is the disease called?": which disease? */
export const GENERIC_TERM_QUESTION =
  "(?:disease|condition|process|structure|reaction|method|pathway|association|relationship|compound|protein|cell|stage|phase|group|layer|region|area)s?";
const ASKS_FOR_GENERIC_TERM = new RegExp(
  `\\b(?:is|are) the ${GENERIC_TERM_QUESTION} (?:called|termed|referred|known|named)\\b`,
);

/** "What is the term for a more useful sum, for salts such as soda?" */
const EXAMPLE_QUESTION = /\bterm for (?:(?:\S+ ){1,3}(?:such as|like|including) |an? (?:more|less|better) )/;

/** "This net of ropes is called": which net? */
const REFERS_BACK = /^(?:[\p{L} ]+, )?this \p{Ll}+ .*\b(?:called|known|termed|named)\b/iu;

/** A shorter label is an identifier in code. */
const SHORT_NAME = 4;

export function termPenalty({ question, answer, fact }: Candidate): number {
  if (
    GENERIC_POSSESSOR.test(question) ||
    EXAMPLE_QUESTION.test(question) ||
    (fact.label !== undefined && answer.length <= SHORT_NAME)
  )
    return PENALTY.sparse;
  if (LOCATION_DEFINITION.test(question.replace(/^.*?\bterm for |\?$/g, ""))) return PENALTY.openQuestion;
  const isTooShort = ASKS_FOR_GENERIC_TERM.test(question) || hasFewWords(question) || leaksByOpening(question, answer);
  if (isTooShort || ALSO_DEFINITION.test(fact.original)) return PENALTY.openQuestion;
  return REFERS_BACK.test(fact.original) || leaksWord(question, answer) ? PENALTY.partialLeak : 0;
}

export function definitionPenalty({ question, answer, fact }: Candidate): number {
  const isTooShort = [SHORT_ANSWER, PART_DEFINITION, EXAMPLE_DEFINITION, EVALUATIVE_DEFINITION].some((tooShort) =>
    tooShort.test(answer),
  );
  if (isTooShort || ALSO_DEFINITION.test(fact.original)) return PENALTY.sparse;
  if (ASKS_ABOUT_TWO_TERMS.test(question)) return PENALTY.partialLeak;
  if (fact.label !== undefined && CODE_NAME.test(question)) return PENALTY.sparse;
  return OPEN_QUESTION.test(question) || LOCATION_DEFINITION.test(answer) ? PENALTY.openQuestion : 0;
}
