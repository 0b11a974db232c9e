import { asAnswer, asQuestion, type Candidate, wordCount } from "./candidates.ts";
import { type Clause, mainText, readClause, textOf, trimEnd } from "#shared/text/clauses.ts";
import { askComparison } from "./comparisons.ts";
import type { Fact } from "../source/facts.ts";
import { invert, invertWhy, leadText } from "./inversion.ts";
import { isNamed, type Lexicon, lowerFirst } from "../source/lexicon.ts";
import { cutAfterVerb, cutSecondFact } from "../source/clause-splitting.ts";
import type { Term } from "../source/terms.ts";
import { posAt, type Token, wordAt } from "#shared/text/tokens.ts";
import { isAuxiliary, isBe, RELATIVES } from "#shared/text/verbs.ts";
import { phraseKey } from "#shared/text/words.ts";

/** Turns a clause into a "why", "how" or "when" question. */
export function askClause(word: string, clause: Clause, fact: Fact, lexicon: Lexicon): string | undefined {
  const inverted = word === "why" ? invertWhy(clause, fact.text) : invert(clause, fact.text);
  const lead = leadText(clause, fact);
  if (!inverted || lead === undefined || !isNamed(clause.subject, lexicon)) return undefined;
  const subject = lowerFirst(textOf(clause.subject, fact.text), lexicon);
  const rest = textOf(clause.rest, fact.text);
  if (/\b(?:this|these|those|such)\b/i.test(`${subject} ${rest}`)) return undefined;
  return asQuestion(lead, word, inverted.auxiliary, subject, inverted.verb, rest);
}

/** Where a reason, a means or a time starts within a sentence. */
interface Hinge {
  style: "why" | "how" | "when";
  opens: (tokens: readonly Token[], i: number) => boolean;
}

const isMeans = (t: readonly Token[], i: number) =>
  wordAt(t, i) === "by" && wordAt(t, i + 1).endsWith("ing") && wordAt(t, i + 1).length > 5;
/** "has seen before so as to": here "before" is an adverb. */
const isTime = (t: readonly Token[], i: number) =>
  /^(?:when|after|before|if)$/.test(wordAt(t, i)) &&
  wordAt(t, i - 1) !== "," &&
  !/^(?:so|and|or|but|,|\.)$/.test(wordAt(t, i + 1));

const HINGES: readonly Hinge[] = [
  { style: "why", opens: (t, i) => wordAt(t, i) === "because" },
  { style: "why", opens: (t, i) => wordAt(t, i) === "due" && wordAt(t, i + 1) === "to" && i > 3 },
  { style: "why", opens: (t, i) => wordAt(t, i) === "in" && wordAt(t, i + 1) === "order" && wordAt(t, i + 2) === "to" },
  { style: "why", opens: (t, i) => wordAt(t, i) === "so" && wordAt(t, i + 1) === "that" },
  { style: "how", opens: isMeans },
  { style: "when", opens: isTime },
];

/** After one of these words, "because" refers to part of the clause. */
const NARROWING_WORD =
  /^(?:soon|shortly|immediately|long|right|it|them|not|partly|possibly|probably|mainly|largely|perhaps|simply|only|just|both|either|especially|particularly|typically|usually|often|generally|primarily|mostly|part|importantly|notably|significantly|that|is|are|even|and|or|but|except|as|than|then)$/;

/** "within 30 days after": a deadline counted from an event. */
const CIRCUMSTANCE_NOUN =
  /^(?:circumstances|cases|situations|instances|seconds?|minutes?|hours?|days?|weeks?|months?|years?|moments?|time)$/;

/** "to understand when": an indirect question, not a time. */
function isNarrow(before: readonly Token[], style: Hinge["style"]): boolean {
  const last = before.length - 1;
  if (style === "when" && CIRCUMSTANCE_NOUN.test(wordAt(before, last))) return true;
  const isObject = posAt(before, last) === "VERB" && posAt(before, last - 1) === "PART";
  return isObject || NARROWING_WORD.test(wordAt(before, last)) || before.some((t) => /^[;:—]$/.test(t.text));
}

