import { cardinal, decadeInWords, fractionInWords, numberInWords, ordinal, yearInWords } from "./numbers.ts";
import { unitInWords } from "./units.ts";

const NUMBER = String.raw`[-−–]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-−–]?\d+(?:\.\d+)?|[-−–]?\.\d+`;
const UNIT_SYMBOL = String.raw`(?:°[CF]?|%|‰|[A-Za-zµμΩΩÅÅ]{1,5}\^?[²³23]?(?:\/(?:day|week|month|year|hour|minute|second|person|[A-Za-zµμ]{1,3}(?:[²³]|\^?2)?))?)`;
const MAGNITUDE = "million|billion|trillion|thousand";
const CURRENCIES: Readonly<Record<string, readonly [string, string]>> = {
  $: ["dollar", "dollars"],
  "€": ["euro", "euros"],
  "£": ["pound", "pounds"],
  "¥": ["yen", "yen"],
};
const FRACTION_CHARACTERS: Readonly<Record<string, string>> = {
  "½": "one half",
  "⅓": "one third",
  "⅔": "two thirds",
  "¼": "one quarter",
  "¾": "three quarters",
  "⅕": "one fifth",
  "⅛": "one eighth",
  "⅜": "three eighths",
  "⅝": "five eighths",
  "⅞": "seven eighths",
  "⅙": "one sixth",
  "⅚": "five sixths",
};
const MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December";

type Rule = readonly [RegExp, (...groups: string[]) => string];

const isOne = (number: string) => number === "1";

function power(exponent: string): string {
  if (exponent === "2") return " squared";
  if (exponent === "3") return " cubed";
  return ` to the power of ${numberInWords(exponent)}`;
}

function money(symbol: string, amount: string, magnitude: string | undefined): string {
  const [one, many] = CURRENCIES[symbol] ?? ["", ""];
  if (magnitude !== undefined && magnitude !== "") return `${numberInWords(amount)} ${magnitude} ${many}`;
  const [whole = "", cents] = amount.replaceAll(",", "").split(".");
  const words = `${cardinal(whole)} ${isOne(whole) ? one : many}`;
  return cents?.length === 2 && symbol !== "¥" && Number(cents) > 0 ? `${words} ${cardinal(cents)}` : words;
}

/** "5S", "3D", "4K": a digit joined to one of these letters is part of a name more often than a quantity. */
const isProbablyName = (number: string, space: string, symbol: string): boolean =>
  space === "" && /^\d$/u.test(number) && /^[KMNTFBVAW]$/u.test(symbol);

function withUnit(match: string, number: string, space: string, symbol: string): string {
  const unit = unitInWords(symbol, !isOne(number));
  if (unit === undefined || isProbablyName(number, space, symbol)) return match;
  return `${numberInWords(number)} ${unit}`;
}

function clock(hours: string, minutes: string): string {
  const rest = Number(minutes);
  if (rest === 0) return `${cardinal(hours)} o'clock`;
  return `${cardinal(hours)} ${rest < 10 ? "oh " : ""}${cardinal(minutes)}`;
}

const MAGNITUDE_LETTERS: Readonly<Record<string, string>> = {
  k: "thousand",
  K: "thousand",
  M: "million",
  m: "million",
  bn: "billion",
  B: "billion",
  b: "billion",
};

