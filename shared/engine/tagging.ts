import model from "wink-eng-lite-web-model";
import winkNLP, { type ItsFunction, type WinkMethods } from "wink-nlp";

export interface Token {
  text: string;
  lower: string;
  /** Universal part of speech. */
  pos: string;
  lemma: string;
  /** Offsets in the tagged sentence. */
  start: number;
  end: number;
}

let tagger: WinkMethods | undefined;

/** Verbs that read as nouns too; the tagger often takes them for the noun. */
const NOUN_OR_VERB = new Set(
  (
    "use need form cause act bind help play function range result transfer store signal state cover change increase " +
    "decrease control support produce release transport contact attack target attach cross cut divide end start enter " +
    "face fall feed fight fit force form grow guide harm hold influence lack lead limit link live lower mark match " +
    "measure move name number offer order pass permit place process project protect prove pump rank reach repeat " +
    "require resist respond rest return reveal rise run seek separate serve shape share shift show slow spread stand " +
    "stop study supply surround switch test trade travel trap treat turn vary view work yield contain involve include " +
    "describe remain allow provide become create occur exist consist depend convert differ encode display exhibit " +
    "affect ensure enable prevent reduce maintain determine represent stimulate block break bring build carry catch " +
    "collect combine connect develop digest drive exchange focus govern guard host rely remove report select send " +
    "split store stress suit take tend transform trigger undergo mean make give get keep let set put state claim argue"
  ).split(" "),
);

const RELATIVE = new Set(["which", "who", "that"]);
const OPENS_PHRASE = /^(?:DET|ADJ|NUM|PRON|ADP|ADV|PART)$/;
const isNominal = (t: Token | undefined) => t !== undefined && /^(?:NOUN|PROPN)$/.test(t.pos);
export const isVerbal = (t: Token | undefined) => t !== undefined && (t.pos === "VERB" || t.pos === "AUX");

/** "states" after "which", "cells use the": nouns that can only be the verb of their clause. */
function mendVerb(tokens: readonly Token[], i: number, hasVerb: boolean): void {
  const token = tokens[i];
  const before = tokens[i - 1];
  const after = tokens[i + 1];
  if (!token || !before || token.pos !== "NOUN" || isVerbal(after)) return;
  const opens = after === undefined || OPENS_PHRASE.test(after.pos) || RELATIVE.has(after.lower);
  if (/(?:[^s]ize|ify)s?$/.test(token.lower) && token.lower.length > 6 && isNominal(before) && opens)
    token.pos = "VERB";
  const afterThat =
    before.lower === "that" && isNominal(tokens[i - 2]) && NOUN_OR_VERB.has(token.lemma) && (opens || isNominal(after));
  const afterRelative = afterThat || (RELATIVE.has(before.lower) && before.lower !== "that" && opens);
  const isThird = token.lower.endsWith("s") && token.lemma !== token.lower;
  const isJoined = !isThird && tokens.slice(Math.max(0, i - 6), i).some((t) => t.lower === "and");
  const agrees =
    isJoined || (isThird ? !before.lower.endsWith("s") : before.lower.endsWith("s") && !before.lower.endsWith("ss"));
  const isMain = !hasVerb && NOUN_OR_VERB.has(token.lemma) && isNominal(before) && agrees && !isOf(tokens, i);
  if (afterRelative || (isMain && (opens || isNominal(after)) && after?.lower !== "of")) token.pos = "VERB";
}

/** "T, a thing of its kind, moves the": after the comma that closes an aside stands the verb. */
function mendInserted(tokens: readonly Token[], i: number, hasVerb: boolean): void {
  const token = tokens[i];
  if (!token || hasVerb || token.pos !== "NOUN" || tokens[i - 1]?.text !== "," || i < 4) return;
  const isThird = token.lower.endsWith("s") && NOUN_OR_VERB.has(token.lemma);
  if (isThird && /^(?:DET|PRON)$/.test(tokens[i + 1]?.pos ?? "")) token.pos = "VERB";
}

