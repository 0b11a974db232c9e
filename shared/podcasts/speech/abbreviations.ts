import { cardinal, ordinal } from "./numbers.ts";

/** Abbreviations with their full stops; if one is a prefix of another, the longer comes first. */
const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/\be\.\s?g\.,?/giu, "for example,"],
  [/\bi\.\s?e\.,?/giu, "that is,"],
  [/\betc\.(?=\s+\p{Lu}|\s*$)/gu, "and so on."],
  [/\betc\./gu, "and so on"],
  [/\bvs\.?(?=\s)/giu, "versus"],
  [/\bcf\.(?=\s)/giu, "compare"],
  [/\bviz\./giu, "namely"],
  [/\bet al\.?/giu, "and others"],
  [/\bca?\.\s?(?=\d)/gu, "around "],
  [/\bapprox\./giu, "approximately"],
  [/\bDr\.(?=\s)/gu, "Doctor"],
  [/\bMr\.(?=\s)/gu, "Mister"],
  [/\bMrs\.(?=\s)/gu, "Missus"],
  [/\bMs\.(?=\s)/gu, "Miz"],
  [/\bProf\.(?=\s)/gu, "Professor"],
  [/\bSt\.(?=\s\p{Lu})/gu, "Saint"],
  [/\bJr\./gu, "Junior"],
  [/\bSr\./gu, "Senior"],
  [/\bMt\.(?=\s\p{Lu})/gu, "Mount"],
  [/\bGov\.(?=\s\p{Lu})/gu, "Governor"],
  [/\bGen\.(?=\s\p{Lu})/gu, "General"],
  [/\bFigs?\.(?=\s?\d)/gu, "figure"],
  [/\bEqs?\.(?=\s?\(?\d)/gu, "equation"],
  [/\bChap?\.(?=\s?\d)/gu, "chapter"],
  [/\bSec\.(?=\s?\d)/gu, "section"],
  [/\bVol\.(?=\s?\d)/giu, "volume"],
  [/\bNo\.(?=\s?\d)/gu, "number"],
  [/\bpp\.(?=\s?\d)/gu, "pages"],
  [/\bp\.(?=\s?\d)/gu, "page"],
  [/\bsp\.(?=\s|$)/gu, "species"],
  [/\bspp\./gu, "species"],
  [/\bInc\./gu, "Incorporated"],
  [/\bCo\.(?=\s)/gu, "Company"],
  [/\bLtd\.?/gu, "Limited"],
  [/\bdept\./giu, "department"],
  [/\bmax\.(?=\s)/gu, "maximum"],
  [/\bmin\.(?=\s\p{Ll})/gu, "minimum"],
  [/\ba\.\s?m\.?/gu, "A M"],
  [/\bp\.\s?m\.?/gu, "P M"],
  [/\bB\.\s?C\.(?:\s?E\.)?/gu, "B C"],
  [/\bA\.\s?D\./gu, "A D"],
  [/\bU\.\s?S\.\s?A\./gu, "U S A"],
  [/\bU\.\s?S\./gu, "U S"],
  [/\bU\.\s?K\./gu, "U K"],
  [/\bU\.\s?N\./gu, "U N"],
  [/\bPh\.\s?D\.?/gu, "P H D"],
  [/\bC#/gu, "C sharp"],
  [/\b24\/7\b/gu, "twenty-four seven"],
  [/\beither\/or\b/giu, "either or"],
  [/\b([A-Za-z])\(([a-z])\)/gu, "$1 of $2"],
  [/\bw\/o\b/gu, "without"],
  [/\bw\/(?=\s|\p{L}{2})/gu, "with "],
];

export function expandAbbreviations(text: string): string {
  return ABBREVIATIONS.reduce((found, [pattern, words]) => found.replace(pattern, words), text);
}

const ROMAN = /^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/u;
const ROMAN_VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

function romanValue(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) {
    const value = ROMAN_VALUES[text[at] ?? ""] ?? 0;
    sum += value < (ROMAN_VALUES[text[at + 1] ?? ""] ?? 0) ? -value : value;
  }
  return sum;
}

