import { francAll } from "franc";

/** Languages that are told apart, as franc names them (ISO 639-3), with the tag by which a student may name them. */
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

/** Codes by the language's tag, its English name and its own. */
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

/** Fewer letters tell nothing. */
const MIN_LETTERS = 80;
/** What is compared at once: with more, the measures of all languages draw together. */
const PIECE_CHARS = 160;
const MAX_PIECES = 12;
/** Kin languages look alike: only what is clearly another one is called so. */
const LIKE = 0.9;
const MOST_PIECES = 0.6;

const WORDLESS = /```[\s\S]*?(?:```|$)|`[^`]*`|\$[^$]*\$|\[\^\d+\]|https?:\/\/\S+|[*_#>|]/g;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Pieces of about a sentence or two; a short rest goes with the one before it. */
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
 * Whether a text is clearly written in another language than the named one; undefined where it is too short to tell, or
 * the language is none that is known here. Code, formulas and marks do not count.
 */
export function isInOtherLanguage(text: string, wanted: string): boolean | undefined {
  const code = languageCode(wanted);
  // Each word once: what is said again and again would make all languages look alike.
  const words = [...new Set(text.replaceAll(WORDLESS, " ").toLocaleLowerCase().trim().split(/\s+/))].join(" ");
  const letters = words.match(/\p{L}/gu)?.length ?? 0;
  // Scripts without letters for single sounds say more with fewer.
  if (code === undefined || letters < (DENSE.test(words) ? MIN_LETTERS / 3 : MIN_LETTERS)) return undefined;
  const pieces = piecesOf(words);
  const others = pieces.filter((piece) => {
    const scores = francAll(piece, { only: codes, minLength: 10 });
    return scores[0]?.[0] !== "und" && (scores.find(([other]) => other === code)?.[1] ?? 0) < LIKE;
  });
  return others.length >= pieces.length * MOST_PIECES;
}

/** The code of the language that a longer text is most likely written in. */
export function codeOfText(text: string): string | undefined {
  const [code = "und"] = francAll(text.slice(0, 2000), { only: codes, minLength: 40 })[0] ?? [];
  return code === "und" ? undefined : code;
}

/** Fewer letters of a question say nothing even of two languages. */
const MIN_SHORT_LETTERS = 20;
const RATHER = 0.97;

/** Whether a short text is rather in the one language than in the other, by their codes. */
export function isRather(text: string, one: string, other: string): boolean {
  if (one === other || (text.match(/\p{L}/gu)?.length ?? 0) < MIN_SHORT_LETTERS) return false;
  const scores = new Map(francAll(text, { only: [one, other], minLength: 10 }));
  return (scores.get(one) ?? 0) > 0 && (scores.get(other) ?? 0) < RATHER * (scores.get(one) ?? 0);
}
