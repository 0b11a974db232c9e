import type { Candidate, Style } from "#shared/engine/candidates.ts";
import type { Fact } from "#shared/engine/facts.ts";
import { OF_THE_THING } from "#shared/engine/pointless.ts";
import { isGeneralWord } from "#shared/engine/terms.ts";
import { posAt, wordAt } from "#shared/engine/tokens.ts";
import { phraseKey, singular, wordsOf } from "#shared/engine/words.ts";

/** "____ and the rest improve", "a tower or ____": one of several. */
const ONE_OF_SEVERAL =
  /____ (?:and|or) |: ____, \S+, |\bincludes? (?:the |an? |a\/an )?____\.$|____[—–] ?or |____, (?:[\p{L}-]+ ){0,2}[\p{L}-]+,? (?:and|or) |\b(?:and|or|such as|including|like) (?:an? |a\/an |the )?____/u;
/** "The ____ were sent": which ones was said before. "The ____ is a …" says what it is. */
const WHICH_ONE = /(?:^|\. )The ____ (?!(?:is|are|was|were) (?:an?|the|called|known|defined) )/;
const DOUBT_IN_PLACE = 1.2;

/** "A highly unstable molecule", "organic helpers": of so few words none tells which. "A useful tool": praise. */
const THIN_ANSWER =
  /^The (?!\S+ of )(?:\p{L}+ ){1,2}\p{L}+$|^An? (?:\S+ ){1,2}\S+$|^\p{L}+ (?:\p{L}+ )?\p{L}+$|^An? (?:\p{L}+ly )?(?:useful|important|popular|powerful|common|major|key) /u;
/** "Salts such as soda": two of many. "The third and last stage": where it stands. */
const SAYS_SAMPLE =
  /^(?:\S+ ){1,3}(?:such as|like|including) (?:\S+ ?){1,6}$|^The (?:(?:very )?(?:first|second|third|fourth|fifth|next|last|final)(?: and (?:last|final))?) (?:phase|step|stage|part|period|round)s? (?:of|in) (?:\S+ ?){1,4}$/i;
/** "Small things that exist in boats", "a lamp made of two rings": where it is or of what, and not what it is or does. */
const SAYS_WHERE =
  /^(?:\p{L}+ )?(?:proteins|cells|molecules|structures|organelles|compounds|enzymes|receptors|substances|organisms|parts|things) (?:(?:that|which) (?:exist|occur|are found|are located|lie|sit|live) )?(?:on|in|within|at|inside|outside) [^,]*$|^An? \p{L}+ (?:composed|made(?: up)?|consisting) of (?:\S+ ?){1,4}$/iu;
/** "What is id?": a name in a piece of code. */
const CODE_NAME = /^What is \p{Ll}{1,4}\?$/u;
/** "What are ebb and flow?" */
const ASKS_TWO = /^(?:[^:]{2,60}: )?What are \p{Ll}[^?]* and [^?]*\?$/u;
/** "Particularly important keepers", "shorter ropes that": praised, or set against what is not there. */
const SAYS_PRAISE =
  /^(?:(?:particularly |especially |very )?(?:important|useful|common)|shorter|longer|larger|smaller|thinner|thicker|simpler|lighter|heavier|higher|lower) /i;
const DOUBT_ASKS_TWO = 0.3;
const DOUBT_THIN = 0.9;
/** "What does the wall have?", "what is the keeper required to do?" */
const ASKS_ANYTHING =
  /\b[Ww]hat (?:do|does|did|must|should|shall|may|can) .* (?:have|give|make|use|take|show|need|get|involve|share|enter|review|verify|exercise|mark|include|pass|supply|bring|provide|send|carry|allow|do)\?$|\bwhat (?:is|are) .* required to do\?$|\bwhat (?:is|are) .* (?:involved in|(?:issued|sent|given|paid|submitted|reported) to)\?$|\b(?:essential|important|necessary|coupled|crucial) (?:for|with|in|to)\?$|^What (?:is|are) (?:carried out|performed|done|made|used|produced|controlled) by (?:\S+ ?){1,3}\?$|^What (?:involves?|shows?|displays?|illustrates?|means?) /i;
const DOUBT_ASKED = 0.4;