/** "is a network that avoids the problem by …": the means belongs to the relative clause. */
const isOfKind = ({ verbs, rest }: Clause, style: Hinge["style"]) =>
  verbs.length === 1 &&
  ((isBe(verbs[0]) && style !== "why" && /^(?:an?|the)$/.test(wordAt(rest, 0))) ||
    ((isBe(verbs[0]) || wordAt(rest, 0) === "in") && rest.some((t) => RELATIVES.has(t.lower))));

/** Shortens the tail. A clause keeps its verb; a phrase such as "after mitosis" has none. */
function cutTail(tail: readonly Token[]): Token[] {
  const first = wordAt(tail, 0);
  if (!/^(?:because|when|after|before|until|unless|if)$/.test(first)) return cutSecondFact(tail);
  return cutAfterVerb(tail, 1) ?? (first === "because" ? [] : cutSecondFact(tail));
}

/** "because although …": the reason comes after the concession. */
const CONCESSION_AFTER_BECAUSE = /^because (?:although|while)\b/i;

/** "is not involved in protecting it from damage due to crashes": the reason isn't one of the negated main clause. */
const isDenied = ({ verbs }: Clause) => verbs.some((t) => t.lower === "not");

/** "might be cleaning up after", "would be writing when": a moment in an example. */
const isOngoing = ({ verbs }: Clause) =>
  verbs.length > 1 &&
  verbs.some((t) => /^(?:be|was|were|been)$/.test(t.lower)) &&
  wordAt(verbs, verbs.length - 1).endsWith("ing");

/** "can show wet, cold lamps, and others": a list continues after the hinge, which belongs to one item. */
const isWithinList = (tokens: readonly Token[], hingeIndex: number, { rest }: Clause) =>
  rest.some((t) => t.text === ",") &&
  !rest.some((t) => /^(?:and|or)$/.test(t.lower)) &&
  tokens.some((t, i) => i > hingeIndex && t.text === "," && /^(?:and|or)$/.test(wordAt(tokens, i + 1)));

/** "The book is whole and dry when the light is lit": a moment in a story. */
const isState = ({ subject, verbs, rest }: Clause) =>
  verbs.length === 1 && isBe(verbs[0]) && wordAt(subject, 0) === "the" && posAt(rest, 0) === "ADJ";

const CONDITION_WORD = /^(?:if|when|whenever|unless|until|once)$/;

/** Whether the text after the hinge doesn't refer to the whole clause. */
function isNoReason(clause: Clause, hinge: string, style: Hinge["style"]): boolean {
  if (cutSecondFact(clause.rest).length < clause.rest.length || isOfKind(clause, style)) return true;
  // "indicate that it will write before", "the fact that it fails due to": the hinge belongs to the "that" clause.
  if (clause.rest.some((t) => t.lower === "that")) return true;
  // "is lost if the lamp fails due to": the reason belongs to the condition.
  if (style !== "when" && clause.rest.some((t) => CONDITION_WORD.test(t.lower))) return true;
  if (style === "when") return isOngoing(clause) || isState(clause);
  return hinge === "due" && isDenied(clause);
}

/** "Because A, but not B", "by closing the door while it rains": the rest changes the meaning. */
const isHalfReason = (tail: readonly Token[], cut: readonly Token[]) =>
  tail.slice(cut.length, cut.length + 2).some((t) => t.lower === "but") ||
  CONDITION_WORD.test(wordAt(tail, cut.length)) ||
  wordAt(tail, cut.length) === "while" ||
  (wordAt(tail, cut.length) === "," && /^(?:such|like|including|especially)$/.test(wordAt(tail, cut.length + 1)));