/** Patterns that match more text come first. */
const RULES: readonly Rule[] = [
  // 1.5e-8
  [
    /(?<![\p{L}\p{N}.])(\d+(?:\.\d+)?)[eE]([-−–]?\d{1,3})(?![\p{L}\p{N}])/gu,
    (_match, base = "", exponent = "") => `${numberInWords(base)} times ten to the power of ${numberInWords(exponent)}`,
  ],
  // "on the order of 106": the small digits of a power of ten were lost.
  [
    /(?<=\border of )10(\d{1,2})(?![\p{N}.,]\d|\p{N})/gu,
    (_match, exponent = "") => `ten to the power of ${cardinal(exponent)}`,
  ],
  // "28x28 pixels", "a 28 × 28 grid"
  [
    /(?<![\p{L}\p{N}.])(\d+)(?:x| ?[x×] ?(?=\d+(?: ?(?:mm|cm|m|km))? (?:pixels?|grids?|matrix|matrices|images?|tables?|arrays?|boards?|cm|mm|m|inch(?:es)?)\b))(\d+)(?![\p{N}.])/gu,
    (_match, one = "", other = "") => `${cardinal(one)} by ${cardinal(other)}`,
  ],
  // "$5k"
  [
    /([$€£¥])\s?(\d[\d,]*(?:\.\d+)?)(k|K|M|m|bn|B|b)(?![\p{L}\p{N}])/gu,
    (_match, symbol = "", amount = "", letter = "") => money(symbol, amount, MAGNITUDE_LETTERS[letter]),
  ],
  // "30K steps"
  [
    /(?<![\p{L}\p{N}.,])(\d+(?:\.\d+)?)K(?= \p{Ll}+s\b)/gu,
    (_match, amount = "") => `${numberInWords(amount)} thousand`,
  ],
  [/\b50\/50\b/gu, () => "fifty fifty"],
  // "1960s–1970s"
  [
    /\b(\d{4})s\s?[-–—]\s?(\d{4})s\b/gu,
    (_match, from = "", to = "") => `${decadeInWords(from)} to ${decadeInWords(to)}`,
  ],
  // 6.02 × 10^23, 10⁻³
  [
    new RegExp(String.raw`(?<!\d)(${NUMBER})\s*[×x·*]\s*10\s?\^?\{?([-−–]?\d+)\}?(?=\s|[.,;)]|$)`, "gu"),
    (_match, base = "", exponent = "") => `${numberInWords(base)} times ten to the power of ${numberInWords(exponent)}`,
  ],
  // "10^-7"
  [/\b10\^\{?([-−–]?\d+)\}?/gu, (_match, exponent = "") => `ten${power(exponent)}`],
  // "$1,200", "£3 million"
  [
    new RegExp(String.raw`([$€£¥])\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s(${MAGNITUDE})\b)?`, "gu"),
    (_match, symbol = "", amount = "", magnitude = "") => money(symbol, amount, magnitude),
  ],
  // "10:05"
  [/\b(\d{1,2}):(\d{2})\b(?!:)/gu, (_match, hours = "", minutes = "") => clock(hours, minutes)],
  // "3:1"
  [/\b(\d+):(\d+)\b/gu, (_match, one = "", other = "") => `${cardinal(one)} to ${cardinal(other)}`],
  // "4 July"
  [
    new RegExp(String.raw`\b(\d{1,2}) (${MONTHS})\b`, "gu"),
    (_match, day = "", month = "") => `the ${ordinal(day)} of ${month}`,
  ],
  // "July 4th"
  [
    new RegExp(String.raw`\b(${MONTHS}) (\d{1,2})(?:st|nd|rd|th)?\b(?!\d)`, "gu"),
    (_match, month = "", day = "") => `${month} the ${ordinal(day)}`,
  ],
  // "the 1920s", "the 20s"; but not "the 747s"
  [/\b(\d{2,4})[’']?s\b/gu, (match, digits = "") => (digits.length === 3 ? match : decadeInWords(digits))],
  // "3rd"
  [/\b(\d+)(?:st|nd|rd|th)\b/gu, (_match, digits = "") => ordinal(digits)],
  // "1914–1918"
  [
    /\b(1[0-9]\d{2}|20\d{2})\s?[-–—]\s?(1[0-9]\d{2}|20\d{2})\b/gu,
    (_match, from = "", to = "") => `${yearInWords(from)} to ${yearInWords(to)}`,
  ],
  // "1914 to 1918"
  [
    /\b(1[1-9]\d{2}|20\d{2}) (to|and|or|until) (1[1-9]\d{2}|20\d{2})\b(?![,.]?\d)/gu,
    (_match, from = "", word = "", to = "") => `${yearInWords(from)} ${word} ${yearInWords(to)}`,
  ],
  // "in 1914"
  [
    /\b(in|since|by|of|from|until|before|after|during|around|year|early|late|mid|spring|summer|autumn|fall|winter|between|January|February|March|April|May|June|July|August|September|October|November|December|[a-z]+,) (1[1-9]\d{2}|20\d{2})\b(?![,.]?\d|\s?(?:%|°|[kmcµn]?(?:m|g|L|s|mol|Pa|J|Hz)\b))/giu,
    (_match, word = "", year = "") => `${word} ${yearInWords(year)}`,
  ],
  // "(1914)"
  [/\((1[1-9]\d{2}|20\d{2})\)/gu, (_match, year = "") => `, ${yearInWords(year)},`],
  // "5–10 km"
  [
    new RegExp(String.raw`(?<!\d)(${NUMBER})\s?[-–—]\s?(${NUMBER})(\s?)(${UNIT_SYMBOL})(?![\p{L}\p{N}])`, "gu"),
    (...[match = "", from = "", to = "", space = "", symbol = ""]) => {
      const end = withUnit(match, to, space, symbol);
      return end === match ? match : `${numberInWords(from)} to ${end}`;
    },
  ],
  // "5–10"
  [
    /(?<![\p{L}\p{N}])(\d+(?:\.\d+)?)\s?[–—-]\s?(\d+(?:\.\d+)?)(?![\p{L}\p{N}])/gu,
    (_match, from = "", to = "") => `${numberInWords(from)} to ${numberInWords(to)}`,
  ],
  // "5 km", "37°C"
  [
    new RegExp(String.raw`(?<![\p{L}\p{N}.])(${NUMBER})(\s?)(${UNIT_SYMBOL})(?![\p{L}\p{N}])`, "gu"),
    (match, number = "", space = "", symbol = "") => withUnit(match, number, space, symbol),
  ],
  // "3/4"
  [
    /(?<![\p{L}\p{N}/])([1-9]\d?)\/([2-9]|1\d|20|100)(?![\p{N}/])/gu,
    (_match, numerator = "", denominator = "") => fractionInWords(numerator, denominator),
  ],
  // "x^2"
  [
    /(?<=[\p{L}\p{N})])\^\{?([-−–]?\d+|n)\}?/gu,
    (_match, exponent = "") => (exponent === "n" ? " to the power of n" : power(exponent)),
  ],
];

/** "2½", "12 ½", and "½" alone, whose space before it belongs to the word before. */
const MIXED = /(?:(?<!\d)(\d{1,9})\s?)?([½⅓⅔¼¾⅕⅛⅜⅝⅞⅙⅚])/gu;

/** Amounts, times, dates, years, ranges, units and powers in words. */
export function readQuantities(text: string): string {
  const mixed = text.replaceAll(MIXED, (_match, whole: string | undefined, fraction: string) => {
    const words = FRACTION_CHARACTERS[fraction] ?? "";
    return whole === undefined ? words : `${cardinal(whole)} and ${words.replace(/^one (half|quarter)$/u, "a $1")}`;
  });
  return RULES.reduce(
    (found, [pattern, toWords]) => found.replace(pattern, (...groups) => toWords(...(groups as string[]))),
    mixed,
  );
}

/** The remaining numbers, also after letters: `chromosome 21`, `p53`. */
export function readPlainNumbers(text: string): string {
  return text
    .replaceAll(/(?<![\p{L}\p{N}])[-−](?=\d)/gu, "minus ")
    .replaceAll(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, " ")
    .replaceAll(/\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)+|\d+/gu, (digits) => {
      const [whole = "", decimals, ...more] = digits.replaceAll(",", "").split(".");
      if (more.length > 0) return digits.split(".").map(cardinal).join(" point ");
      return numberInWords(decimals === undefined ? whole : `${whole}.${decimals}`);
    });
}
