import { type Clause, textOf } from "#shared/text/clauses.ts";
import type { Fact } from "../source/facts.ts";
import { isNominal, type Token, wordAt } from "#shared/text/tokens.ts";
import { isAuxiliary, isBe, isModal } from "#shared/text/verbs.ts";

export function thirdPerson(lemma: string): string {
  if (/(?:s|x|z|ch|sh|o)$/.test(lemma)) return `${lemma}es`;
  return /[^aeiou]y$/.test(lemma) ? `${lemma.slice(0, -1)}ies` : `${lemma}s`;
}

/** The verb group split around the subject of a question: "does | bind", "is | found". */
export interface Inverted {
  auxiliary: string;
  verb: string;
}

const NEGATION = /^(?:not|n't|n’t|never|cannot|only|hardly|rarely)$/;
const FULL_VERBS: ReadonlyMap<string, string> = new Map([
  ["has", "have"],
  ["have", "have"],
  ["had", "have"],
  ["does", "do"],
  ["do", "do"],
  ["did", "do"],
]);

function doFor(first: Token, base: string): string {
  if (first.lower === base) return "do";
  const isPresent = first.lower === "has" || (first.lower.endsWith("s") && first.lower !== "was");
  return isPresent ? "does" : "did";
}

/** "organisms have body structures": the tagger takes "structures" for a participle. */
const isMistaggedParticiple = (first: Token, last: Token | undefined) =>
  /^(?:has|have|had)$/.test(first.lower) &&
  last?.pos === "VERB" &&
  last.lower === last.lemma &&
  !/^(?:become|come|run|put|set|cut|hit|read|spread|split|shut|let|cast|cost|shed|overcome)$/.test(last.lower);

/** Undefined if the verb is negated or unknown. */
export function invert(clause: Clause, text: string): Inverted | undefined {
  const [first, ...others] = clause.verbs;
  if (!first || clause.verbs.some((t) => NEGATION.test(t.lower))) return undefined;
  const adverbs = others.filter((t) => t.pos === "ADV");
  // "grew very tired": the adverb belongs to what follows.
  if (adverbs.some((t) => /^(?:very|so|too|quite|rather)$/.test(t.lower))) return undefined;
  const fullVerb = others.length === adverbs.length ? FULL_VERBS.get(first.lower) : undefined;
  // "must select" with "select" not recognised as a verb.
  if ((isModal(first) && others.length === adverbs.length) || isMistaggedParticiple(first, others.at(-1)))
    return undefined;
  if (isAuxiliary(first) && fullVerb === undefined) return { auxiliary: first.lower, verb: textOf(others, text) };
  const base = fullVerb ?? first.lemma;
  if (!/^\p{Ll}+$/u.test(base)) return undefined;
  return { auxiliary: doFor(first, base), verb: [...adverbs.map((t) => t.text), base].join(" ") };
}

/** "is not needed", "do not pair": only a question for the reason may keep the "not". */
export function invertWhy(clause: Clause, text: string): Inverted | undefined {
  const [first, not, ...others] = clause.verbs;
  if (!first || not?.lower !== "not") return invert(clause, text);
  // "do not light" with "light" not recognised as a verb.
  if (!isAuxiliary(first) || (others.length === 0 && !isBe(first))) return undefined;
  const plain = invert({ ...clause, verbs: [first, ...others] }, text);
  return plain && { ...plain, verb: `not ${plain.verb}`.trim() };
}

const SCENE_PREPOSITION =
  /^(?:in|during|at|within|on|among|under|for|inside|throughout|across|unlike|like|without|with|by)$/;
const VAGUE_REFERENCE =
  /\b(?:this|these|those|such|other|addition|same time|fact|general|contrast|turn|case|example|way|particular)\b/i;

/** "In prokaryotes," as a lead; undefined if the opening isn't a plain setting. */
export function leadText(clause: Clause, fact: Fact): string | undefined {
  if (clause.lead.length === 0) return "";
  const lead = textOf(clause.lead, fact.text);
  const isPlain = clause.lead.length <= 8 && clause.lead.every((t) => t.pos !== "PRON" && t.pos !== "VERB");
  return isPlain && SCENE_PREPOSITION.test(wordAt(clause.lead, 0)) && !VAGUE_REFERENCE.test(lead)
    ? `${lead},`
    : undefined;
}

const isOfPhrase = (t: Token) =>
  t.pos === "ADP" || t.pos === "VERB" || /^(?:that|which|who|where|each|every)$/.test(t.lower);

const PLURAL = /[^sui]s$|(?:i|a|ae|people|men|children|species|series|teeth|feet|mice|lice)$/;

const isJoined = (subject: readonly Token[]) => subject.some((t) => /^(?:and|or)$/.test(t.lower));

/** "antibody cross": a singular noun with a verb without -s. */
const lacksEnding = (last: Token, verb: Token) =>
  verb.lower === verb.lemma && !PLURAL.test(last.lower) && last.text === last.lower;

/** "a repetition operator that appears … parenthesized". */
const isSingular = (subject: readonly Token[]) =>
  /^(?:a|an|each|every)$/.test(subject[0]?.lower ?? "") && !isJoined(subject);

/** "cell products represents", "antibody cross": subject and verb don't agree, so one was misread. */
export function hasAgreementError({ subject, verbs: [first] }: Clause): boolean {
  const last = subject.at(-1);
  if (!first || !last || isAuxiliary(first)) return false;
  if (isSingular(subject) && first.lower === first.lemma) return true;
  if (!isNominal(last) || subject.some(isOfPhrase)) return false;
  if (/[^sui]s$/.test(last.lower)) return first.lower !== first.lemma && first.lower.endsWith("s");
  return !isJoined(subject) && lacksEnding(last, first);
}
