import { isVerbal, type Token } from "#shared/engine/tokens.ts";

/** A main clause: what stands before it, who, does, what. */
export interface Clause {
  lead: Token[];
  subject: Token[];
  /** Finite verb first, then adverbs and further verbs. */
  verbs: Token[];
  rest: Token[];
}

const MODALS = new Set(["can", "could", "may", "might", "must", "shall", "should", "will", "would"]);
const BE = new Set(["is", "are", "was", "were"]);
const HAVE = new Set(["has", "have", "had"]);
const DO = new Set(["do", "does", "did"]);

export const isBe = (t: Token | undefined) => t !== undefined && BE.has(t.lower);
export const isModal = (t: Token | undefined) => t !== undefined && MODALS.has(t.lower);
export const isAuxiliary = (t: Token | undefined) =>
  t !== undefined && (BE.has(t.lower) || MODALS.has(t.lower) || HAVE.has(t.lower) || DO.has(t.lower));

export function textOf(tokens: readonly Token[], sentence: string): string {
  const first = tokens[0];
  const last = tokens.at(-1);
  return first && last ? sentence.slice(first.start, last.end) : "";
}

export function isFinite(tokens: readonly Token[], i: number): boolean {
  const token = tokens[i];
  const before = tokens[i - 1];
  if (!token || !isVerbal(token)) return false;
  if (isAuxiliary(token)) return true;
  if (token.pos !== "VERB" || /ing$/.test(token.lower) || before?.lower === "to") return false;
  if (before && (isBe(before) || /^(?:be|been|being)$/.test(before.lower) || isModal(before))) return false;
  return true;
}

/** "cells lining the wall", "proteins made by cells": a participle that belongs to the noun before it. */
function isReduced(tokens: readonly Token[], i: number): boolean {
  const token = tokens[i];
  if (!token || isAuxiliary(token) || !/(?:ed|en|own|ade|ound|uilt|ought)$/.test(token.lower)) return false;
  if (/^(?:called|termed|named|dubbed)$/.test(token.lower)) return true;
  const next = tokens[i + 1];
  if (isAuxiliary(next)) return true;
  if (!next || !(next.pos === "ADP" || next.pos === "ADV" || next.lower === "to")) return false;
  for (let j = i + 1; j < tokens.length; j++) {
    const later = tokens[j];
    if (later && /^[;:—]$/.test(later.text)) return false;
    if (later && /^(?:which|who|that|and|but|because|when|if)$/.test(later.lower)) return false;
    if (isFinite(tokens, j)) return true;
  }
  return false;
}

export const RELATIVES = new Set(["that", "which", "who", "whose", "where", "whom", "when"]);

/** Where the main verb of the clause stands, from the given start; -1 when that is doubtful. */
export function mainVerb(tokens: readonly Token[], from = 0): number {
  let open = 0;
  for (let i = from; i < tokens.length && i < from + 22; i++) {
    const token = tokens[i];
    if (!token || /^[;:—–]$/.test(token.text)) return -1;
    if (RELATIVES.has(token.lower) && i > from && token.pos !== "DET") open++;
    else if (token.lower === "that" && i > from && tokens[i - 1]?.pos === "NOUN" && isFinite(tokens, i + 1)) open++;
    // The first verb of a clause never follows "and": that one goes on with the relative clause before it.
    if (!isFinite(tokens, i) || isReduced(tokens, i) || /^(?:and|or|but)$/.test(tokens[i - 1]?.lower ?? "")) continue;
    if (open === 0) return i;
    open--;
    while (isVerbal(tokens[i + 1]) || tokens[i + 1]?.pos === "ADV") i++;
  }
  return -1;
}