/** "The zygomycetes belong to the ____ (Zygomycota)", "____ samples TREC (CuratedTREC)": words beside it tell each of its own. */
function isHinted(question: string, answer: string): boolean {
  const around = question.toLowerCase().split(/[^\p{L}]+/u);
  const words = answer.toLowerCase().split(/[^\p{L}]+/u);
  return words.every((word) => word.length >= LEAST_START && isToldBy(around, word));
}

/** "Dropping out" tells "dropout", "Var" tells "variance". */
function isToldBy(around: readonly string[], word: string): boolean {
  const start = word.slice(0, Math.max(LEAST_START, Math.ceil(word.length * SAME_START)));
  const isPart = (other: string) =>
    (other.length >= LEAST_PART && word.endsWith(other)) || (other.length >= SHORTEST && word.startsWith(other));
  return around.some((other, i) => {
    if (other.startsWith(start) || (!isGeneralWord(other) && isPart(other))) return true;
    const next = around[i + 1] ?? "";
    return (
      other.length >= LEAST_PART &&
      next.length > 1 &&
      word.startsWith(other.slice(0, LEAST_PART)) &&
      word.endsWith(next)
    );
  });
}
const LEAST_START = 5;
const LEAST_PART = 4;
const SHORTEST = 3;

/** "What do cell keepers keep? The cells": of a short answer half stands in the question. */
function isHalfTold(question: string, answer: string): boolean {
  const words = answer
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length >= LEAST_START && !isGeneralWord(word));
  const around = question.toLowerCase().split(/[^\p{L}]+/u);
  const starts = words.map((word) => word.slice(0, Math.max(LEAST_START, Math.ceil(word.length * SAME_START))));
  const told = starts.filter((start) => around.some((word) => word.startsWith(start))).length;
  return words.length > 0 && wordsOf(answer).length <= SHORT && told * 2 >= words.length;
}
const SHORT = 4;
/** "How do photosynthetic boats live? By photosynthesis": but for its ending the word stands there. */
function isToldAlmostWhole(question: string, answer: string): boolean {
  const start = answer.toLowerCase().slice(0, Math.ceil(answer.length * ALMOST_WHOLE));
  return !answer.includes(" ") && question.toLowerCase().includes(start);
}
const ALMOST_WHOLE = 0.7;
const DOUBT_HALF_TOLD = 0.3;
/** "To count these losses": which, was said before. */
const WHICH_OF_THESE = /\b(?:these|those|this) \p{Ll}+/u;

/** "The lamps usually burn oil" is no rule, which a question without the word makes it. */
const HEDGE = /\b(?:usually|often|generally|typically|sometimes|commonly|frequently|mostly|mainly|probably|perhaps)\b/i;
const DOUBT_HEDGED = 0.3;

/** "What does TriviaQA contain? A set of trivia questions": a name that says it. */
function isInName(question: string, answer: string): boolean {
  const names = question
    .split(/[^\p{L}]+/u)
    .filter((word) => /\p{Ll}\p{Lu}/u.test(word))
    .map((word) => word.toLowerCase());
  const words = answer
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length >= LEAST_START);
  return words.some((word) => names.some((name) => name.startsWith(word)));
}
const SAME_START = 0.5;

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

/** What speaks for several right answers where a deck need not be full. */
export function doubtInPlace(candidate: Candidate): number {
  const { style, question, answer } = candidate;
  const points = style !== "cloze" && WHICH_OF_THESE.test(answer) ? DOUBT_ASKED : 0;
  const isName = question.endsWith("named after?");
  const told = (style !== "definition" || isName) && isHalfTold(question, answer);
  const isWhole = told && isToldAlmostWhole(question, answer);
  const likened = LIKENED.test(question) ? DOUBT_ASKED : 0;
  return (
    points + likened + (told ? (isName || isWhole ? DOUBT_IN_PLACE : DOUBT_HALF_TOLD) : 0) + doubtOfFaces(candidate)
  );
}

/** "Two major components of it", "crucial players in it": what it belongs to, and not what it is. */
const SAYS_PART =
  /^(?:(?:Two|Three|Four|Some|Several|The two) )?(?:(?:an?|the) )?(?:main |major |crucial |vital |key |important |significant |essential )?(?:components?|players?|parts?|elements?|members?|features?|examples?) (?:of|in) (?:\S+ ?){1,7}$/i;
