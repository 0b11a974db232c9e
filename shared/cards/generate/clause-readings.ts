import { asAnswer, asQuestion, type Candidate, isShort, wordCount } from "./candidates.ts";
import { type Clause, textOf } from "#shared/text/clauses.ts";
import type { Fact } from "../source/facts.ts";
import { hasAgreementError, invert, type Inverted, leadText } from "./inversion.ts";
import { isIdentifiedByOpening, isNamed, type Lexicon, lowerFirst } from "../source/lexicon.ts";
import { cutSecondFact } from "../source/clause-splitting.ts";
import { isGeneralWord } from "../source/terms.ts";
import { isNominal, posAt, type Token, wordAt } from "#shared/text/tokens.ts";
import { singular } from "#shared/text/words.ts";

/** A clause prepared for questions. */
export interface Reading {
  fact: Fact;
  clause: Clause;
  lead: string;
  subject: string;
  inverted: Inverted;
  /** The text after the verb, without a second fact. */
  rest: Token[];
  lexicon: Lexicon;
}

/** Undefined if subject, verb or opening are uncertain or depend on other sentences. */
export function readRelation(fact: Fact, lexicon: Lexicon): Reading | undefined {
  const clause = fact.clause;
  if (!fact.isSelfContained || !clause || !isShort(clause.subject, 10) || hasAgreementError(clause)) return undefined;
  if (
    /^an? (?:recent|concurrent|previous|prior|earlier) (?:work|study|paper)$/i.test(textOf(clause.subject, fact.text))
  )
    return undefined;
  // The text before a colon says little without the text after it.
  if (/^(?:PUNCT|SYM)$/.test(posAt(clause.rest, 0)) || clause.rest.some((t) => t.text === ":")) return undefined;
  const inverted = invert(clause, fact.text);
  const lead = leadText(clause, fact);
  if (!inverted || lead === undefined) return undefined;
  if (!isNamed(clause.subject, lexicon) && !isIdentifiedByOpening(clause, lexicon)) return undefined;
  const subject = lowerFirst(textOf(clause.subject, fact.text), lexicon);
  return { fact, clause, lead, subject, inverted, rest: cutSecondFact(clause.rest), lexicon };
}

const MAX_ANSWER = 20;

/** The phrase up to its first verb or comma. */
function headOf(tokens: readonly Token[]): readonly Token[] {
  const stop = tokens.findIndex((t, i) => i > 0 && /^(?:VERB|PUNCT|SCONJ)$/.test(t.pos));
  return tokens.slice(0, stop === -1 ? 8 : Math.min(stop, 8));
}

/** "The association" refers to an earlier sentence, unless the source explains that term. */
const isEvent = (word: string, { terms }: Lexicon) =>
  /(?:[ts]ion|ment|ance|ence|ness|ity|ship)s?$/.test(word) && terms.get(word)?.isMarked !== true;

function refersBack(tokens: readonly Token[], lexicon: Lexicon): boolean {
  if (posAt(tokens, 0) === "PRON" && !/^(?:that|what|how)$/.test(wordAt(tokens, 0))) return true;
  if (tokens.length === 2 && wordAt(tokens, 0) === "the" && isEvent(wordAt(tokens, 1), lexicon)) return true;
  const isDefinite = /^(?:the|its|their|this|these|such)$/.test(wordAt(tokens, 0));
  return isDefinite && !isNamed(headOf(tokens), lexicon);
}

/** "In many different forms" has no content. */
const UNINFORMATIVE = /^(?:different|various|several|certain|particular|similar|other)$/;

const isInformative = (tokens: readonly Token[]) =>
  tokens.some((t) => isNominal(t) && !isGeneralWord(singular(t.lower))) ||
  (tokens.length > 1 &&
    tokens.some(
      (t) =>
        /^(?:ADJ|VERB)$/.test(t.pos) && t.lower.length > 4 && !isGeneralWord(t.lower) && !UNINFORMATIVE.test(t.lower),
    ));

/** "improves the accuracy consistently": the manner isn't part of the object. */
function withoutManner(tokens: readonly Token[]): readonly Token[] {
  const [before, last] = tokens.slice(-2);
  return tokens.length > 2 && last?.pos === "ADV" && last.lower.endsWith("ly") && isNominal(before)
    ? tokens.slice(0, -1)
    : tokens;
}

/** The words as an answer; undefined if they aren't suitable. */
export function answerText({ fact, lexicon }: Reading, tokens: readonly Token[]): string | undefined {
  const answer = asAnswer(textOf(withoutManner(tokens), fact.text));
  const count = wordCount(answer);
  if (count === 0 || count > MAX_ANSWER || !isInformative(tokens) || refersBack(tokens, lexicon)) return undefined;
  return answer;
}

/** The term of the clause's subject. */
function termOf({ lexicon, subject }: Reading): Pick<Candidate, "termKey"> {
  const [term] = lexicon.terms.findIn(subject).toSorted((a, b) => b.weight - a.weight);
  return term ? { termKey: term.key } : {};
}

/** A question from these words after the lead; undefined without an answer. */
export function buildQuestion(
  reading: Reading,
  words: readonly (string | undefined)[],
  answer: string | undefined,
): Candidate | undefined {
  if (answer === undefined) return undefined;
  const question = asQuestion(reading.lead, ...words);
  return { style: "fact", question, answer, fact: reading.fact, ...termOf(reading) };
}
