import type { Spellings } from "#shared/text/capitals.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import { isNominal } from "#shared/text/tokens.ts";
import { isFinite } from "#shared/text/verbs.ts";
import { contentStems } from "#shared/text/words.ts";
import { EXPLAINS_LITTLE } from "./questions.ts";

export const countTermWords = (text: string): number => text.trim().split(/\s+/u).length;

/** "The basic reason is", "The goal was": names no term, because what it refers to came before. */
const VAGUE_NOUN =
  /\b(?:reasons?|results?|problems?|goals?|aims?|purposes?|ideas?|approach(?:es)?|differences?|answers?|questions?|examples?|points?|steps?|ways?|things?|cases?|consequences?|advantages?|disadvantages?)$/iu;
/** "The process", "the software": which one, only the sentences before it say. */
const GENERIC_SUBJECT =
  /^the (?:outcome|process|method|procedure|model|system|function|software|package|data|test|value|approach|idea|study|paper|book|name|term|word)s?$/iu;

/** "A granum is a stack of thylakoids.": captures the defined term. */
const DEFINED_TERM =
  /^(?:an?\s|the\s)?((?!there\b|it\b)[\p{L}’'-]{3,}(?:\s(?!is\b|are\b)[\p{L}’'-]+){0,3})\s(is|are)\s(?:an?|the|those|any)\s/iu;

/** Asks what a term is before the sentence that defines it; undefined before another sentence. */
export function definitionQuestion(sentence: string, spellings: Spellings): string | undefined {
  const { 1: term, 2: verb } = DEFINED_TERM.exec(sentence) ?? [];
  if (term === undefined || verb === undefined) return undefined;
  // "Although there is …": only content words can be a term.
  if (contentStems(term).length < countTermWords(term)) return undefined;
  if (EXPLAINS_LITTLE.test(sentence) || VAGUE_NOUN.test(term)) return undefined;
  const named = /^(?:an?|the)\s/iu.exec(sentence)?.[0].toLowerCase() ?? "";
  if (GENERIC_SUBJECT.test(`${named}${term}`)) return undefined;
  return `What ${verb.toLowerCase()} ${named}${named === "" ? spellInside(term, spellings) : term}?`;
}

/** Words from the beginning of a sentence, as they are written inside one. */
function spellInside(words: string, spellings: Spellings): string {
  const first = /^\p{L}+/u.exec(words)?.[0] ?? "";
  const spelled = /^(?:an?|the)$/iu.test(first) ? first.toLowerCase() : (spellings.get(first.toLowerCase()) ?? first);
  return spelled + words.slice(first.length);
}

const MAX_SUBJECT_WORDS = 5;
/** "What the authors show", "In 2005 the state", "The fact that n itself": names no thing. */
const UNUSABLE_SUBJECT =
  /\b(?:who|which|that|and|or|of|like|as|than)$|\b(?:that|which|who|whose|where|fact|only|itself|themselves)\b|^(?:the )?(?:first|second|third|last|other|same|next|former|latter|previous|following)\b|^(?:virtually|nearly|almost|what|how|why|when|where|who|there|here|in|on|at|by|for|from|with|to|as|if|while|although|because|since|after|before|during|under|over|among|between|despite|through|within|without|given|per|via|unlike|like|i|you|we|our|it|its|they|their|he|his|she|her|one|some|many|most|all|both|each|every|any|no|not|several|two|three|four|an? (?:number|lot|few|variety))\b|^(?:the )?(?:phrase|term|word|participants?|subjects?|researchers?|experimenters?|authors?|respondents?)\b|\d|[,;:()“”"]/iu;
/** "Historically, hypnosis", "Really the entire network": a word before the subject. */
const ADVERB_BEFORE_SUBJECT =
  /^(?:(?:\p{Lu}\p{Ll}+ly|However|Today|Often|Then),|Really|Basically|Actually|Essentially)\s/u;

/** What a sentence is about: the words before its verb, if they name something. */
export function subjectOf(sentence: string, spellings: Spellings): string | undefined {
  const plain = sentence.replace(ADVERB_BEFORE_SUBJECT, "");
  const tokens = tagSentence(plain);
  const verb = tokens.findIndex((_, at) => isFinite(tokens, at));
  // "Charcoal also removes": the adverbs before the verb are not part of the subject.
  const last = tokens.slice(0, Math.max(0, verb)).findLast(({ pos }) => pos !== "ADV" && pos !== "AUX");
  const subject = last === undefined ? "" : plain.slice(0, last.end).trim();
  if (subject === "" || countTermWords(subject) > MAX_SUBJECT_WORDS || UNUSABLE_SUBJECT.test(subject)) return undefined;
  if (
    !isNominal(last) ||
    GENERIC_SUBJECT.test(subject) ||
    VAGUE_NOUN.test(subject) ||
    contentStems(subject).length === 0
  )
    return undefined;
  return plain === sentence ? spellInside(subject, spellings) : subject;
}

/** What a run of sentences does, and the words that show it. */
const PURPOSES: readonly (readonly [RunPurpose, RegExp])[] = [
  [
    "research",
    /\b(?:stud(?:y|ies)|research|surveys?|experiments?|evidence|trials?)\b[^.]*\b(?:show|find|found|suggest|reveal|indicate|demonstrate|report)/iu,
  ],
  [
    "steps",
    /\b(?:first|begins? (?:with|when|by)|starts? (?:with|when|by))\b.*\b(?:then|next|finally|after (?:this|that))\b/isu,
  ],
  [
    "contrast",
    /\b(?:than|unlike|whereas|in contrast|by contrast|on the other hand|differs?|compared (?:to|with))\b|^While\b/iu,
  ],
  [
    "effect",
    /^[^,;:]{3,60} (?:results? in|leads? to|led to|causes?|produces?|affects?|increases?|reduces?|improves?)\b/iu,
  ],
  ["cause", /\b(?:because|due to|as a result|owing to|thanks to)\b/iu],
  ["example", /\b(?:for example|for instance|such as)\b/iu],
];

export type RunPurpose = "research" | "steps" | "contrast" | "effect" | "cause" | "example" | "statement";

/** What a run of sentences does: the first two show its purpose, and all of them whether it tells steps. */
export function purposeOf(sentences: readonly string[]): RunPurpose {
  const [beginning, whole] = [sentences.slice(0, 2).join(" "), sentences.join(" ")];
  return PURPOSES.find(([purpose, words]) => words.test(purpose === "steps" ? whole : beginning))?.[0] ?? "statement";
}