/** Splits the sentence at its hinge and asks for the second part. */
function askHinge(fact: Fact, lexicon: Lexicon, { style, opens }: Hinge): Candidate | undefined {
  const hingeIndex = fact.tokens.findIndex((_, i) => i > 1 && opens(fact.tokens, i));
  const before = trimEnd(fact.tokens.slice(0, Math.max(0, hingeIndex)));
  if (isNarrow(before, style)) return undefined;
  const clause = readClause(before);
  if (
    !clause ||
    isNoReason(clause, wordAt(fact.tokens, hingeIndex), style) ||
    isWithinList(fact.tokens, hingeIndex, clause)
  )
    return undefined;
  const tail = trimEnd(fact.tokens.slice(hingeIndex));
  const cut = cutTail(tail);
  const statement = textOf(isHalfReason(tail, cut) ? tail : cut, fact.text);
  const count = wordCount(statement);
  const question = askClause(style, clause, fact, lexicon);
  if (count < 3 || count > 23 || CONCESSION_AFTER_BECAUSE.test(statement)) return undefined;
  if (!question || wordCount(question) < 4) return undefined;
  const term = lexicon.terms.findIn(textOf(clause.subject, fact.text)).find((t) => t.isMarked);
  return { style, question, answer: asAnswer(statement), fact, ...(term ? { termKey: term.key } : {}) };
}

const hasPronoun = (tokens: readonly Token[]) =>
  tokens.some((t) => /^(?:it|they|them|he|she|this|these|those|its|their|one|such|there)$/.test(t.lower));

const isPast = ({ verbs: [first] }: Clause) => {
  if (!first || isAuxiliary(first)) return /^(?:was|were|had|did)$/.test(first?.lower ?? "");
  return first.lower !== first.lemma && !first.lower.endsWith("s");
};

function questionOpening(clause: Clause): string {
  if (wordAt(clause.verbs, 0) === "would") return "What would happen";
  return isPast(clause) ? "What happened" : "What happens";
}

/** Whether "when …" can be part of a question: a clause that names its subject. */
function isSelfContained(lead: readonly Token[], lexicon: Lexicon): boolean {
  const first = wordAt(lead, 0);
  if (lead.length < (first === "after" ? 4 : 3) || hasPronoun(lead)) return false;
  const leadClause = readClause(lead.slice(1));
  // "if the amount is less than": which amount?
  if (/^(?:when|if|once)$/.test(first) && (!leadClause || !isNamed(leadClause.subject, lexicon))) return false;
  return !lead.some((t) => /^(?:the|both)$/.test(t.lower)) || isNamed(lead.slice(1), lexicon);
}

function isDuty({ verbs: [modal, ...verbs] }: Clause): boolean {
  const [verb] = verbs.filter((t) => t.pos !== "ADV");
  return /^(?:must|should|shall|may)$/.test(modal?.lower ?? "") && verb?.pos === "VERB" && verb.lower === verb.lemma;
}

/** "may be used": a permission isn't an event. */
const isAllowed = ({ verbs: [modal] }: Clause) => /^(?:can|may|could|might)$/.test(modal?.lower ?? "");

/** "If X, A must do Y": what must A do if X? */
function askDuty(fact: Fact, clause: Clause, condition: string, lexicon: Lexicon): Candidate | undefined {
  if (!isDuty(clause) || !isNamed(clause.subject, lexicon)) return undefined;
  const [modal, ...verbs] = clause.verbs;
  const subject = lowerFirst(textOf(clause.subject, fact.text), lexicon);
  const answer = asAnswer(textOf([...verbs, ...cutSecondFact(clause.rest)], fact.text));
  return { style: "when", question: asQuestion("What", modal?.lower, subject, "do", condition), answer, fact };
}

/** Asks what happens under a condition, or what someone must do then. */
function askOutcome(fact: Fact, clause: Clause, statement: string, lexicon: Lexicon): Candidate | undefined {
  const lead = textOf(clause.lead, fact.text);
  const condition = lead.charAt(0).toLowerCase() + lead.slice(1);
  const duty = askDuty(fact, clause, condition, lexicon);
  if (duty || isAllowed(clause)) return duty;
  return { style: "when", question: asQuestion(questionOpening(clause), condition), answer: asAnswer(statement), fact };
}

