import { isSubject, readClause, trimEnd } from "#shared/text/clauses.ts";
import { isNominal, posAt, type Token, wordAt } from "#shared/text/tokens.ts";
import { isFinite, mainVerb, RELATIVES } from "#shared/text/verbs.ts";

const QUANTIFIER = /^(?:many|some|most|others|all|each|one|several|both)$/;

/** The words up to the next comma, skipping an inserted "which …". */
function span(tokens: readonly Token[], from: number): readonly Token[] {
  const stop = tokens.findIndex((t, i) => i > from && /^[,;:]$/.test(t.text));
  if (stop === -1) return tokens.slice(from, from + 12);
  const isParenthesis = /^(?:which|who)$/.test(wordAt(tokens, stop + 1));
  const close = isParenthesis ? tokens.findIndex((t, i) => i > stop + 1 && t.text === ",") : -1;
  return close === -1 ? tokens.slice(from, stop) : [...tokens.slice(from, stop), ...tokens.slice(close + 1, close + 6)];
}

/** Whether a clause with its own subject and verb starts here. */
export function startsClause(tokens: readonly Token[], from: number): boolean {
  const part = span(tokens, from);
  const first = wordAt(part, 0);
  if (posAt(part, 0) === "PRON" && !RELATIVES.has(first)) return true;
  if (QUANTIFIER.test(first) && isFinite(part, 1)) return true;
  const verb = mainVerb(part);
  return verb > 0 && (isSubject(part.slice(0, verb)) || /^(?:the|a|an)$/.test(first));
}

const AFTER_COMMA =
  /^(?:which|who|whose|where|whereas|while|when|although|though|but|so|because|as|if|unless|thereby|thus|making|allowing|resulting|leading|giving|causing|with|unlike|rather|not|since|until|even|especially|particularly|including|such)$/;

/** "A, B, and C": a further item follows the comma, even if it looks like a clause. */
const isListComma = (rest: readonly Token[], i: number) => rest.slice(0, i).some((t) => t.text === ",");

/** "detects, engulfs and": verbs in a row share their object. */
const isVerbRow = (rest: readonly Token[], i: number) => posAt(rest, i - 1) === "VERB" && posAt(rest, i + 1) === "VERB";

/** "the dry, cold parts": two adjectives. */
const isRow = (rest: readonly Token[], i: number) =>
  isVerbRow(rest, i) || (posAt(rest, i - 1) === "ADJ" && posAt(rest, i + 1) === "ADJ");

const looksFinite = (t: Token) => t.lower.endsWith("s") || /^(?:have|are|do)$/.test(t.lower);

/** The last item of a list, "which in turn makes C", or "A, or B". */
function continuesStatement(rest: readonly Token[], comma: number): boolean {
  const words = [1, 2, 3].map((more) => wordAt(rest, comma + more));
  return words[0] === "or" || words.join(" ") === "which in turn" || isLastWithUse(rest, comma + 1);
}

function opensAfterComma(rest: readonly Token[], i: number): boolean {
  const next = rest[i + 1];
  if (rest[i]?.text !== "," || !next || isRow(rest, i)) return false;
  if (continuesStatement(rest, i)) return false;
  if (AFTER_COMMA.test(next.lower) || (next.pos === "VERB" && next.lower.endsWith("ing"))) return true;
  return next.lower === "and" ? opensAfterCommaAnd(rest, i) : startsSecondStatement(rest, i + 1);
}

/** "…, typically develop": a new clause, or a second verb of the same subject. */
function startsSecondStatement(rest: readonly Token[], from: number): boolean {
  const next = rest[from];
  if (!next || (next.pos === "ADV" && isFinite(rest, from + 1))) return next !== undefined;
  return (
    (!isListComma(rest, from - 1) && startsClause(rest, from)) ||
    (isFinite(rest, from) && (looksFinite(next) || isVerbOfMany(rest, from)))
  );
}

