import { createRequire } from "node:module";
import type * as Franc from "franc";

const load = createRequire(import.meta.url);

/** The profiles of all languages are loaded when they are first needed, so that the server starts sooner. */
const francAll: typeof Franc.francAll = (...input) => (load("franc") as typeof Franc).francAll(...input);

/** Detectable languages: [franc](https://github.com/wooorm/franc)'s code (ISO 639-3) and the BCP 47 tag. */
const TAGS: Readonly<Record<string, string>> = {
  eng: "en",
  deu: "de",
  fra: "fr",
  spa: "es",
  por: "pt",
  ita: "it",
  nld: "nl",
  swe: "sv",
  dan: "da",
  nob: "nb",
  fin: "fi",
  isl: "is",
  pol: "pl",
  ces: "cs",
  slk: "sk",
  slv: "sl",
  hrv: "hr",
  srp: "sr",
  bul: "bg",
  ron: "ro",
  hun: "hu",
  ell: "el",
  rus: "ru",
  ukr: "uk",
  bel: "be",
  lit: "lt",
  lav: "lv",
  est: "et",
  tur: "tr",
  arb: "ar",
  heb: "he",
  pes: "fa",
  urd: "ur",
  hin: "hi",
  ben: "bn",
  tam: "ta",
  tel: "te",
  tha: "th",
  vie: "vi",
  ind: "id",
  cmn: "zh",
  jpn: "ja",
  kor: "ko",
  cat: "ca",
  eus: "eu",
  glg: "gl",
  cym: "cy",
  gle: "ga",
  swh: "sw",
  afr: "af",
};
const codes = Object.keys(TAGS);

const displayName = (locale: string, tag: string) =>
  new Intl.DisplayNames([locale], { type: "language" }).of(tag)?.toLocaleLowerCase() ?? tag;

/** Codes by BCP 47 tag, English name and native name. */
const codesByName = new Map(
  Object.entries(TAGS).flatMap(([code, tag]) =>
    [tag, displayName("en", tag), displayName(tag, tag)].map((name) => [name, code] as const),
  ),
);
for (const [name, code] of [
  ["norwegian", "nob"],
  ["norsk", "nob"],
  ["bokmål", "nob"],
  ["no", "nob"],
  ["mandarin", "cmn"],
  ["farsi", "pes"],
] as const)
  codesByName.set(name, code);

/**
 * Finds the code of a language by the name that a student entered ("German", "deutsch", "pt-BR", "Chinese
 * (simplified)").
 */
export function findLanguageCode(name: string): string | undefined {
  const requested = name.trim().toLocaleLowerCase();
  const words = requested.split(/[^\p{L}\p{M}]+/u).filter(Boolean);
  return [requested, ...words].map((word) => codesByName.get(word)).find((code) => code !== undefined);
}

/** Below this, detection is unreliable. */
const MIN_LETTERS = 80;
/** Characters compared at once, because the scores of all languages converge in longer text. */
const SEGMENT_CHARS = 160;
const MAX_SEGMENTS = 12;
/** Related languages score alike, so only a clear difference counts. */
const SIMILAR_SCORE = 0.9;
const MIN_OTHER_SHARE = 0.6;

const NON_PROSE = /```[\s\S]*?(?:```|$)|`[^`]*`|\$[^$]*\$|\[\^\d+\]|https?:\/\/\S+|[*_#>|]/g;
const DENSE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Pieces of about `SEGMENT_CHARS`; a short remainder joins the previous piece. */
function splitSegments(text: string): string[] {
  const segments: string[] = [];
  for (let from = 0; from < text.length && segments.length < MAX_SEGMENTS;) {
    const space = text.indexOf(" ", from + SEGMENT_CHARS);
    const to = space === -1 || text.length - space < SEGMENT_CHARS / 2 ? text.length : space;
    segments.push(text.slice(from, to));
    from = to;
  }
  return segments;
}

/** Logographic and syllabic scripts carry more information per character. */
const isTooShort = (prose: string) =>
  (prose.match(/\p{L}/gu)?.length ?? 0) < (DENSE_SCRIPT.test(prose) ? MIN_LETTERS / 3 : MIN_LETTERS);

/**
 * Whether a text is clearly written in a language other than the named one. Undefined if the text is too short or the
 * language is unknown. Ignores code, formulas and punctuation.
 */
export function isInOtherLanguage(text: string, requested: string): boolean | undefined {
  const code = findLanguageCode(requested);
  // Use each word once, because repetition would make the scores of all languages converge.
  const words = [...new Set(text.replaceAll(NON_PROSE, " ").toLocaleLowerCase().trim().split(/\s+/))].join(" ");
  if (code === undefined || isTooShort(words)) return undefined;
  const segments = splitSegments(words);
  const otherSegments = segments.filter((segment) => {
    const scores = francAll(segment, { only: codes, minLength: 10 });
    return scores[0]?.[0] !== "und" && (scores.find(([scored]) => scored === code)?.[1] ?? 0) < SIMILAR_SCORE;
  });
  return otherSegments.length >= segments.length * MIN_OTHER_SHARE;
}

/** The code of the most likely language of a longer text. */
export function detectLanguageCode(text: string): string | undefined {
  const [code = "und"] = francAll(text.slice(0, 2000), { only: codes, minLength: 40 })[0] ?? [];
  return code === "und" ? undefined : code;
}

/** The BCP 47 tag of the language of a text; undefined if the text is too short to tell. */
export function detectLanguageTag(text: string): string | undefined {
  const prose = text.replaceAll(NON_PROSE, " ");
  return isTooShort(prose) ? undefined : TAGS[detectLanguageCode(prose) ?? ""];
}

/** Minimum letters for deciding between two given languages. */
const MIN_SHORT_LETTERS = 20;
const LIKELIER_RATIO = 0.97;

/** Whether a short text is clearly more likely in one language than in the other (codes). */
export function isMoreLikelyIn(text: string, code: string, otherCode: string): boolean {
  if (code === otherCode || (text.match(/\p{L}/gu)?.length ?? 0) < MIN_SHORT_LETTERS) return false;
  const scores = new Map(francAll(text, { only: [code, otherCode], minLength: 10 }));
  return (scores.get(code) ?? 0) > 0 && (scores.get(otherCode) ?? 0) < LIKELIER_RATIO * (scores.get(code) ?? 0);
}