/** "When X, Y": what happens when X? "Because X, Y": why Y? */
function askConsequence(fact: Fact, lexicon: Lexicon): Candidate | undefined {
  const clause = fact.clause;
  if (!clause || !/^(?:when|if|once|after|during|because)$/.test(wordAt(clause.lead, 0))) return undefined;
  // Text taken over from the previous sentence would be in the answer, but the question needs it already.
  if (fact.start === fact.previous?.start) return undefined;
  const statement = mainText(clause, cutSecondFact(clause.rest), fact.text);
  const count = wordCount(statement);
  if (count < 4 || count > 24 || hasPronoun(clause.subject) || !isSelfContained(clause.lead, lexicon)) return undefined;
  const lead = textOf(clause.lead, fact.text);
  if (wordAt(clause.lead, 0) !== "because") return askOutcome(fact, clause, statement, lexicon);
  const hasVerb = readClause(clause.lead.slice(1)) !== undefined;
  const question = hasVerb ? askClause("why", { ...clause, lead: [] }, fact, lexicon) : undefined;
  return question ? { style: "why", question, answer: asAnswer(lead), fact } : undefined;
}

/** "In the T, …" with T emphasised: what happens in T explains T. */
function askCourse(fact: Fact, lexicon: Lexicon): Candidate | undefined {
  const { clause, emphasised } = fact;
  if (!clause || !/^(?:in|during|at|within)$/.test(wordAt(clause.lead, 0)) || hasPronoun(clause.subject))
    return undefined;
  const lead = textOf(clause.lead, fact.text);
  const name = lead.replace(/^\p{L}+ (?:(?:the|an?) )?/u, "");
  const term = emphasised.some((m) => phraseKey(m) === phraseKey(name)) ? lexicon.terms.get(name) : undefined;
  const whole = mainText(clause, clause.rest, fact.text);
  const statement = wordCount(whole) <= MAX_COURSE ? whole : mainText(clause, cutSecondFact(clause.rest), fact.text);
  // "In the tower, the lamp was small": nothing happens.
  if (!term || isBe(clause.verbs.at(-1)) || wordCount(statement) < 6 || wordCount(statement) > MAX_COURSE)
    return undefined;
  const question = asQuestion(questionOpening(clause), lowerFirst(lead, lexicon));
  return { style: "definition", question, answer: asAnswer(statement), fact, termKey: term.key };
}
const MAX_COURSE = 23;

/** A term that the source mentions often isn't a single event, because too much happens in it. */
const isEvent = ({ isMarked, count }: Term) => isMarked && count <= MAX_EVENT_MENTIONS;
const MAX_EVENT_MENTIONS = 12;
const FINITE_AUXILIARY = /^(?:is|are|was|were|has|have|had|can|may|might|could|must|will|would|should)$/;

/** "During meiosis II, the sister chromatids separate": asks what happens then. */
function askWhatHappens(fact: Fact, lexicon: Lexicon): Candidate | undefined {
  const { clause } = fact;
  if (!clause || !/^(?:in|during)$/.test(wordAt(clause.lead, 0)) || hasPronoun(clause.lead)) return undefined;
  const lead = textOf(clause.lead, fact.text);
  const term = lexicon.terms.get(lead.replace(/^\p{L}+ (?:(?:the|an?) )?/u, ""));
  const statement = mainText(clause, cutSecondFact(clause.rest), fact.text);
  const isFit = isNamed(clause.subject, lexicon) && !FINITE_AUXILIARY.test(wordAt(clause.verbs, 0));
  if (!term || !isFit || !isEvent(term) || wordCount(statement) < 7 || wordCount(statement) > MAX_COURSE)
    return undefined;
  const question = asQuestion(questionOpening(clause), lowerFirst(lead, lexicon));
  return { style: "when", question, answer: asAnswer(statement), fact, termKey: term.key };
}

/** Questions about reasons, means, times, consequences and differences. */
export function askCircumstances(fact: Fact, lexicon: Lexicon): Candidate[] {
  if (!fact.isSelfContained) return [];
  const hinged = HINGES.map((hinge) => askHinge(fact, lexicon, hinge)).find((c) => c !== undefined);
  return [
    askComparison(fact, lexicon),
    hinged,
    askCourse(fact, lexicon) ?? askWhatHappens(fact, lexicon),
    askConsequence(fact, lexicon),
  ].filter((c) => c !== undefined);
}
