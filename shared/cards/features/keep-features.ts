import { BLANK } from "../schema.ts";
import { CARD_STYLES, type CardStyle } from "../generate/candidates.ts";
import type { CardText } from "./ranked-candidates.ts";
import type { PhraseFacts } from "../source/phrase-facts.ts";
import { termFeaturesOf, termLikelihood } from "./term-likelihood.ts";

const lowerWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
const capped = (value: number, most: number) => Math.min(1, value / most);
const flag = (isSet: boolean) => (isSet ? 1 : 0);

const FUNCTION_WORD =
  /^(?:a|an|the|of|in|on|at|to|for|from|by|with|as|is|are|was|were|be|and|or|but|that|which|it|its|their|this|these|what|how|why|when|who|does|do|did|can)$/;
const GENERAL_WORD =
  /^(?:people|countries|wages|consequences|operations|users?|things?|ways?|parts?|results?|analysis|devices?|programs?|children|function|research|country|world|year|time|number|design|technology|matter|quality|problem|goods?|life|work|group|process)s?$/;

/** The question without its heading. */
const withoutHeading = (question: string) => question.replace(/^[^:?_]{2,60}: /, "");

interface Words {
  isBlank: boolean;
  /** The question without its heading. */
  bare: string;
  /** Position of the blank in the sentence, from 0 to 1. */
  blankPosition: number;
  question: string[];
  answer: string[];
}

function wordsIn({ question, answer }: CardText): Words {
  const bare = withoutHeading(question);
  const isBlank = question.includes(BLANK);
  return {
    isBlank,
    bare,
    blankPosition: isBlank ? bare.indexOf(BLANK) / Math.max(1, bare.length) : 0,
    question: lowerWords(bare.replace(BLANK, " ")),
    answer: lowerWords(answer),
  };
}

const blankFeatures = ({ isBlank, bare, blankPosition }: Words): Record<string, number> => ({
  isBlank: flag(isBlank),
  blankFirst: flag(isBlank && /^(?:(?:The|A\/an|An?) )?____/.test(bare)),
  blankLast: flag(isBlank && /____\W*$/.test(bare)),
  blankMiddle: flag(isBlank && blankPosition > 0.1 && blankPosition < 0.9),
  blankNamed: flag(/\b(?:called|known as|termed|named|referred to as|term) (?:an? |the |a\/an )?____/.test(bare)),
  blankGlossed: flag(/____(?:, (?:or|the|an?)\b|:| is (?:an?|the)\b| are\b)/.test(bare)),
  blankTwoSentences: flag(isBlank && /[.!?] \p{Lu}/u.test(bare)),
});

const formFeatures = ({ bare, question: [first = ""] }: Words): Record<string, number> => ({
  whatIs: flag(/^What (?:is|are) [^?]{2,50}\?$/.test(bare)),
  whatIsCalled: flag(/\b(?:called|known as|the term for|referred to as|named)\b.*\?$/.test(bare)),
  whatDoes: flag(/^What (?:do|does|did|can|may|must|will|would|could|has|have)\b/.test(bare)),
  whatVerb: flag(/^What (?!is|are|do|does|did|can|may|must|will|would|has|have|happens)\p{Ll}+/u.test(bare)),
  why: flag(/\bwhy\b/i.test(bare)),
  how: flag(first === "how"),
  whatHappens: flag(/\bWhat happens\b/i.test(bare)),
  standsFor: flag(/\bstand for\?/.test(bare)),
  cell: flag(/\blisted under\b|“[^”]+” (?:of|for) “/.test(bare)),
  passive: flag(/^What (?:is|are|was|were) .+(?:ed|en) (?:to|by|in|for|into|as|on)\?$/.test(bare)),
});

