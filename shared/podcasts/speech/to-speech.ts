import { expandAbbreviations, readRomanNumerals, spellAcronyms } from "./abbreviations.ts";
import { formulaInWords, lowerSubscripts, lowerSuperscripts } from "./formulas.ts";
import { readPlainNumbers, readQuantities } from "./quantities.ts";
import { greekName, SILENT, SYMBOL_WORDS, UNSPEAKABLE } from "./symbols.ts";

/** Increase this when the spoken words change, because stored segments were spoken with the earlier words. */
export const SPEECH_VERSION = 4;

/** The year after the authors of a work: "Das et al. (2019)". */
const WORK_YEAR = /(?<=\bet al\.|\p{Lu}[\p{L}’'-]+ (?:and|&) \p{Lu}[\p{L}’'-]+)\s\((?:1[5-9]|20)\d{2}[a-z]?\)/gu;

/**
 * "(78.4% vs. 59.1% for the first 20)": listeners cannot follow figures compared in brackets. Each part of the pattern
 * ends where the next begins, so that matching a long bracket takes linear time.
 */
const COMPARED_FIGURES =
  /\s?\((?:(?!\s(?:vs\.?|versus|compared (?:to|with))\s)[^()\d]){0,80}\d(?:(?!\s(?:vs\.?|versus|compared (?:to|with))\s)[^()]){0,120}\s(?:vs\.?|versus|compared (?:to|with))\s[^()\d]{0,80}\d[^()]{0,120}\)/gu;

/** Links, note numbers, and brackets that only refer to a picture or a work. */
const POINTERS: readonly RegExp[] = [
  WORK_YEAR,
  COMPARED_FIGURES,
  /\s?\((?:e\.\s?g\.,?|see(?: also)?|cf\.|as in)\s[^()]*\b(?:et al\b|\p{Lu}\p{L}+ (?:and|&) \p{Lu}\p{L}+|(?:1[5-9]|20)\d{2})[^()]*\)/gu,
  /\s?\([^()]*\bet al\.?,?\s(?:1[5-9]|20)\d{2}[^()]*\)/gu,
  /\s?\[(?:\d+(?:\s?[,–-]\s?\d+)*|citation needed|note \d+|[a-z])\]/giu,
  /\s?\((?:see\s+)?(?:figs?\.?|figures?|tables?|chapters?|sections?|eqs?\.?|equations?|boxe?s?|pages?|pp?\.|appendix)\s[^()]{0,40}\)/giu,
  /\s?\((?:\p{Lu}[\p{L}'’-]+(?:\s(?:et al\.?|(?:and|&)\s\p{Lu}[\p{L}'’-]+))?,?\s(?:1[5-9]|20)\d{2}[a-z]?(?:;\s)?)+\)/gu,
];

/** The number of a note, behind a word or a sentence: "the population¹", "the war,5 which", "the end.12". */
const NOTE_NUMBER =
  /(?<=\p{L}{3}[.,;:!?]?["”’)]?|\p{L}{3}["”’)][.,;:!?]?)[⁰¹²³⁴-⁹]+(?![\p{L}\p{N}⁺⁻])|(?<=\p{Ll}{2}(?:[.,;!?]["”’)]?|["”’)][.,;!?]))(?<!\b(?:figs?|vol|chap|sec|eqs?|approx|max|min)\.)\d{1,2}(?=\s|$)/gu;

/** "104–106 observations": probably powers of ten, whose small digits were lost. */
const LOST_POWERS =
  /(?<![\p{N}.,-])10[2-9]\s?(?:[-–—]|to|and)\s?10[2-9] (?:\p{Ll}+ )?(?:observations|cells|bacteria|molecules|particles|times|copies|samples|parameters|events|genes|neurons|stars|atoms|photons|units|records|rows|words|tokens|operations|points)\b/u;

const LINK = /\bhttps?:\/\/\S+|\bwww\.\S+|\bdoi:|\b10\.\d{4,5}\/\S/giu;
const MAIL = /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu;

/** A possible formula: letters, digits, brackets and a charge, without spaces. */
const FORMULA = /(?<![\p{L}\p{N}])[A-Z(][A-Za-z0-9()₀-₉⁰¹²³⁴-⁹]*(?:[⁺⁻₊₋]|[+−](?![\p{L}\p{N}])|-(?=[\s.,;)]|$))?/gu;

function readFormulas(text: string): string {
  return text.replaceAll(FORMULA, (token) => {
    // An opening bracket that belongs to the sentence is not part of the formula.
    const outer = token.startsWith("(") && !token.includes(")") ? "(" : "";
    const core = token.slice(outer.length);
    const closing = core.endsWith(")") && !core.includes("(") ? ")" : "";
    const words = formulaInWords(closing === "" ? core : core.slice(0, -1));
    return words === undefined ? token : `${outer}${words}${closing}`;
  });
}