function verbGroupEnd(tokens: readonly Token[], at: number): number {
  let end = at + 1;
  const isAux = isAuxiliary(tokens[at]);
  while (end < tokens.length && end < at + 6) {
    const token = tokens[end];
    const isAdverb = token && (token.pos === "ADV" || /^(?:not|n't)$/.test(token.lower));
    const joins = token && isAux && (token.pos === "VERB" || /^(?:be|been|being|have)$/.test(token.lower));
    if (!isAdverb && !joins) break;
    end++;
  }
  // An adverb at the end belongs to what follows: "is | also a".
  while (end > at + 1 && tokens[end - 1]?.pos === "ADV" && isAux && !isVerbal(tokens[end])) end--;
  return end;
}

const SUBORDINATORS =
  /^(?:when|if|after|before|once|during|in|on|at|within|unlike|because|since|although|while|as|for|by|with|without|under|through|throughout|among|between|from|to|despite|until|unless|upon|instead|along|besides|according|due|given|like|over|inside|outside|across|whereas|though|even)$/;

function splitLead(tokens: readonly Token[]): { lead: Token[]; from: number } | undefined {
  const first = tokens[0];
  if (!first || !SUBORDINATORS.test(first.lower)) return { lead: [], from: 0 };
  for (let i = 1; i < tokens.length && i < 20; i++) {
    if (tokens[i]?.text === ",") return i > 1 ? { lead: tokens.slice(0, i), from: i + 1 } : undefined;
  }
  return undefined;
}

/** Without the punctuation at its end. */
export const trimEnd = (tokens: readonly Token[]) => {
  let end = tokens.length;
  while (end > 0 && tokens[end - 1]?.pos === "PUNCT" && !/["”’)]/.test(tokens[end - 1]?.text ?? "")) end--;
  return tokens.slice(0, end);
};

const OPENS_ASIDE = /^(?:which|who|whose|such|including|like|also|or|called|known|a|an|the)$/;

/** ", which … ," between subject and verb: a second fact, left out of questions. */
function dropInserted(tokens: readonly Token[], from: number): Token[] | undefined {
  const at = tokens.findIndex((t, i) => i > from && t.text === ",");
  const next = tokens[at + 1];
  if (at === -1 || !next || !OPENS_ASIDE.test(next.lower)) return undefined;
  const verb = mainVerb(tokens, from);
  if (verb !== -1 && verb < at) return undefined;
  const close = tokens.findIndex(
    (t, i) => i > at + 1 && t.text === "," && (isFinite(tokens, i + 1) || tokens[i + 1]?.pos === "ADV"),
  );
  return close === -1 ? undefined : [...tokens.slice(0, at), ...tokens.slice(close + 1)];
}

/** Reads subject, verb and rest; undefined wherever the reading is doubtful. */
export function readClause(sentence: readonly Token[]): Clause | undefined {
  let tokens = trimEnd(sentence);
  const split = splitLead(tokens);
  if (!split) return undefined;
  tokens = dropInserted(tokens, split.from) ?? tokens;
  const at = mainVerb(tokens, split.from);
  if (at <= split.from) return undefined;
  const subject = tokens.slice(split.from, at);
  while (subject.at(-1)?.pos === "ADV" && subject.length > 1) subject.pop();
  if (!isSubject(subject)) return undefined;
  const end = verbGroupEnd(tokens, at);
  return { lead: split.lead, subject, verbs: tokens.slice(at, end), rest: tokens.slice(end) };
}

export function isSubject(tokens: readonly Token[]): boolean {
  if (tokens.length === 0 || tokens.length > 14) return false;
  if (!tokens.some((t) => /^(?:NOUN|PROPN)$/.test(t.pos) || (t.pos === "VERB" && t.lower.endsWith("ing"))))
    return false;
  if (tokens.some((t) => t.pos === "PRON" && !RELATIVES.has(t.lower))) return false;
  if (/^(?:ADP|CCONJ|SCONJ|PART|PUNCT|ADV)$/.test(tokens[0]?.pos ?? "") && tokens[0]?.lower !== "both") return false;
  // A comma in a subject is a list or an aside; only a list ends in "and X".
  const comma = tokens.findIndex((t) => t.text === ",");
  return comma === -1 || tokens.slice(comma).some((t) => t.lower === "and" || t.lower === "or");
}