/** "Ropes are also the limbs of": one more thing that is said of them. */
const SAYS_MORE = /\b(?:is|are) also (?:an?|the)\b/i;
const DOUBT_OF_WHAT = 0.4;
/** "What is a special sac called?" */
const hasFewWords = (question: string) =>
  new Set(wordsOf(question).filter((word) => !isGeneralWord(singular(word)) && !SAYS_NOTHING.test(word))).size < 3;
const SAYS_NOTHING = /^(?:special|specialized|specific|certain|particular|large|small|like|called|termed|referred)$/;
/** "What is the disease called?" */
const A_THING =
  "(?:disease|condition|process|structure|reaction|method|pathway|association|relationship|compound|protein|cell|stage|phase|group|layer|region|area)s?";
const WHICH_THING = new RegExp(`\\b(?:is|are) the ${A_THING} (?:called|termed|referred|known|named)\\b`);
/** "In hens, the disease is called ____": which one? "In a middle layer called ____": of what? */
const NAMES_THING = new RegExp(
  `^(?:[^:?_]{2,60}: )?(?:In [^,]+, )?(?:[Tt]he ${A_THING} (?:is|are)|[^_.]*\\ban? \\w+ ${A_THING}) (?:often |also |sometimes )?(?:called|termed|known as|referred to as|named) (?:the |a/an )?____\\.$`,
);
/** "____ may play a part in it": so may many. */
const MAY_TAKE_PART =
  /^(?:[^:?_]{2,60}: )?____ (?:may|might|can|could) (?:also )?(?:be involved|play|have|help)\b|^(?:[^:?_]{2,60}: )?____ (?:plays?|have|has) (?:an? )?(?!no )(?:\w+ )?roles? in\b/;
/** "What is the term for a more useful sum, for salts such as soda?" */
const SAMPLE_ASKED = /\bterm for (?:(?:\S+ ){1,3}(?:such as|like|including) |an? (?:more|less|better) )/;
/** "This net of ropes is called": which net, was said before. */
const POINTS = /^(?:[\p{L} ]+, )?this \p{Ll}+ .*\b(?:called|known|termed|named)\b/iu;
/** "A blight of elms" for "elm blight". */
function holdsWord(question: string, answer: string): boolean {
  const around = new Set(wordsOf(question.toLowerCase()));
  return wordsOf(answer.toLowerCase()).some(
    (word) => word.length >= SHORTEST && !isGeneralWord(singular(word)) && around.has(word),
  );
}
/** "A poly-room house" for "polyhouse". */
const isBegun = (question: string, answer: string) =>
  wordsOf(question.toLowerCase().replaceAll("-", " ")).some(
    (word) => word.length >= LEAST_PART && !isGeneralWord(singular(word)) && answer.toLowerCase().startsWith(word),
  );
function doubtOfTerm({ question, answer, fact }: Candidate): number {
  if (
    OF_THE_THING.test(question) ||
    SAMPLE_ASKED.test(question) ||
    (fact.label !== undefined && answer.length <= SHORT)
  )
    return DOUBT_THIN;
  if (SAYS_WHERE.test(question.replace(/^.*?\bterm for |\?$/g, ""))) return DOUBT_ASKED;
  const isThin = WHICH_THING.test(question) || hasFewWords(question) || isBegun(question, answer);
  if (isThin || SAYS_MORE.test(fact.raw)) return DOUBT_OF_WHAT;
  return POINTS.test(fact.raw) || holdsWord(question, answer) ? DOUBT_HALF_TOLD : 0;
}
/** "Like gulls, why do": the likeness is not asked. */
const LIKENED = /^(?:[^:]{2,60}: )?Like [^,]+, (?:what|where|why|how|when)\b/;
/** A reason in the sentence before is often only half of it. */
const DOUBT_REASON_BEFORE = 0.3;

function doubtOfDefinition({ question, answer, fact }: Candidate): number {
  const isThin = [THIN_ANSWER, SAYS_PART, SAYS_SAMPLE, SAYS_PRAISE].some((thin) => thin.test(answer));
  if (isThin || SAYS_MORE.test(fact.raw)) return DOUBT_THIN;
  if (ASKS_TWO.test(question)) return DOUBT_ASKS_TWO;
  if (fact.label !== undefined && CODE_NAME.test(question)) return DOUBT_THIN;
  return ASKS_ANYTHING.test(question) || SAYS_WHERE.test(answer) ? DOUBT_ASKED : 0;
}