function textFeatures({ question }: CardText, words: Words): Record<string, number> {
  const { bare, question: questionWords, answer: answerWords } = words;
  const content = questionWords.filter((word) => !FUNCTION_WORD.test(word));
  const shared = answerWords.filter((word) => questionWords.includes(word) && !FUNCTION_WORD.test(word));
  return {
    openingClause: flag(
      /^(?:In|On|At|For|When|If|While|During|Under|Like|Unlike|Throughout|Because|As)\b[^?]{3,90},/.test(bare),
    ),
    pointsBack: flag(/\b(?:this|these|that|those|such|another|other|therefore|however|also|similar)\b/i.test(bare)),
    pronoun: flag(/\b(?:it|they|he|she|their|his|her|its|you|your|we)\b/i.test(bare)),
    hedge: flag(/\b(?:often|usually|may|might|can|some|sometimes|typically|generally|many|most)\b/i.test(bare)),
    orders: flag(/^(?:use|input|compute|take|first|check|look|be aware|given|consider)\b/i.test(bare)),
    example: flag(/\b(?:one study|example|for instance|researched|experiment)\b/i.test(bare)),
    year: flag(/\b1[5-9]\d\d|\b20\d\d/.test(question)),
    questionLength: capped(questionWords.length, 32),
    questionContent: capped(content.length, 16),
    shortQuestion: flag(content.length < 3),
    longQuestion: flag(questionWords.length > 22),
    overlap: capped(shared.length, 3),
  };
}