/** "The number of cells uses": not mended; "a range of": a noun for sure. */
const isOf = (tokens: readonly Token[], i: number) => tokens[i + 1]?.lower === "of";

/** "the signaling molecule", "an enclosed space": participles before a noun modify it. */
function mendParticiple(tokens: readonly Token[], i: number): void {
  const token = tokens[i];
  const before = tokens[i - 1];
  if (!token || token.pos !== "VERB" || !isNominal(tokens[i + 1]) || !/(?:ing|ed|en)$/.test(token.lower)) return;
  if (before && /^(?:DET|ADJ|NUM|ADP)$/.test(before.pos) && !(before.pos === "ADP" && token.lower.endsWith("ing")))
    token.pos = "ADJ";
}

const WRONG_TAG: Readonly<Record<string, string>> = {
  whereas: "SCONJ",
  whose: "PRON",
  which: "PRON",
  when: "SCONJ",
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
};

function mend(tokens: Token[]): void {
  let hasVerb = false;
  for (const [i, token] of tokens.entries()) {
    if (Object.hasOwn(WRONG_TAG, token.lower)) token.pos = WRONG_TAG[token.lower] ?? token.pos;
    if (token.lower === "that" && isVerbal(tokens[i + 1]) && isNominal(tokens[i - 1])) token.pos = "PRON";
    if (token.pos === "ADJ" && tokens[i - 1]?.pos === "DET" && tokens[i + 1]?.pos === "AUX") token.pos = "NOUN";
    // "phase I": a numeral, not a person.
    if (token.text === "I" && isNominal(tokens[i - 1])) token.pos = "PROPN";
    mendParticiple(tokens, i);
    mendInserted(tokens, i, hasVerb);
    mendVerb(tokens, i, hasVerb);
    if (token.pos === "PUNCT" && !/^[-,]$/.test(token.text)) hasVerb = false;
    if (isVerbal(token) && !/ing$/.test(token.lower) && tokens[i - 1]?.lower !== "to") hasVerb = true;
  }
}

const compoundPos = (token: Token) =>
  /^(?:like|based|free|rich|wide|specific|dependent)$/.test(token.lower) ? "ADJ" : token.pos;

/** "pro-" "angiogenic": a hyphen without spaces makes one word of its neighbours, and "'s" belongs to its noun. */
function joinHyphens(tokens: Token[], text: string): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const glued = last !== undefined && last.end === token.start;
    const hyphen = /^[-\u2010\u2011]$/.test(token.text) || (last !== undefined && /[-\u2010\u2011]$/.test(last.text));
    const possessive = /^['’]s?$/.test(token.text);
    if (!glued || !(hyphen || possessive)) {
      joined.push(token);
      continue;
    }
    last.end = token.end;
    last.text = text.slice(last.start, last.end);
    last.lower = last.text.toLowerCase();
    last.lemma = last.lower;
    last.pos = possessive ? "DET" : token.pos === "PUNCT" ? last.pos : compoundPos(token);
  }
  return joined;
}

/** Words of one English sentence with part of speech and lemma. */
export function tagSentence(text: string): Token[] {
  tagger ??= winkNLP(model, ["pos"]);
  const { its } = tagger;
  const words = tagger.readDoc(text).tokens();
  const values = words.out(its.value);
  const tags = words.out(its.pos) as string[];
  // The package types this helper for another accessor than the one that reads it.
  const lemmas = words.out(its.lemma as unknown as ItsFunction<string>) as string[];
  let at = 0;
  const tokens: Token[] = [];
  for (const [i, value] of values.entries()) {
    const start = text.indexOf(value, at);
    if (start === -1) continue;
    at = start + value.length;
    tokens.push({
      text: value,
      lower: value.toLowerCase(),
      pos: tags[i] ?? "X",
      lemma: lemmas[i] ?? value,
      start,
      end: at,
    });
  }
  const joined = joinHyphens(tokens, text);
  mend(joined);
  return joined;
}