const RULERS =
  /\b(Henry|Louis|Charles|James|George|Edward|William|Richard|Philip|Frederick|Elizabeth|Mary|Catherine|Peter|Alexander|Nicholas|Napoleon|Pius|Leo|Gregory|Paul|John Paul|Benedict|Ramses|Rameses|Ptolemy|Otto|Ferdinand|Francis|Wilhelm|Mehmed|Murad) ([IVX]+)\b/gu;
const COUNTED =
  /\b(chapter|part|type|phase|stage|class|war|section|table|figure|act|book|volume|grade|level|group|period|category|factor|article|title|complex|photosystem|meiosis|prophase|metaphase|anaphase|telophase|polymerase|angiotensin|step|case|model|nerve|appendix|schedule|unit|world war|collagen|cytochrome|iron|copper|generation|series|division|order) ?\(?([IVX]{1,6})\)?(?![\p{L}\p{N}.])/giu;

/** Roman numerals that the word before identifies: "Henry the eighth", "photosystem two". */
export function readRomanNumerals(text: string): string {
  return text
    .replace(/\b([IVX]{2,6})(?:th|st|nd|rd)? century\b/gu, (all, numeral: string) =>
      ROMAN.test(numeral) ? `${ordinal(String(romanValue(numeral)))} century` : all,
    )
    .replace(RULERS, (all, name: string, numeral: string) =>
      ROMAN.test(numeral) ? `${name} the ${ordinal(String(romanValue(numeral)))}` : all,
    )
    .replace(COUNTED, (all, word: string, numeral: string) =>
      ROMAN.test(numeral) ? `${word} ${cardinal(String(romanValue(numeral)))}` : all,
    );
}

/** Short forms that are spoken as words. */
const PRONOUNCED_AS_WORDS = new Set(
  (
    "NASA NATO UNESCO UNICEF AIDS RAM ROM LASER RADAR SONAR PIN OPEC ASCII JPEG SCUBA NAFTA ASEAN SARS MERS COVID CRISPR FAQ " +
    "BASIC COBOL GUI NAND NOT AND OR IF THE OF TO IN ON NO YES DO IS IT BE AS AT BY AN WE US MOOC MIDI SWOT STEM REM CERN POSIX FIFO LIFO"
  ).split(" "),
);
/** Only these short words in capitals are read as words instead of being spelled. */
const SPELLED_ANYWAY = new Set(["US", "IT", "OR"]);

const spell = (letters: string) => letters.toUpperCase().split("").join(" ");

/** Spells abbreviations: "DNA" as "D N A", "mRNAs" as "M R N As", "pH" as "P H". */
export function spellAcronyms(text: string): string {
  return text
    .replaceAll(/\bpH\b/gu, "P H")
    .replaceAll(/\bpKa\b/gu, "P K A")
    .replaceAll(
      /(?<![\p{L}\p{N}'])([a-z]{0,3})([A-Z]{2,6})(s|'s)?(?![\p{L}\p{N}])/gu,
      (all, small: string, letters: string, end = "") => {
        const isWord = small === "" && PRONOUNCED_AS_WORDS.has(letters) && !SPELLED_ANYWAY.has(letters);
        if (isWord) return all;
        return spell(small + letters) + (end === "" ? "" : end === "s" ? "s" : "'s");
      },
    )
    .replaceAll(/\b([A-Z]{2,5})(ases?)\b/gu, (_all, letters: string, end: string) => `${spell(letters)} ${end}`)
    .replaceAll(/\b([A-Z]{2,5})-(?=\p{Ll})/gu, (_all, letters: string) =>
      PRONOUNCED_AS_WORDS.has(letters) ? `${letters} ` : `${spell(letters)} `,
    );
}