/** Superscripts that are not part of a formula: primes, degrees, powers, note numbers. */
function readRaised(text: string): string {
  return text
    .replaceAll(/(\d)[′ʹ'](?=[\s-])/gu, "$1 prime")
    .replaceAll(/(\d)[″](?=[\s-])/gu, "$1 double prime")
    .replaceAll(/(?<=[\p{L}\p{N})])([⁺⁻]?[⁰¹²³⁴-⁹]+|ⁿ)/gu, (raised) => `^${lowerSuperscripts(raised)}`)
    .replaceAll(/[⁺⁻⁰¹²³⁴-⁹]/gu, lowerSuperscripts)
    .replaceAll(/[₀-₉₊₋]+/gu, (low) => ` ${lowerSubscripts(low)}`);
}

const SYMBOLS = new RegExp(
  `[${Object.keys(SYMBOL_WORDS)
    .join("")
    .replaceAll(/[\\\]^-]/gu, String.raw`\$&`)}]`,
  "gu",
);

function readSymbols(text: string): string {
  return text
    .replaceAll(/[Α-Ωα-ωµ∆ϕϵ]/gu, (letter) => ` ${greekName(letter) ?? ""} `)
    .replaceAll(/(?<=[a-z]) -(?=\p{L})/gu, " ")
    .replaceAll(/(?<=\d)\s?[<>]\s?(?=\d)|(?<=\s)[<>](?=\s?[\d.])/gu, (sign) => ` ${SYMBOL_WORDS[sign.trim()] ?? ""} `)
    .replaceAll(/\band\/or\b/giu, "and or")
    .replaceAll(
      /(?<=\b(?:[a-z]+teen|[a-z]+ty|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million) [a-z]+)\/(?=[a-z]{3})/gu,
      " per ",
    )
    .replaceAll(/(?<=\p{L})\s?\/\s?(?=\p{L})/gu, " or ")
    .replaceAll(/(?<=\s)[-–](?=\p{L}|\d)/gu, "minus ")
    .replaceAll(SYMBOLS, (symbol) => ` ${SYMBOL_WORDS[symbol] ?? ""} `);
}

/** Replaces letters with diacritics by plain ones, because the built-in voices cannot read others. */
const plainLetters = (text: string) =>
  text
    .replaceAll("ß", "ss")
    .replaceAll(/[æÆ]/gu, "ae")
    .replaceAll(/[œŒ]/gu, "oe")
    .replaceAll(/[øØ]/gu, "o")
    .replaceAll(/[łŁ]/gu, "l")
    .replaceAll(/[ðÐþÞ]/gu, "th")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "");

const tidy = (text: string) =>
  text
    .replaceAll(/[([]\s*/gu, ", ")
    .replaceAll(/\s*[)\]]/gu, ",")
    .replaceAll(/\s?[–—―]\s?/gu, ", ")
    .replaceAll(/(?<=\p{L})-(?=[\p{L}])/gu, " ")
    .replaceAll(/-/gu, " ")
    .replaceAll(/…|\.{2,}/gu, ".")
    .replaceAll("/", " ")
    .replaceAll(/['’‘]/gu, "'")
    .replaceAll(/(?<!\p{L})'|'(?!\p{L})/gu, "")
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/\s+([,.;:!?])/gu, "$1")
    .replaceAll(/[,;:]+(?=[.!?])|,(?=[,;:])/gu, "")
    .replaceAll(/^[,;:\s]+/gu, "")
    .trim();

const SPOKEN = /^[A-Za-z ,.;:!?']+$/u;

/** A text without brackets that only refer to a picture or a work, as it is spoken. */
export const withoutPointers = (text: string): string =>
  POINTERS.reduce((found, pattern) => found.replace(pattern, ""), text);

/**
 * The spoken form of a text: numbers, units, formulas, symbols and short forms in words. Undefined if any part cannot
 * be read aloud correctly.
 */
export function toSpeech(text: string): string | undefined {
  const plain = text.normalize("NFC").replaceAll(/[ﬀ-ﬆ]/gu, (ligature) => ligature.normalize("NFKC"));
  const pointed = withoutPointers(plain).replaceAll(NOTE_NUMBER, "");
  if (LOST_POWERS.test(pointed)) return undefined;
  if (LINK.test(pointed) || MAIL.test(pointed)) {
    LINK.lastIndex = 0;
    MAIL.lastIndex = 0;
    return undefined;
  }
  const silent = pointed
    .replaceAll(/[\u00A0\u2000-\u200A\u202F]/gu, " ")
    .replace(SILENT, (sign) => (sign === "^" ? "^" : ""));
  const compared = silent.replaceAll(/(?<=^|[\s\d(])[<>](?=\s?[\d.])/gu, (sign) => ` ${SYMBOL_WORDS[sign] ?? ""} `);
  const paid = compared.replaceAll(/\$(?=\s?\d)/gu, "€$€");
  if (UNSPEAKABLE.test(paid.replaceAll("€$€", ""))) return undefined;
  const read = [
    (found: string) => found.replaceAll("€$€", "$"),
    expandAbbreviations,
    readRomanNumerals,
    readFormulas,
    readRaised,
    readQuantities,
    readPlainNumbers,
    readSymbols,
    spellAcronyms,
    plainLetters,
    tidy,
  ].reduce((found, step) => step(found), paid);
  return SPOKEN.test(read) && /[A-Za-z]/u.test(read) ? read : undefined;
}
