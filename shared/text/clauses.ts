import { isNominal, posAt, type Token, wordAt } from "./tokens.ts";
import { isFinite, mainVerb, RELATIVES, verbGroupEnd } from "./verbs.ts";

/** A main clause: lead, subject, verbs and the rest. */
export interface Clause {
  lead: Token[];
  subject: Token[];
  /** Finite verb first, then adverbs and further verbs. */
  verbs: Token[];
  rest: Token[];
}

export function textOf(tokens: readonly Token[], sentence: string): string {
  const first = tokens[0];
  const last = tokens.at(-1);
  return first && last ? sentence.slice(first.start, last.end) : "";
}

/** Subject, verbs and the given rest, as written. */
export function mainText({ subject, verbs }: Clause, rest: readonly Token[], sentence: string): string {
  const from = subject[0];
  const to = rest.at(-1) ?? verbs.at(-1);
  return from && to ? sentence.slice(from.start, to.end) : "";
}

const SUBORDINATORS =
  /^(?:when|if|after|before|once|during|in|on|at|within|unlike|because|since|although|while|as|for|by|with|without|under|through|throughout|among|between|from|to|despite|until|unless|upon|instead|along|besides|according|due|given|like|over|inside|outside|across|whereas|though|even)$/;
const MAX_LEAD = 20;

function splitLead(tokens: readonly Token[]): { lead: Token[]; from: number } | undefined {
  const isAdverb = posAt(tokens, 0) === "ADV" && wordAt(tokens, 0).endsWith("ly") && wordAt(tokens, 1) === ",";
  if (isAdverb) return { lead: tokens.slice(0, 1), from: 2 };
  if (!SUBORDINATORS.test(wordAt(tokens, 0))) return { lead: [], from: 0 };
  const comma = tokens.slice(0, MAX_LEAD).findIndex((t) => t.text === ",");
  return comma > 1 ? { lead: tokens.slice(0, comma), from: comma + 1 } : undefined;
}

/** The tokens without the punctuation at their end. */
export function trimEnd(tokens: readonly Token[]): Token[] {
  const last = tokens.findLastIndex((t) => t.pos !== "PUNCT" || /["”’)]/.test(t.text));
  return tokens.slice(0, last + 1);
}

const PARENTHESIS_OPENING = /^(?:which|who|whose|where|such|including|like|also|or|called|known|a|an|the)$/;

/** Removes ", which … ," between subject and verb. */
function dropInserted(tokens: readonly Token[], from: number): Token[] {
  const at = tokens.findIndex((t, i) => i > from && t.text === ",");
  const verb = mainVerb(tokens, from);
  const opens =
    PARENTHESIS_OPENING.test(wordAt(tokens, at + 1)) || /^(?:which|whom|whose)$/.test(wordAt(tokens, at + 2));
  if (at === -1 || !opens || (verb !== -1 && verb < at)) return [...tokens];
  const closes = (i: number) =>
    wordAt(tokens, i) === "," && (isFinite(tokens, i + 1) || posAt(tokens, i + 1) === "ADV");
  const close = tokens.findIndex((_, i) => i > at + 1 && closes(i));
  return close === -1 ? [...tokens] : [...tokens.slice(0, at), ...tokens.slice(close + 1)];
}

/** "also" in "Cells also divide" can be removed; no part of "freeing it twice leads to" can. */
const REMOVABLE_ADVERB =
  /ly$|^(?:also|often|then|thus|therefore|hence|now|still|just|even|very|always|sometimes|further|however|too|again)$/;

/** Parses lead, subject, verbs and rest; undefined if anything is uncertain. */
export function readClause(sentence: readonly Token[]): Clause | undefined {
  const split = splitLead(trimEnd(sentence));
  if (!split) return undefined;
  const tokens = dropInserted(trimEnd(sentence), split.from);
  const at = mainVerb(tokens, split.from);
  if (at <= split.from) return undefined;
  const subject = tokens.slice(split.from, at);
  while (subject.at(-1)?.pos === "ADV" && subject.length > 1) {
    if (!REMOVABLE_ADVERB.test(subject.at(-1)?.lower ?? "")) return undefined;
    subject.pop();
  }
  if (!isSubject(subject)) return undefined;
  const end = verbGroupEnd(tokens, at);
  return { lead: split.lead, subject, verbs: tokens.slice(at, end), rest: tokens.slice(end) };
}

const isThing = (t: Token) => isNominal(t) || (t.pos === "VERB" && t.lower.endsWith("ing"));

/** Whether the words can be the subject of a sentence. */
export function isSubject(tokens: readonly Token[]): boolean {
  if (
    tokens.length > 17 ||
    !tokens.some(isThing) ||
    /^(?:AUX|ADP|PRON|SCONJ|DET|PART|CCONJ)$/.test(posAt(tokens, tokens.length - 1))
  )
    return false;
  if (tokens.some((t) => t.pos === "PRON" && !RELATIVES.has(t.lower))) return false;
  const opensBadly = /^(?:ADP|CCONJ|SCONJ|PART|PUNCT|ADV)$/.test(posAt(tokens, 0)) && wordAt(tokens, 0) !== "both";
  // A comma in a subject starts a list or an aside; only a list ends in "and X".
  const comma = tokens.findIndex((t) => t.text === ",");
  return !opensBadly && (comma === -1 || tokens.slice(comma).some((t) => t.lower === "and" || t.lower === "or"));
}
