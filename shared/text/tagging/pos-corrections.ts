import { findMissedVerb, NOUN_OR_VERB } from "./missing-verbs.ts";
import { isNominal, isVerbal, posAt, type Token, wordAt } from "../tokens.ts";

const OPENS_PHRASE = /^(?:DET|ADJ|NUM|PRON|ADP|ADV|PART)$/;
const RELATIVE = new Set(["which", "who", "that"]);

const isThirdPerson = (t: Token) => t.lower.endsWith("s") && t.lemma !== t.lower;
const isPluralLike = (t: Token) => /[^sui]s$/.test(t.lower);
const opensPhrase = (t: Token | undefined) => t === undefined || OPENS_PHRASE.test(t.pos) || RELATIVE.has(t.lower);

/** A word with its neighbours, and whether the clause already has a verb. */
interface TokenPosition {
  tokens: readonly Token[];
  i: number;
  token: Token;
  before: Token | undefined;
  after: Token | undefined;
  hasVerb: boolean;
}

/** "which states that", "cells that process the": a noun after a relative pronoun is the verb. */
function isVerbOfRelative({ token, before, after, tokens, i }: TokenPosition): boolean {
  if (!before || !RELATIVE.has(before.lower)) return false;
  if (before.lower !== "that") return opensPhrase(after) || wordAt(tokens, i + 1).endsWith("ing");
  return isNominal(tokens[i - 2]) && NOUN_OR_VERB.has(token.lemma) && (opensPhrase(after) || isNominal(after));
}

function agrees({ token, before, tokens, i }: TokenPosition): boolean {
  if (!before) return false;
  if (isThirdPerson(token)) return !isPluralLike(before);
  return isPluralLike(before) || tokens.slice(Math.max(0, i - 6), i).some((t) => t.lower === "and");
}

/** "releases dissociated parts": the participle belongs to the noun after it. */
const isParticipleWithNoun = (tokens: readonly Token[], i: number) =>
  wordAt(tokens, i).endsWith("ed") && isPluralLike(tokens[i + 1] ?? NO_TOKEN) && isNominal(tokens[i + 1]);
const NO_TOKEN: Token = { text: "", lower: "", pos: "", lemma: "", start: 0, end: 0 };

/** "Mitochondria use oxygen": in a clause without a verb, a noun that can be one. */
function isVerbOfClause(position: TokenPosition): boolean {
  const { token, before, after, tokens, i } = position;
  const next = wordAt(tokens, i + 1);
  if (position.hasVerb || !isNominal(before) || next === "of" || !agrees(position)) return false;
  const opens = opensPhrase(after) || isNominal(after);
  if (NOUN_OR_VERB.has(token.lemma)) return opens || isParticipleWithNoun(tokens, i + 1);
  const hasVerbSuffix = /(?:[^s]ize|ify|ylate)s?$/.test(token.lower) && token.lower.length > 6;
  return (hasVerbSuffix && opens) || (isThirdPerson(token) && /^(?:the|a|an|its|their)$/.test(next));
}

/** "T, a thing of its kind, moves the": the verb follows the comma after an aside. */
function isVerbAfterParenthesis({ token, before, after, hasVerb, i }: TokenPosition): boolean {
  if (hasVerb || before?.text !== "," || i < 4) return false;
  return isThirdPerson(token) && NOUN_OR_VERB.has(token.lemma) && /^(?:DET|PRON)$/.test(after?.pos ?? "");
}

/** "absorb light and use the": after "and" a second verb of the same subject. */
function isSecondVerb({ token, before, after, hasVerb }: TokenPosition): boolean {
  if (!hasVerb || before?.lower !== "and" || token.lemma !== token.lower) return false;
  return NOUN_OR_VERB.has(token.lemma) && /^(?:DET|ADJ|NOUN|PROPN)$/.test(after?.pos ?? "");
}

function correctNoun(position: TokenPosition): void {
  const { token, after } = position;
  const isFollowed = isVerbal(after) && !/(?:ing|ed)$/.test(after?.lower ?? "");
  if (token.pos !== "NOUN" || isFollowed || isNounOfSubject(position)) return;
  if (
    isVerbOfRelative(position) ||
    isVerbOfClause(position) ||
    isVerbAfterParenthesis(position) ||
    isSecondVerb(position)
  )
    token.pos = "VERB";
}