/** "Why is it more complex?" */
/** "Why is the molecule split?" */
const WHY_THE =
  /^(?:[^:]{2,60}: )?Why (?:is|are|was|were|do|does|did|can|must) the (?:enzyme|molecule|cell|protein|process|compound|structure|reaction|gene|result|information)s? (?!of\b|that\b|which\b|for\b|in\b)/;
const MORE_THAN_WHAT = /\b(?:more|less) \p{L}+\?$/u;

function doubtOfFaces(candidate: Candidate): number {
  const { style, question, answer, fact } = candidate;
  if (style === "term") return doubtOfTerm(candidate);
  if (style === "definition") return doubtOfDefinition(candidate);
  if (style === "cloze") return doubtOfBlank(candidate);
  if (style === "why" && (MORE_THAN_WHAT.test(question) || WHY_THE.test(question))) return DOUBT_ELSEWHERE_NAMED;
  const isHedged = style !== "short_form" && HEDGE.test(fact.raw) && !HEDGE.test(`${question} ${answer}`);
  const isAsked = style === "fact" && (ASKS_ANYTHING.test(question) || isInName(question, answer));
  return (isHedged ? DOUBT_HEDGED : 0) + (isAsked ? DOUBT_ASKED : 0);
}

/** What its form alone says for or against a card, where a deck need not be full and has better ones. */
export function doubtOfStyle({ style, question, answer, fact, withPrevious }: Candidate): number {
  if (style === "cloze") {
    const isNamed = fact.marked.some((m) => phraseKey(m) === phraseKey(answer)) || ASKS_NAME.test(question);
    return (withPrevious ? 0 : -CLEAR) + (isNamed ? 0 : DOUBT_AMID);
  }
  const isKnown = style === "fact" && IS_WHAT.test(question) && !SAYS_MORE.test(fact.raw);
  const own = isKnown ? 0 : (DOUBT_OF_STYLE[style] ?? 0);
  const isLong = style in DOUBT_OF_STYLE && wordsOf(answer).length >= LONG_ANSWER;
  return own + (isLong ? DOUBT_LONG : 0) + (style === "why" && withPrevious ? DOUBT_REASON_BEFORE : 0);
}

/** "If both sections are one": which two was said before. */
const BOTH_OF_WHAT =
  /\bboth (?:sections|parts|of these|groups|forms|types|cases|processes|sides|kinds|methods|steps)\b(?! (?:of|in))/i;

/** "Although ropes are seen under a ____, the", "As in a ____, the": what is only granted, likened or supposed. */
const GRANTED =
  /^(?:[^:]{2,60}: )?(?:Although|Though|While|As in|As with|Like|Unlike|Similar to|When|If|Where|Once|(?:In|By|Before|After) \p{L}+ing) [^,]*____[^,]*,/u;

/** "____ set modelling" for "risk", "____ of faults", "____ worse" for "even", "____ a file" for "closing": set off, and no name alone. */
function isHalfName({ tokens }: Fact, answer: string): boolean {
  const at = tokens.findIndex((t) => t.text === answer);
  const next = posAt(tokens, at + 1);
  const kind = posAt(tokens, at);
  if (at === -1) return false;
  if (/^(?:of|to|set|value|rate)$/.test(wordAt(tokens, at + 1))) return true;
  if (kind === "PROPN") return false;
  return kind === "VERB" ? next === "DET" || next === "PRON" : next === "NOUN" || (next === "ADJ" && kind === "ADV");
}

/** "The room around the ____ is called a gallery": the name it gives is another. */
const NAMES_OTHER =
  /^(?:[^:?_]{2,60}: )?(?!(?:The |An? |A\/an )?____)[^_.]+____[^.]* (?:is|are) (?:called|termed|known as|referred to as) (?!(?:an? |the |a\/an )?____)/;
const DOUBT_ELSEWHERE_NAMED = 0.6;

/** "Two kinds, called ____, for this step": which step was said before. */
const LEANS_AFTER =
  /____[^.]* (?:this|these) \p{Ll}+|\b(?:those|these latter) (?!that|of|who|which|with|in)\p{Ll}+|^(?:[^:?_]{2,60}: )?(?:Because (?:they|it)|Other \p{L}+,?) /u;
