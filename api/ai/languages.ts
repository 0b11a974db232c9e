import { francAll } from "franc";

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

const nameIn = (tag: string, of: string) =>
  new Intl.DisplayNames([tag], { type: "language" }).of(of)?.toLocaleLowerCase() ?? of;

/** Codes by BCP 47 tag, English name and native name. */
const known = new Map(
  Object.entries(TAGS).flatMap(([code, tag]) =>
    [tag, nameIn("en", tag), nameIn(tag, tag)].map((name) => [name, code] as const),
  ),
);
for (const [name, code] of [
  ["norwegian", "nob"],
  ["mandarin", "cmn"],
  ["farsi", "pes"],
] as const)
  known.set(name, code);

/** The code of a language as a student named it ("German", "deutsch", "pt-BR", "Chinese (simplified)"). */
export function languageCode(name: string): string | undefined {
  const wanted = name.trim().toLocaleLowerCase();
  const words = wanted.split(/[^\p{L}\p{M}]+/u).filter(Boolean);
  return [wanted, ...words].map((word) => known.get(word)).find((code) => code !== undefined);
}

/** Below this, detection is unreliable. */
const MIN_LETTERS = 80;
/** Characters compared at once: in longer text, the scores of all languages converge. */
const PIECE_CHARS = 160;
const MAX_PIECES = 12;
/** Related languages score alike, so only a clear difference counts. */
const LIKE = 0.9;
const MOST_PIECES = 0.6;

const WORDLESS = /```[\s\S]*?(?:```|$)|`[^`]*`|\$[^$]*\$|\[\^\d+\]|https?:\/\/\S+|[*_#>|]/g;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Pieces of one or two sentences; a short remainder joins the previous piece. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length && pieces.length < MAX_PIECES;) {
    const space = text.indexOf(" ", from + PIECE_CHARS);
    const to = space === -1 || text.length - space < PIECE_CHARS / 2 ? text.length : space;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

/**
 * Whether a text is clearly written in a language other than the named one. Undefined if the text is too short or the
 * language is unknown. Ignores code, formulas and punctuation.
 */
export function isInOtherLanguage(text: string, wanted: string): boolean | undefined {
  const code = languageCode(wanted);
  // Each word once: repetition would make the scores of all languages converge.
  const words = [...new Set(text.replaceAll(WORDLESS, " ").toLocaleLowerCase().trim().split(/\s+/))].join(" ");
  const letters = words.match(/\p{L}/gu)?.length ?? 0;
  // Logographic and syllabic scripts carry more information per character.
  if (code === undefined || letters < (DENSE.test(words) ? MIN_LETTERS / 3 : MIN_LETTERS)) return undefined;
  const pieces = piecesOf(words);
  const others = pieces.filter((piece) => {
    const scores = francAll(piece, { only: codes, minLength: 10 });
    return scores[0]?.[0] !== "und" && (scores.find(([other]) => other === code)?.[1] ?? 0) < LIKE;
  });
  return others.length >= pieces.length * MOST_PIECES;
}

/** The code of the most likely language of a longer text. */
export function codeOfText(text: string): string | undefined {
  const [code = "und"] = francAll(text.slice(0, 2000), { only: codes, minLength: 40 })[0] ?? [];
  return code === "und" ? undefined : code;
}

/** Minimum letters for deciding between two given languages. */
const MIN_SHORT_LETTERS = 20;
const RATHER = 0.97;

/** Whether a short text is more likely in language `one` than in `other` (codes). */
export function isRather(text: string, one: string, other: string): boolean {
  if (one === other || (text.match(/\p{L}/gu)?.length ?? 0) < MIN_SHORT_LETTERS) return false;
  const scores = new Map(francAll(text, { only: [one, other], minLength: 10 }));
  return (scores.get(one) ?? 0) > 0 && (scores.get(other) ?? 0) < RATHER * (scores.get(one) ?? 0);
}