/** "highlighting using colours": these words never modify the next one. */
const JOINING = /^(?:using|including|containing|involving|regarding|following)$/;

const isParticiple = (word: string) => /(?:ing|ed|en)$/.test(word) && !JOINING.test(word);

/** "the signaling molecule", "an enclosed space": participles before a noun modify it. */
function correctParticiple({ token, before, after }: TokenPosition): void {
  if (token.pos !== "VERB" || !isNominal(after) || !before || !isParticiple(token.lower)) return;
  const isGerund = token.lower.endsWith("ing");
  // "must follow controlling authority": few verbs take a gerund as object.
  const isObject = isGerund && before.pos === "VERB" && TAKES_GERUND.test(before.lemma);
  const isAfter = before.pos === "ADP" ? !isGerund : /^(?:DET|ADJ|NUM)$/.test(before.pos);
  if (isObject || isAfter) token.pos = "ADJ";
}

const TAKES_GERUND = /^(?:follow|have|contain|need|form|hold|carry|build|apply|provide|receive|obtain|produce)$/;

/** "the average inference cost of each": few verbs are followed by "of". */
const isNounBeforeOf = ({ token, after, before }: TokenPosition) =>
  token.pos === "VERB" &&
  after?.lower === "of" &&
  (before?.pos === "NOUN" || before?.pos === "ADJ" || before?.pos === "DET") &&
  token.lower === token.lemma &&
  !/^(?:consist|think|speak|dispose|die|hear|know|dream|approve|smell|complain|conceive)$/.test(token.lemma);

const REPORTING_VERB =
  /^(?:show|suggest|mean|say|think|believe|know|find|indicate|demonstrate|reveal|argue|claim|propose|hold|state|feel|hope|see|note|report|ensure|assume|predict|explain|understand|be|have|do)$/;

/** "Debtor tax returns in the office must be kept": the first of two unconnected verbs is a noun. */
function isNounOfSubject({ token, tokens, i, before }: TokenPosition): boolean {
  if (!(isNominal(before) || before?.pos === "ADJ") || /(?:ed|ing)$/.test(token.lower)) return false;
  if ((token.lower !== token.lemma && !token.lower.endsWith("s")) || REPORTING_VERB.test(token.lemma)) return false;
  if (tokens.slice(0, i).some((t) => JOINS.test(t.lower) || t.pos === "AUX")) return false;
  const next = tokens.findIndex((t, j) => j > i && (t.pos === "AUX" || JOINS.test(t.lower) || t.pos === "VERB"));
  return next > i && (carriesTense(tokens, next) || (isBareAfterAdverb(tokens, next) && token.lower.endsWith("s")));
}

const carriesTense = (tokens: readonly Token[], at: number) =>
  posAt(tokens, at) === "AUX" && /^(?:is|are|was|were|must|should|can|will|may|shall)$/.test(wordAt(tokens, at));

/** "Names for fields always need": an adverb before the verb. */
const isBareAfterAdverb = (tokens: readonly Token[], at: number) =>
  posAt(tokens, at) === "VERB" &&
  tokens[at]?.lower === tokens[at]?.lemma &&
  /^(?:always|often|usually|never|rarely|sometimes|typically)$/.test(wordAt(tokens, at - 1));
const JOINS =
  /^(?:[,;:—–]|that|which|who|whose|where|when|if|because|and|or|but|to|how|what|why|as|than|it|they|we|you|i)$/;

const modifies = (t: Token) => t.pos === "ADJ" || (t.pos === "VERB" && /(?:ed|ing|en)$/.test(t.lower));

/** "a tested and confirmed account": both words modify the noun. */
function correctPair({ tokens, i, before }: TokenPosition): void {
  const [first, and, second, noun] = tokens.slice(i, i + 4);
  if (before?.pos !== "DET" || !first || !second || !/^(?:and|or|,)$/.test(and?.text ?? "") || !isNominal(noun)) return;
  if (!modifies(first) || !modifies(second)) return;
  first.pos = "ADJ";
  second.pos = "ADJ";
}

