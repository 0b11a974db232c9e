import { refersOutside, refersToOtherSentence, rejectSentence } from "#shared/cards/source/sentence-rejection.ts";
import { wordsOf } from "#shared/text/words.ts";
import { isEntry } from "./bibliographies.ts";

const MIN_WORDS = 5;
const MAX_WORDS = 60;

/** Beginnings that continue the sentence before, or address the reader. */
const CONTINUES =
  /^(?:recall|remember|consider|imagine|think|finally|additionally|in addition|in other words|moreover|furthermore|therefore|thus|hence|similarly|likewise|in contrast|in fact|indeed|as a result|consequently|nevertheless|accordingly|meanwhile|conversely|on the other hand|instead,|otherwise|for example|for instance|one example (?:is|was)|an example (?:is|was)|also|then|next|secondly?|thirdly?|for (?:the same|this|these|that|those) reasons?|because of (?:this|these)|in (?:this|that|these|the same) (?:way|ways|case|cases|manner)|at this (?:point|stage)|by contrast|in turn|in short|to this end|außerdem|zudem|daher|deshalb|ferner|ebenso|schließlich|beispielsweise|zum beispiel|tatsächlich|folglich|dennoch|stattdessen)(?!\p{L})/iu;

/** Addresses the reader, even without a sentence before it. */
const ADDRESSES = /^(?:recall|remember|consider|imagine|think|see|note)(?!\p{L})/iu;

/** "Sleep disorders will be described": announces what another part of the text contains. */
const ANNOUNCES =
  /\bwill (?:also |then |now )?be (?:identified|described|discussed|explained|introduced|examined|explored|covered|presented|reviewed|considered|outlined|addressed)\b/iu;

/** "The difficulty lies in the differences": names something that only the sentence before explains. */
const NAMES_UNEXPLAINED =
  /^the (?:(?:main|only|real|basic|key|first) )?(?:difficulty|problem|challenge|trick|catch|solution|disadvantage|drawback|explanation|answer|consequence|goal|aim) (?:is|was|are|were|lies|lay|then|here)\b/iu;

/** "When they come here": the place is not named. */
const POINTS_AT_PLACE = /\bhere[.,;!]/iu;

/** Words that usually refer to another part of a text, in their ordinary use: "below 4 degrees", "a tide table". */
const PLAIN_USES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:above|below)(?= (?:\d|zero|freezing|sea|ground|water|average|normal|it\b|its\b|the\b|an?\b))/giu, "beyond"],
  [/(?<!\b(?:the|this|these|next|previous|following|see|in|and) )\btables?\b(?! \d)/giu, "list"],
  [/\bslides?(?= (?:over|past|along|down|into|across|apart|through|against|between)\b)/giu, "glides"],
];

/** "MetabolismThe processes of": a title joined to its text without a space. */
const GLUED =
  /\p{Ll}{3}(?:(?:The|This|These|There|When|While|Although|Because|Most|Many|Some|Each|Such|As|If|For|An?|It)\s|In (?:the|an?)\s)/u;

const withoutPlainUses = (text: string) =>
  PLAIN_USES.reduce((masked, [pattern, plain]) => masked.replaceAll(pattern, plain), text);

/** "However, the battery cannot be charged": contrasts with the sentence before. */
const CONTRASTS = /^(?:however|but|yet|still|on the contrary|jedoch|aber|doch),?\s/iu;

export const beginsWithContrast = (text: string): boolean => CONTRASTS.test(text);

/** "Throughout the war, he donated": depends on a person named before. */
const POINTS_AT_PERSON =
  /^(?:in|on|at|during|throughout|after|before|by|for|with|from|under|until|since|despite)\s[^,;]{1,60},\s(?:he|she|they)\s/iu;

/** Whether a text is one complete sentence of a usual length that refers to no picture. */
function isWholeSentence(text: string): boolean {
  const words = wordsOf(text).length;
  if (words < MIN_WORDS || words > MAX_WORDS || !/^["“„']?[\p{Lu}\p{N}]/u.test(text) || !/[.!]["”“)]?$/.test(text))
    return false;
  if (ANNOUNCES.test(text)) return false;
  return !POINTS_AT_PLACE.test(text) && !GLUED.test(text) && !isEntry(text);
}

/** "This event—the random assortment of chromosomes—is": explains its own pronoun. */
const NAMES_ITSELF = /^(?:this|these|that|those)\s\p{L}+(?:\s\p{L}+)?\s?[—–]\s?(?=(?:the|an?)\s)/iu;

const GERMAN_REFERENCE = /^(?:er|sie|es|dies|diese[rsnm]?|dabei|dadurch|damit|dort|so)(?!\p{L})/iu;

/**
 * Whether a sentence can be quoted alone: it is complete, and depends on no other sentence and no picture. For advice, it
 * may address the reader.
 */
export function isReadable(text: string, language: "en" | "de", mayAddress = false): boolean {
  if (!isWholeSentence(text) || CONTINUES.test(text)) return false;
  if (language !== "en") return !GERMAN_REFERENCE.test(text);
  if (POINTS_AT_PERSON.test(text) || NAMES_UNEXPLAINED.test(text)) return false;
  const named = text.replace(NAMES_ITSELF, "");
  const plain = withoutPlainUses(named);
  const why = rejectSentence(plain);
  return (
    !refersOutside(plain) && why !== "context" && (mayAddress || why !== "address") && !refersToOtherSentence(named)
  );
}

/** Whether a sentence can be quoted after the one before it, because that is all it depends on. */
export function dependsOnPrevious(text: string, language: "en" | "de"): boolean {
  if (!isWholeSentence(text) || isReadable(text, language) || ADDRESSES.test(text)) return false;
  if (language !== "en") return CONTINUES.test(text) || GERMAN_REFERENCE.test(text);
  const plain = withoutPlainUses(text);
  const why = rejectSentence(plain);
  return why !== "address" && why !== "noise" && !refersOutside(plain);
}