/** "Accepted forms of ____ include:": the forms are what is told. */
const FORMS_OF = /\b(?:forms?|kinds?|types?|examples?) of ____ (?:include|are)\b/;
/** "Because it is “fixed”, it is called ____": for "fixation". */
function isHalfQuoted(question: string, answer: string): boolean {
  const quoted = [...question.matchAll(/[“"](\p{L}{4,})[”"]/gu)].map(([, word = ""]) => word.slice(0, SHORTEST));
  return wordsOf(answer).some((word) => quoted.some((start) => word.toLowerCase().startsWith(start.toLowerCase())));
}
/** "____ is an important step", "the ____ of salt", "____ in the port are 80 percent": others are or have so too. */
const FEW_OF_MANY = [
  /____ (?:is|are) (?:an? )?(?:necessary|important|key|crucial|vital|essential|critical|major) /,
  /____ (?:is|are) one of (?:the|many|several) |____ is an? (?:[\p{L}-]+ ){0,3}process that requires /u,
  /____ (?:performs?|plays?|serves?|has|have) (?:specific|many|several|different|various|a range of) /,
  /(?<!\b(?:as|called|termed|named) )\bthe ____ of\b/,
  /^(?:[^:?_]{2,60}: )?____ .*\d ?(?:%|percent)/,
];
/** "____, the study of microboats,": for "Microlampology" the beginning tells. */
function isLikeNext(question: string, answer: string): boolean {
  const beside = /____, ([^,]+),/.exec(question)?.[1]?.toLowerCase() ?? "";
  const start = answer.toLowerCase().slice(0, LEAST_START);
  return !answer.includes(" ") && beside.split(/[^\p{L}]+/u).some((word) => word.startsWith(start));
}
/** "A lamp does not include a ____": there is much that it does not. */
const LACKS = /____ (?:(?:does|do|is|are) not (?:include|involve|contain|require|need)|(?:has|have) no)\b/;
/** "____ is ruled by the rho lamp" for "Rho-led night". */
function isPartTold(question: string, answer: string): boolean {
  const around = new Set(question.toLowerCase().split(/[^\p{L}]+/u));
  const parts = answer.split(" ").filter((word) => word.includes("-"));
  return parts.some((word) =>
    word
      .toLowerCase()
      .split("-")
      .some((part) => part.length >= SHORTEST && !isGeneralWord(part) && around.has(part)),
  );
}

/** The place of the blank. */
function doubtOfBlank({ question, answer, fact }: Candidate): number {
  if (isHinted(question, answer) || BOTH_OF_WHAT.test(question) || GRANTED.test(question)) return DOUBT_IN_PLACE;
  if (FORMS_OF.test(question) || isHalfQuoted(question, answer)) return DOUBT_IN_PLACE;
  if (isHalfName(fact, answer) || NAMES_THING.test(question)) return DOUBT_IN_PLACE;
  if (MAY_TAKE_PART.test(question)) return DOUBT_THIN;
  const isSetOff = fact.marked.some((m) => phraseKey(m) === phraseKey(answer));
  if (NAMES_OTHER.test(question) || LEANS_AFTER.test(question)) return DOUBT_ELSEWHERE_NAMED;
  if (FEW_OF_MANY.some((few) => few.test(question)) || isLikeNext(question, answer)) return DOUBT_HALF_TOLD;
  if (isPartTold(question, answer)) return DOUBT_IN_PLACE;
  if (LACKS.test(question) || SAYS_MORE.test(fact.raw)) return DOUBT_ASKED;
  return ONE_OF_SEVERAL.test(question) || (!isSetOff && WHICH_ONE.test(question)) ? DOUBT_IN_PLACE : 0;
}
/** "____ are towers", "towers called ____": the sentence is about it, or names it. */
const ASKS_NAME =
  /^(?:[^:?_]{2,60}: )?(?:(?:The|A\/an) )?____ (?!of\b)|\b(?:called|known as|termed|named|referred to as|designated)(?: the| an?| a\/an)? ____/;
/** Amid a sentence about something else two of five had other right answers. */
const DOUBT_AMID = 0.3;