/** Faults that parsers and templates leave behind: code, stray signs, incomplete phrases. */
function faultFeatures({ question, answer }: CardText, { bare, isBlank }: Words): Record<string, number> {
  const text = bare.replace(BLANK, "");
  return {
    code: flag(CODE_SIGNS.test(text + answer)),
    strayMark: flag(/[•*=]|\s[.;:]|\s,|^[^\p{L}\p{N}_“"'(]|\p{L}\d+\b/u.test(bare)),
    dangling: flag(/\b(?:be|is|are|was|to|of|with|for|than|and|or|by|the|fall|release)\?$/.test(bare)),
    cutShort: flag(/\b(?:and|or|of|the|an?|some|to|in|with|for|that|which|bzw)$/i.test(answer)),
    answerSmall: flag(FUNCTION_WORD.test(answer.toLowerCase())),
    answerManner: flag(/^\p{L}+ly\b|^(?:In|By|Due|For|To|When|After|Before|So)\b/u.test(answer)),
    answerPeople: flag(/^\p{Lu}?\p{Ll}+(?:ists|ians|ers|ors|ments)$/u.test(answer)),
    figures: flag(/\$ ?\d|\d%|\d,\d{3}|\bpoint \p{Lu}\b/u.test(bare + answer)),
    would: flag(/\b(?:would|will|should|must)\b/.test(bare)),
    past: flag(/\b(?:was|were|had|did)\b/.test(bare)),
    namesOne: flag(/(?<=\p{Ll},? )\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u.test(isBlank ? bare : "")),
    underHeading: flag(bare !== question),
  };
}

const answerFeatures = (
  { answer }: CardText,
  { isBlank, blankPosition, answer: answerWords }: Words,
): Record<string, number> => ({
  answerLength: capped(answerWords.length, 20),
  answerOneWord: flag(answerWords.length === 1),
  answerTwoOrThree: flag(answerWords.length === 2 || answerWords.length === 3),
  answerLong: flag(answerWords.length > 10),
  answerGeneral: flag(answerWords.length > 0 && answerWords.every((word) => GENERAL_WORD.test(word))),
  answerName: flag(/^\p{Lu}\p{Ll}+(?: \p{Lu}[\p{L}’'-]+)+$/u.test(answer)),
  answerCapital: flag(isBlank && blankPosition > 0.05 && /^\p{Lu}/u.test(answer)),
  answerArticle: flag(/^(?:The|An?) /.test(answer)),
  answerList: flag(/,.*\band\b|;/.test(answer)),
  answerDefines: flag(/^(?:The|An?) .{15,}(?:that|which|who|of|when|where|by|for)\b/.test(answer)),
  answerLongWord: capped(Math.max(0, ...answerWords.map((word) => word.length)), 14),
});

/** Properties of a candidate, besides its words, that influence whether readers keep its card. */
export const CANDIDATE_FLAGS = [
  "marked_sentence",
  "marked_term",
  "has_term",
  "leaning",
  "example",
  "part",
  "with_previous",
  "with_next",
  "filler",
  "sparse",
  "last_resort",
] as const;
export type CandidateFlag = (typeof CANDIDATE_FLAGS)[number];

/** The ranker's input: a card with what the engine found out about it. */
export interface RankedText extends CardText {
  style: CardStyle;
  /** The engine's score for a deck that need not be full. */
  score: number;
  signs: readonly CandidateFlag[];
  /**
   * The share of sentences of the source with signs of code or formulas: high in manuals, next to none in textbooks.
   */
  codeShare: number;
  /** How the source uses the phrase that the card asks for or about, if it is one. */
  facts?: PhraseFacts | undefined;
}

const CODE_SIGNS = /\\|[{}$^<>|]|\p{L}_\p{L}|\(\)/u;
export const hasCodeSigns = (text: string): boolean => CODE_SIGNS.test(text);
/** From this share on a source is a manual, a paper or notes of formulas rather than a textbook. */
export const TECHNICAL_SHARE = 0.1;

const toUnitRange = (value: number, low: number, high: number) =>
  Math.min(1, Math.max(0, (value - low) / (high - low)));

const engineFeatures = ({ style, score, signs, codeShare }: RankedText): Record<string, number> => ({
  scoreLow: toUnitRange(score, 0, 1),
  scoreHigh: toUnitRange(score, 1, 2),
  technical: toUnitRange(codeShare, 0.05, 0.2),
  ...Object.fromEntries(CANDIDATE_FLAGS.map((sign) => [`sign_${sign}`, flag(signs.includes(sign))])),
  ...Object.fromEntries(CARD_STYLES.map((name) => [`style_${name}`, flag(name === style)])),
});

/** Features that are meaningful only in combination, such as a blank for a term that is not emphasised. */
function jointFeatures({ question, answer, signs }: RankedText, words: Words): Record<string, number> {
  const { bare, isBlank, question: questionWords } = words;
  const isMarked = signs.includes("marked_term");
  const content = questionWords.filter((word) => !FUNCTION_WORD.test(word)).length;
  return {
    plainDefinition: flag(!isMarked && /^What (?:is|are) [^?]{2,50}\?$/.test(bare)),
    definiteSubject: flag(/^What (?:is|are) the (?:\p{L}+ ?){1,2}\?$/u.test(bare)),
    plainBlank: flag(!isMarked && isBlank),
    sparseBlank: flag(isBlank && content < 6),
    denseBlank: flag(isBlank && content >= 10),
    commonAnswer: flag(isBlank && !isMarked && /^\p{Ll}+$/u.test(answer)),
    numbered: flag(/\b(?:first|second|third|fourth|final|last|two|three|four)\b/i.test(bare)),
    opensOnThe: flag(isBlank && /^The (?!____)/.test(bare)),
    negated: flag(/\bnot\b|n[’']t\b/.test(bare)),
    headingIsAnswer: flag(
      bare !== question && question.slice(0, -bare.length).toLowerCase().includes(answer.toLowerCase()),
    ),
  };
}

/** Whether what a blank hides, or a question asks about, is a term of its source. */
function termFeatures({ facts }: RankedText, { isBlank }: Words): Record<string, number> {
  if (facts === undefined) return {};
  const likelihood = termLikelihood(facts);
  const { once = 0, commonest = 0, capital = 0, inHeading = 0, opensSmall = 0, mixed = 0 } = termFeaturesOf(facts);
  return {
    termInBlank: isBlank ? likelihood : 0,
    termAsked: isBlank ? 0 : likelihood,
    termOnce: once,
    termCommon: commonest,
    termName: capital,
    termInHeading: inHeading,
    termOpensSmall: opensSmall,
    termMixed: mixed,
  };
}

/** All features of a card by name, each between 0 and 1. */
export function featuresOf(card: RankedText): Record<string, number> {
  const words = wordsIn(card);
  return {
    ...engineFeatures(card),
    ...blankFeatures(words),
    ...formFeatures(words),
    ...textFeatures(card, words),
    ...faultFeatures(card, words),
    ...answerFeatures(card, words),
    ...jointFeatures(card, words),
    ...termFeatures(card, words),
  };
}