/** "They identify the cause, strengthen the cells": a plural verb with its object. */
const isVerbOfMany = (rest: readonly Token[], at: number) =>
  rest[at]?.lower === rest[at]?.lemma &&
  posAt(rest, at + 1) === "DET" &&
  !rest.slice(0, at).some((t) => t.lower === "to" || RELATIVES.has(t.lower));

const NOUN_PHRASE_POS = /^(?:DET|ADJ|NOUN|PROPN|NUM)$/;

function opensAfterCommaAnd(rest: readonly Token[], comma: number): boolean {
  if (/^(?:as|thus|therefore|so|hence|then)$/.test(wordAt(rest, comma + 2)))
    return !/^(?:on|forth)$/.test(wordAt(rest, comma + 3));
  // "made of rings, and many ropes": the ropes have no statement of their own.
  if (!rest.some((_, i) => i > comma + 1 && isFinite(rest, i)) && NOUN_PHRASE_POS.test(posAt(rest, comma + 2)))
    return false;
  // "A, and B" isn't a list: a clause or a second statement follows.
  const hasItems = rest.some((t, i) => t.text === "," && i !== comma);
  if (!hasItems && !rest.slice(0, comma).some((t) => t.lower === "both" || t.lower === "between")) return true;
  return startsClause(rest, comma + 2) || (isFinite(rest, comma + 2) && !isListComma(rest, comma));
}

/** "A, B, and oils used to light": the last item of a list with a participle. */
function isLastWithUse(rest: readonly Token[], and: number): boolean {
  const from = and + 1;
  if (wordAt(rest, and) !== "and" || wordAt(rest, and - 1) !== "," || !isListComma(rest, and - 1)) return false;
  const part = span(rest, from);
  const verb = mainVerb(part);
  return (
    verb > 0 &&
    wordAt(part, verb).endsWith("ed") &&
    /^(?:to|in|by|with|for|from|as|of|on|at|into)$/.test(wordAt(part, verb + 1))
  );
}

/**
 * An "and" that joins a second verb or clause; within "that …" it continues that clause. Text after "or" is never cut:
 * one of two alternatives alone would be false.
 */
function opensAfterAnd(rest: readonly Token[], i: number): boolean {
  const word = wordAt(rest, i);
  if (!/^(?:and|but)$/.test(word)) return false;
  if (LINKS.some((joinsWords) => joinsWords(rest, i))) return false;
  const isWithin = rest.slice(0, i).some((t) => RELATIVES.has(t.lower));
  const hasComma = wordAt(rest, i - 1) === ",";
  if (isFinite(rest, i + 1) && !hasComma && !isWithin && posAt(rest, i - 1) !== "VERB") return true;
  if (!startsClause(rest, i + 1)) return false;
  return hasComma || (!isWithin && /^(?:DET|PRON|PROPN)$/.test(posAt(rest, i + 1)));
}

/** "a cup of oil and a cup of water bound by salt": the same noun again. */
const isOneMore = (rest: readonly Token[], i: number) =>
  /^(?:an?|one)$/.test(wordAt(rest, i + 1)) &&
  rest.some((t, at) => at < i && t.lower === wordAt(rest, i + 2) && /^(?:an?|one)$/.test(wordAt(rest, at - 1)));

/** "a duty to keep records and give notice": the last of several infinitives. */
function endsInfinitives(rest: readonly Token[], i: number): boolean {
  const to = rest.slice(0, i).findIndex((t, at) => t.lower === "to" && posAt(rest, at + 1) === "VERB");
  const next = rest[i + 1];
  return to !== -1 && next?.pos === "VERB" && next.lower === next.lemma;
}

/** "as long as": neither "as" starts a reason. */
const MEASURE_ADVERB = /^(?:long|far|soon|much|many|little|few|well)$/;

/** Cases where "and" joins words that belong together. */
const LINKS = [isLastWithUse, joinsPair, endsInfinitives, isOneMore];

