import { isVerbal, posAt, type Token, wordAt } from "./tokens.ts";

const MODALS = new Set(["can", "could", "may", "might", "must", "shall", "should", "will", "would", "cannot"]);
const BE = new Set(["is", "are", "was", "were"]);
const HAVE_DO = new Set(["has", "have", "had", "do", "does", "did"]);

export const isBe = (t: Token | undefined) => t !== undefined && BE.has(t.lower);
export const isModal = (t: Token | undefined) => t !== undefined && MODALS.has(t.lower);
export const isAuxiliary = (t: Token | undefined) => isBe(t) || isModal(t) || (t !== undefined && HAVE_DO.has(t.lower));

/** "to more readily react": the number of adverbs in between. */
const adverbsBefore = (tokens: readonly Token[], i: number) =>
  i - 1 - tokens.slice(0, i).findLastIndex((t) => !isBetween(t));
const isBetween = (t: Token) => t.pos === "ADV" || /^(?:more|most|less)$/.test(t.lower);

/** Whether the word is finite: not after "to", "is" or "can", and no "-ing". */
export function isFinite(tokens: readonly Token[], i: number): boolean {
  const token = tokens[i];
  if (!token || !isVerbal(token)) return false;
  if (isAuxiliary(token)) return true;
  if (token.pos !== "VERB" || token.lower.endsWith("ing")) return false;
  const before = tokens[i - 1];
  // "to help ensure integrity"
  if (before?.lemma === "help" && wordAt(tokens, i - 2) === "to") return false;
  if (wordAt(tokens, i - 1 - adverbsBefore(tokens, i)) === "to") return false;
  return !isBe(before) && !isModal(before) && !/^(?:be|been|being)$/.test(wordAt(tokens, i - 1));
}

/** Whether a finite verb follows in the same clause. */
function hasLaterVerb(tokens: readonly Token[], from: number): boolean {
  for (let i = from; i < tokens.length; i++) {
    if (/^(?:;|:|—|which|who|that|and|but|because|when|if)$/.test(wordAt(tokens, i))) return false;
    if (isFinite(tokens, i)) return true;
  }
  return false;
}

/** Verbs that need no object: "occurred in" is no participle. */
const INTRANSITIVE =
  /^(?:occur|result|emerge|evolve|begin|start|move|live|exist|arise|depend|differ|lead|contribute|belong|refer|consist|develop|grow|change|turn|spread|appear|originate|happen|end|continue|react|respond|die|work|serve|act|function|rely|focus|succeed|fail|arrive|return|travel|fall|rise|remain|stay|last|decide|agree|participate|collaborate|look|listen|point|migrate|retire|collapse|add|insist|speak|talk|lie|stand)$/;

/** "spores released are", "the number of spores released increases the": the verb is the next word. */
const hasVerbNext = (tokens: readonly Token[], i: number) =>
  isAuxiliary(tokens[i + 1]) || (isThirdPersonNext(tokens, i) && wordAt(tokens, i).endsWith("ed"));

const isThirdPersonNext = (tokens: readonly Token[], i: number) =>
  posAt(tokens, i + 1) === "VERB" && /[^s]s$/.test(wordAt(tokens, i + 1));

/** "the data set contains": "set" is a noun. */
const isNounBeforeVerb = (tokens: readonly Token[], i: number) =>
  /^(?:set|cut|put|hit|split|spread|cast)$/.test(wordAt(tokens, i)) && isThirdPersonNext(tokens, i);

/** Whether a word has the form of a finite verb, but is not the verb of its clause. */
const isReduced = (tokens: readonly Token[], i: number) => isNounBeforeVerb(tokens, i) || isParticiple(tokens, i);

/** "proteins made by cells": a participle that belongs to the noun before it. */
function isParticiple(tokens: readonly Token[], i: number): boolean {
  const word = wordAt(tokens, i);
  if (isAuxiliary(tokens[i]) || !/(?:ed|en|own|ade|ound|uilt|ought)$/.test(word)) return false;
  if (/^(?:called|termed|named|dubbed)$/.test(word) || hasVerbNext(tokens, i)) return true;
  if (word.endsWith("ed") && posAt(tokens, i + 1) === "ADP" && !INTRANSITIVE.test(tokens[i]?.lemma ?? "")) return true;
  const hasComplement = /^(?:ADP|ADV|SCONJ)$/.test(posAt(tokens, i + 1)) || wordAt(tokens, i + 1) === "to";
  return hasComplement && hasLaterVerb(tokens, i + 1);
}

export const RELATIVES = new Set(["that", "which", "who", "whose", "where", "whom", "when"]);

function opensRelative(tokens: readonly Token[], i: number): boolean {
  if (!RELATIVES.has(wordAt(tokens, i))) return false;
  return posAt(tokens, i) !== "DET" || (posAt(tokens, i - 1) === "NOUN" && isFinite(tokens, i + 1));
}

const MAX_SUBJECT_DISTANCE = 22;
/** The verb of a clause precedes such a word. */
const CLAUSE_END = /^(?:if|because|although|unless|whereas|until)$/;

const isClauseEnd = (tokens: readonly Token[], i: number, from: number) =>
  /^[;:—–]$/.test(wordAt(tokens, i)) || (i > from && CLAUSE_END.test(wordAt(tokens, i)));

/** The position of the clause's main verb from the given start; -1 if uncertain. */
export function mainVerb(tokens: readonly Token[], from = 0): number {
  let open = 0;
  for (let i = from; i < Math.min(tokens.length, from + MAX_SUBJECT_DISTANCE); i++) {
    if (isClauseEnd(tokens, i, from)) return -1;
    if (i > from && opensRelative(tokens, i)) open++;
    // The first verb of a clause never follows "and": a verb after "and" continues the relative clause before it.
    const isAfterConjunction = /^(?:and|or|but)$/.test(wordAt(tokens, i - 1));
    if (isAfterConjunction || !isFinite(tokens, i) || isReduced(tokens, i)) continue;
    if (open === 0) return i;
    open--;
    while (/^(?:VERB|AUX|ADV)$/.test(posAt(tokens, i + 1))) i++;
  }
  return -1;
}

const isPlainVerb = (t: Token | undefined) => t?.pos === "VERB" && t.lower === t.lemma;

const MAX_GROUP = 6;

const isAdverb = (tokens: readonly Token[], i: number) =>
  (posAt(tokens, i) === "ADV" && !/^(?:how|why|when|where|as)$/.test(wordAt(tokens, i))) ||
  /^(?:not|n['’]t)$/.test(wordAt(tokens, i));

/** The end of a verb group such as "has been found". */
export function verbGroupEnd(tokens: readonly Token[], at: number): number {
  const most = Math.min(tokens.length, at + MAX_GROUP);
  let end = at + 1;
  if (!isAuxiliary(tokens[at])) {
    while (end < most && isAdverb(tokens, end)) end++;
    return end;
  }
  // "must follow controlling authority": a gerund belongs to the group only after "be".
  const isBareGerund = (i: number) => wordAt(tokens, i).endsWith("ing") && isPlainVerb(tokens[i - 1]);
  const isJoined = (i: number) =>
    (posAt(tokens, i) === "VERB" && !isBareGerund(i)) || /^(?:be|been|being|have)$/.test(wordAt(tokens, i));
  while (end < most && (isAdverb(tokens, end) || isJoined(end))) end++;
  // An adverb at the end belongs to the text after it: "is | also a".
  while (end > at + 1 && posAt(tokens, end - 1) === "ADV" && !isVerbal(tokens[end])) end--;
  return end;
}
