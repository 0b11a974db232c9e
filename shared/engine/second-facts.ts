import { isSubject, trimEnd } from "#shared/engine/clauses.ts";
import { isFinite, mainVerb, RELATIVES } from "#shared/engine/verbs.ts";
import type { Token } from "#shared/engine/tokens.ts";

const wordAt = (tokens: readonly Token[], i: number) => tokens[i]?.lower ?? "";

/** Whether a new subject with a verb of its own begins here. */
export function startsClause(tokens: readonly Token[], from: number): boolean {
  const stop = tokens.findIndex((t, i) => i > from && /^[,;:]$/.test(t.text));
  const part = tokens.slice(from, stop === -1 ? from + 10 : stop);
  if (part[0]?.pos === "PRON" && !RELATIVES.has(part[0].lower)) return true;
  if (/^(?:many|some|most|others|all|each|one|several|both)$/.test(wordAt(part, 0)) && isFinite(part, 1)) return true;
  const verb = mainVerb(part);
  return verb > 0 && isSubject(part.slice(0, verb));
}

const AFTER_COMMA =
  /^(?:which|who|whose|where|whereas|while|when|although|though|but|so|because|as|if|unless|thereby|thus|making|allowing|resulting|leading|giving|causing|with|unlike|rather|not|since|until|even|especially|particularly|including|such)$/;

/** "A, B, and C": what follows the comma is a further item, even if it reads like a clause. */
const isListComma = (rest: readonly Token[], i: number) => rest.slice(0, i).some((t) => t.text === ",");

function opensAfterComma(rest: readonly Token[], i: number): boolean {
  const next = rest[i + 1];
  if (rest[i]?.text !== "," || !next) return false;
  if (AFTER_COMMA.test(next.lower) || (next.pos === "VERB" && next.lower.endsWith("ing"))) return true;
  if (/^(?:and|or)$/.test(next.lower))
    return startsClause(rest, i + 2) || (isFinite(rest, i + 2) && !isListComma(rest, i));
  return (!isListComma(rest, i) && startsClause(rest, i + 1)) || (isFinite(rest, i + 1) && next.lower.endsWith("s"));
}

/** "and" that joins a second verb or clause; within "that …" it goes on with the same thing. */
function opensAfterAnd(rest: readonly Token[], i: number): boolean {
  if (!/^(?:and|but|or)$/.test(wordAt(rest, i))) return false;
  const isWithin = rest.slice(0, i).some((t) => RELATIVES.has(t.lower));
  if (isFinite(rest, i + 1) && rest[i - 1]?.text !== "," && !isWithin) return true;
  return startsClause(rest, i + 1) && (!isWithin || rest[i - 1]?.text === ",");
}

function opensSecondFact(rest: readonly Token[], i: number): boolean {
  const token = rest[i];
  if (!token) return false;
  if (/^[;:—–]$/.test(token.text)) return rest[i + 1]?.pos !== "NUM";
  if (/^(?:whereas|because|although|though|unless|thereby)$/.test(token.lower)) return true;
  if (/^(?:while|so|since|as)$/.test(token.lower)) return startsClause(rest, i + 1);
  return opensAfterComma(rest, i) || opensAfterAnd(rest, i);
}

/** Where a second fact begins in what follows the verb: cut there. */
export function cutSecondFact(rest: readonly Token[]): Token[] {
  const at = rest.findIndex((_, i) => i > 0 && opensSecondFact(rest, i));
  return at === -1 ? [...rest] : trimEnd(rest.slice(0, at));
}

/** The same for a whole clause, whose verb must stay in it; undefined when it has none. */
export function cutAfterVerb(tokens: readonly Token[], from: number): Token[] | undefined {
  const verb = mainVerb(tokens, from);
  return verb === -1 ? undefined : [...tokens.slice(0, verb), ...cutSecondFact(tokens.slice(verb))];
}

const isJoint = (tokens: readonly Token[], i: number) =>
  tokens[i]?.text === ";" || /^(?:and|but|while|whereas|yet)$/.test(wordAt(tokens, i));

/** Where the clause after a joint begins; undefined when no clause does. */
function clauseAfter(tokens: readonly Token[], joint: number): number | undefined {
  let next = joint + 1;
  while (/^(?:,|and|but|however|therefore|thus|so)$/.test(wordAt(tokens, next))) next++;
  const verb = mainVerb(tokens.slice(next, next + 14));
  const isOwn = verb > 0 && tokens[next]?.pos !== "PRON" && isSubject(tokens.slice(next, next + verb));
  return isOwn ? next : undefined;
}

/** The independent clauses of a sentence, as index ranges; one range when it is a single clause. */
export function independentClauses(tokens: readonly Token[]): [number, number][] {
  const ranges: [number, number][] = [];
  let from = 0;
  for (let i = 3; i < tokens.length - 3; i++) {
    if (!isJoint(tokens, i) || mainVerb(tokens.slice(from, i)) === -1) continue;
    const left = tokens.slice(from, i);
    // Inside "that …" without a comma the joint belongs to what was said there.
    if (tokens[i]?.text !== ";" && tokens[i - 1]?.text !== "," && left.some((t) => RELATIVES.has(t.lower))) continue;
    const next = clauseAfter(tokens, i);
    if (next === undefined) continue;
    ranges.push([from, tokens[i - 1]?.text === "," ? i - 1 : i]);
    from = next;
    i = next;
  }
  ranges.push([from, tokens.length]);
  return ranges;
}
