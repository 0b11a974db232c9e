const GREEK =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega".split(
    " ",
  );
const SMALL_ALPHA = 0x3b1;
const CAPITAL_ALPHA = 0x391;

/** The name of a Greek letter; undefined for any other. */
export function greekName(letter: string): string | undefined {
  const code = letter.codePointAt(0) ?? 0;
  if (letter === "µ") return "mu";
  if (letter === "∆") return "delta";
  if (letter === "ϕ") return "phi";
  if (letter === "ϵ") return "epsilon";
  return GREEK[code - SMALL_ALPHA] ?? GREEK[code - CAPITAL_ALPHA];
}

/** Symbols between or before values, as words. */
export const SYMBOL_WORDS: Readonly<Record<string, string>> = {
  "&": "and",
  "+": "plus",
  "=": "equals",
  "≡": "is identical to",
  "≠": "is not equal to",
  "<": "is less than",
  ">": "is greater than",
  "≤": "is at most",
  "≥": "is at least",
  "≪": "is much less than",
  "≫": "is much greater than",
  "≈": "is about",
  "≅": "is about",
  "∼": "about",
  "~": "about",
  "±": "plus or minus",
  "×": "times",
  "·": "times",
  "⋅": "times",
  "÷": "divided by",
  "→": "gives",
  "⟶": "gives",
  "⇒": "implies",
  "←": "from",
  "↔": "to and from",
  "⇌": "is in balance with",
  "⇄": "is in balance with",
  "∞": "infinity",
  "∝": "is proportional to",
  "√": "the square root of",
  "∈": "is in",
  "∴": "therefore",
  "§": "section",
  "@": "at",
  "#": "number",
  "−": "minus",
};

/** Characters that are not spoken. */
export const SILENT = /[*†‡™®©•◦▪■□●○|_\u{200B}-\u{200D}\u{2060}\u{FEFF}\u{AD}«»“”„"‹›¶^]/gu;

/** Anything that cannot be read aloud without guessing: sums, integrals, markup, other scripts. */
export const UNSPEAKABLE =
  /[\\{}$∑∏∫∮∂∇∀∃∩∪⊂⊃⊆⊕⊗ℝℕℤℂ⟨⟩<>]|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Cyrillic}|\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Devanagari}|\p{Script=Hangul}|\p{Script=Thai}|\p{Extended_Pictographic}/u;