const WRONG_TAG: ReadonlyMap<string, string> = new Map(
  Object.entries({
    whereas: "SCONJ",
    whose: "PRON",
    which: "PRON",
    when: "SCONJ",
    whenever: "SCONJ",
    because: "SCONJ",
    although: "SCONJ",
    if: "SCONJ",
    while: "SCONJ",
    once: "SCONJ",
    unlike: "ADP",
    thereby: "ADV",
    both: "DET",
    does: "AUX",
    do: "AUX",
    did: "AUX",
  }),
);

const ADJECTIVE_BEFORE_TO = /^(?:equivalent|similar|opposite|parallel|proportional|due|equal|next)$/;

/** "when fog hides the": the word after "when" is the subject, the next one the verb. */
function isSubjectAfterConjunction({ tokens, i, token, before, after }: TokenPosition): boolean {
  if (before?.pos !== "SCONJ" || token.pos !== "VERB" || /(?:ing|ed)$/.test(token.lower)) return false;
  return after?.pos === "NOUN" && isThirdPerson(after) && posAt(tokens, i + 2) === "DET";
}

/** "are plant cells": no bare verb follows "be", except invariable ones. */
const isNounAfterBe = ({ token, before, after }: TokenPosition) =>
  token.pos === "VERB" &&
  /^(?:is|are|was|were|be|been)$/.test(before?.lower ?? "") &&
  isNominal(after) &&
  token.lower === token.lemma &&
  !/(?:ed|en|ing)$|^(?:put|set|cut|hit|read|spread|split|shut|let|cast|shed|run|become|come|bound|found|wound|held|made|kept)$/.test(
    token.lower,
  );

/** Words whose tag depends on their neighbours; the first matching rule wins. */
const BY_NEIGHBOURS: readonly [pos: string, matches: (position: TokenPosition) => boolean][] = [
  // "the abiotic, non-living parts"
  ["ADJ", ({ token, after }) => token.pos === "VERB" && /-.*ing$/.test(token.lower) && isNominal(after)],
  // "phase I": a numeral, not a person.
  ["PROPN", ({ token, before }) => token.text === "I" && isNominal(before)],
  ["PRON", ({ token, before, after }) => token.lower === "that" && isVerbal(after) && isNominal(before)],
  ["ADJ", ({ token, after }) => ADJECTIVE_BEFORE_TO.test(token.lower) && after?.lower === "to"],
  ["NOUN", ({ token, before }) => token.lower === "complex" && token.pos === "ADJ" && isNominal(before)],
  [
    "NOUN",
    ({ token, before, after }) =>
      token.pos === "ADJ" && before?.pos === "DET" && (after?.pos === "AUX" || after?.lower === "of"),
  ],
  ["NOUN", isNounAfterBe],
  ["NOUN", isSubjectAfterConjunction],
  ["NOUN", isNounBeforeOf],
  ["NOUN", (position) => position.token.pos === "VERB" && isNounOfSubject(position)],
];

function correctWord(position: TokenPosition): void {
  const { token } = position;
  token.pos = WRONG_TAG.get(token.lower) ?? token.pos;
  token.pos = BY_NEIGHBOURS.find(([, matches]) => matches(position))?.[0] ?? token.pos;
}

/** "flamingos lay eggs": the verb with an object is "lay", not "lie". */
function correctLay({ token, after }: TokenPosition): void {
  if (token.lower === "lay" && token.pos === "VERB" && /^(?:DET|ADJ|NOUN|NUM)$/.test(after?.pos ?? ""))
    token.lemma = "lay";
}

const isParticipleName = (t: Token) => /ing$|^(?:called|termed|named)$/.test(t.lower);

/** Corrects the most frequent tagging errors, from left to right. */
export function correctTags(tokens: readonly Token[]): void {
  let hasVerb = false;
  for (const [i, token] of tokens.entries()) {
    const before = tokens[i - 1];
    const position: TokenPosition = { tokens, i, token, before, after: tokens[i + 1], hasVerb };
    correctWord(position);
    correctPair(position);
    correctParticiple(position);
    correctNoun(position);
    correctLay(position);
    if ((token.pos === "PUNCT" && !/^[-,]$/.test(token.text)) || token.pos === "SCONJ") hasVerb = false;
    if (isVerbal(token) && !isParticipleName(token) && before?.lower !== "to") hasVerb = true;
  }
  const missed = findMissedVerb(tokens);
  if (missed) missed.pos = "VERB";
}