function opensSecondFact(rest: readonly Token[], i: number): boolean {
  const token = rest[i];
  if (!token) return false;
  if (/^[;:—–]$/.test(token.text)) return rest[i + 1]?.pos !== "NUM";
  if (/^(?:whereas|because|although|though|unless|thereby)$/.test(token.lower)) return true;
  if (token.lower === "as" && [i - 1, i + 1].some((at) => MEASURE_ADVERB.test(wordAt(rest, at)))) return false;
  if (token.lower === "since" && /^that (?:is|was)$/.test(`${wordAt(rest, i + 1)} ${wordAt(rest, i + 2)}`)) return true;
  if (/^(?:while|so|since|as)$/.test(token.lower)) return startsClause(rest, i + 1);
  return opensAfterComma(rest, i) || opensAfterAnd(rest, i);
}

/** The text after the verb, cut before a second fact. */
export function cutSecondFact(rest: readonly Token[]): Token[] {
  if (posAt(rest, 0) === "PUNCT" && /^[,;:]$/.test(wordAt(rest, 0))) return [];
  if (/^(?:and|but)$/.test(wordAt(rest, 0)) && startsClause(rest, 1)) return [];
  const at = rest.findIndex((_, i) => i > 0 && opensSecondFact(rest, i));
  if (at === -1) return [...rest];
  // "a cycle in which the body | and": a relative clause isn't cut before its verb.
  const opened = rest.slice(0, at).findLastIndex((t) => /^(?:which|who|whose)$/.test(t.lower));
  const cutsRelativeClause = opened !== -1 && !rest.some((_, i) => i > opened && i < at && isFinite(rest, i));
  return cutsRelativeClause || cutsList(rest, at) || cutsThatClause(rest, at) ? [...rest] : trimEnd(rest.slice(0, at));
}

/** "the fact that its height, eight feet, | is": the verb of the "that" clause is behind the cut. */
const cutsThatClause = (rest: readonly Token[], at: number) =>
  rest[at]?.text === "," && isFinite(rest, at + 1) && rest.slice(0, at).some((t) => t.lower === "that");

/** "wet lamps, cold lamps | because no one lit them, and dark ones": the list continues behind the cut. */
const cutsList = (rest: readonly Token[], at: number) =>
  rest[at]?.text !== "," &&
  rest.slice(0, at).some((t) => t.text === ",") &&
  !rest.slice(0, at).some((t) => /^(?:and|or)$/.test(t.lower)) &&
  rest.some((t, i) => i > at && t.text === "," && /^(?:and|or)$/.test(wordAt(rest, i + 1)));

/** Like `cutSecondFact`, but for a whole clause, which keeps its verb; undefined if it has no verb. */
export function cutAfterVerb(tokens: readonly Token[], from: number): Token[] | undefined {
  const verb = mainVerb(tokens, from);
  return verb === -1 ? undefined : [...tokens.slice(0, verb), ...cutSecondFact(tokens.slice(verb))];
}

const isJoint = (tokens: readonly Token[], i: number) =>
  tokens[i]?.text === ";" ||
  /^(?:and|but|while|whereas|yet)$/.test(wordAt(tokens, i)) ||
  (wordAt(tokens, i) === "however" && wordAt(tokens, i - 1) === ",");

/** Where the clause after a conjunction starts, if one does. */
function clauseAfter(tokens: readonly Token[], joint: number): number | undefined {
  if (joinsAdjectives(tokens, joint)) return undefined;
  let next = joint + 1;
  while (/^(?:,|and|but|however|therefore|thus|so)$/.test(wordAt(tokens, next))) next++;
  const verb = mainVerb(tokens.slice(next, next + 14));
  if (tokens[next]?.pos === "PRON" || isSecondGerund(tokens, joint, next)) return undefined;
  const subject = tokens.slice(next, next + verb);
  const hasOwnSubject = verb > 0 && isSubject(subject) && !reachesFurther(subject);
  return hasOwnSubject || opensWithParenthesis(tokens, next) ? next : undefined;
}

/** "waste | and toxins to stay healthy, and many cells must": the verb belongs to a later clause. */
const reachesFurther = (subject: readonly Token[]) =>
  subject.some(
    (t, i) =>
      t.text === "," && subject.slice(0, i).some(({ lower }) => lower === "to") && wordAt(subject, i + 1) === "and",
  );

/** "by defining a type and listing its kinds": the second gerund isn't a subject. */
const isSecondGerund = (tokens: readonly Token[], joint: number, next: number) =>
  wordAt(tokens, next).endsWith("ing") &&
  tokens.some((t, i) => i < joint && t.lower.endsWith("ing") && posAt(tokens, i - 1) === "ADP");

/** "while B science, which is mostly so, begins with": the aside isn't part of the subject. */
function opensWithParenthesis(tokens: readonly Token[], from: number): boolean {
  const at = tokens.findIndex((t, i) => i > from && t.text === ",");
  if (at === -1 || at > from + 6 || !/^(?:which|who)$/.test(wordAt(tokens, at + 1))) return false;
  return readClause(tokens.slice(from))?.lead.length === 0;
}

/** "a complete and accurate description": two adjectives. */
const joinsAdjectives = (tokens: readonly Token[], i: number) =>
  (posAt(tokens, i + 1) === "ADJ" && (posAt(tokens, i - 1) === "ADJ" || posAt(tokens, i - 2) === "DET")) ||
  (isGerund(tokens, i - 1) && isGerund(tokens, i + 1) && isNominal(tokens[i + 2]));

/** "a locking and journaling mechanism". */
const isGerund = (tokens: readonly Token[], i: number) => wordAt(tokens, i).endsWith("ing");

/** "the pointer, length, and capacity": the last comma of a list. */
function isListJoint(tokens: readonly Token[], joint: number): boolean {
  if (wordAt(tokens, joint - 1) !== ",") return false;
  const comma = tokens.slice(0, joint - 1).findLastIndex((t) => t.text === ",");
  return comma > 1 && joint - comma < 6 && !tokens.some((_, i) => i > comma && i < joint && isFinite(tokens, i));
}

/** "the difference between minor and patch changes": one pair. */
function joinsPair(tokens: readonly Token[], joint: number): boolean {
  const opened = tokens.slice(0, joint).findLastIndex((t) => /^(?:between|both)$/.test(t.lower));
  return (
    opened !== -1 &&
    wordAt(tokens, joint) === "and" &&
    joint - opened < 8 &&
    !tokens.some((t, i) => i > opened && i < joint && (t.lower === "and" || isFinite(tokens, i)))
  );
}

function joinsClauses(tokens: readonly Token[], from: number, i: number): boolean {
  if (!isJoint(tokens, i) || mainVerb(tokens.slice(from, i)) === -1) return false;
  // Inside a "that" clause without a comma, the conjunction belongs to it.
  const isLoose = tokens[i]?.text !== ";" && tokens[i - 1]?.text !== ",";
  if (isLoose && tokens.slice(from, i).some((t) => RELATIVES.has(t.lower))) return false;
  return !isListJoint(tokens, i) && !joinsPair(tokens, i);
}

/** The main clauses of a sentence as index ranges. */
export function independentClauses(tokens: readonly Token[]): [number, number][] {
  const ranges: [number, number][] = [];
  let from = 0;
  for (let i = 3; i < tokens.length - 3; i++) {
    const next = joinsClauses(tokens, from, i) ? clauseAfter(tokens, i) : undefined;
    if (next === undefined) continue;
    ranges.push([from, tokens[i - 1]?.text === "," ? i - 1 : i]);
    from = next;
    i = next;
  }
  ranges.push([from, tokens.length]);
  return ranges;
}
