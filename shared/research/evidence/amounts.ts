import { ENGLISH_NUMBERS, GERMAN_NUMBERS, numbersByName } from "#shared/text/number-words.ts";
import { isStopWord, stem, wordsOf } from "#shared/text/words.ts";

/** A figure with the units that it may count; `low` and `high` are equal unless the text gives a range or a bound. */
export interface Amount {
  low: number;
  high: number;
  isApproximate: boolean;
  units: readonly string[];
  /** Stems of the words between this figure and the next. */
  following: readonly string[];
}

const TENS: readonly (readonly [string, string])[] = [
  ["twenty", "zwanzig"],
  ["thirty", "dreißig"],
  ["forty", "vierzig"],
  ["fifty", "fünfzig"],
  ["sixty", "sechzig"],
  ["seventy", "siebzig"],
  ["eighty", "achtzig"],
  ["ninety", "neunzig"],
];
/** Without "one" and "eins", which are rarely numbers in a sentence. */
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...numbersByName(ENGLISH_NUMBERS, 2, 20),
  ...numbersByName(GERMAN_NUMBERS, 2, 12),
  ...TENS.flatMap((names, at) => names.map((name): [string, number] => [name, (at + 2) * 10])),
]);
const SCALES: Readonly<Record<string, number>> = {
  hundred: 1e2,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  tausend: 1e3,
  millionen: 1e6,
  milliarden: 1e9,
};
const MEASURES: Readonly<Record<string, string>> = {
  m: "metre",
  meter: "metre",
  km: "kilometre",
  kilometer: "kilometre",
  cm: "centimetre",
  centimeter: "centimetre",
  mm: "millimetre",
  millimeter: "millimetre",
  kg: "kilogram",
  kilogramm: "kilogram",
  mg: "milligram",
  ml: "millilitre",
  ms: "millisecond",
  kw: "kilowatt",
  g: "gram",
  gramm: "gram",
  l: "litre",
  liter: "litre",
  s: "second",
  sekunden: "second",
  sekunde: "second",
  h: "hour",
  percent: "%",
  prozent: "%",
};
/** Further units, each different from the others and from those above. */
const OTHER_MEASURES = new Set(
  "µg μg ng µl μl cl dl nm µm μm min mm² cm² m² km² m³ hz khz mhz ghz w mw gw wh kwh j kj mj cal kcal pa kpa mpa bar mol mmol v kv mv ma ah ha t °c °f k".split(
    " ",
  ),
);
const MONTHS = [
  ["january", "januar"],
  ["february", "februar"],
  ["march", "märz"],
  ["april"],
  ["may", "mai"],
  ["june", "juni"],
  ["july", "juli"],
  ["august"],
  ["september"],
  ["october", "oktober"],
  ["november"],
  ["december", "dezember"],
];
const APPROXIMATE =
  /(?:about|approximately|around|nearly|almost|roughly|some|circa|ca\.?|etwa|rund|ungefähr|fast|knapp)\s*$/i;
const LOWER_BOUND = /(?:over|more than|at least|not less than|über|mehr als|mindestens)\s*$/i;
const UPPER_BOUND =
  /(?:under|below|less than|fewer than|up to|at most|no more than|unter|weniger als|höchstens|bis zu)\s*$/i;
const RANGE_END = String.raw`(?:\s*(?:[-–]|to|bis|and|und)\s*(\d+(?:\.\d+)?))?`;
const NUMBER_NAMES = [...NUMBER_WORDS.keys()].join("|");
/** A word that is not the next figure. */
const COUNTED = String.raw`((?!(?:${NUMBER_NAMES})(?!\p{L}))\p{L}+)`;
const FIGURE = new RegExp(
  String.raw`(?<![\p{L}\d.])(\d+(?:\.\d+)?|${NUMBER_NAMES})(?![\p{L}\d])${RANGE_END}(?:\s+(${Object.keys(SCALES).join("|")})(?!\p{L}))?\s*(%|°C|°F|°|€|\$)?(?:[\s-]*${COUNTED})?(?:[\s-]+${COUNTED})?(?:[\s-]+${COUNTED})?`,
  "giu",
);
/** Two exact figures of at least `ROUNDED_FROM` that differ by at most this share are one figure, rounded differently. */
const ROUNDING_SHARE = 0.02;
const ROUNDED_FROM = 1000;
const APPROXIMATE_SHARE = 0.1;

/** "1,250", "1 250" → "1250"; a German decimal comma becomes a point. */
const normalizeFigures = (text: string) =>
  text
    .normalize("NFKC")
    .replaceAll(/(?<=\d)[,\u00A0\u202F ](?=\d{3}(?!\d))/g, "")
    .replaceAll(/(?<=\d),(?=\d)/g, ".");

const monthOf = (word: string) => MONTHS.findIndex((names) => names.includes(word.toLowerCase()));
const MEASURE_NAME =
  /^(nano|micro|mikro|milli|centi|zenti|kilo|mega|giga)?(met(?:re|er)|gram|gramm|lit(?:re|er)|watt|volt|joule|hertz|pascal|calory|second|sekunde|minute|hour|stunde|week|woche|decade|century|degree|grad|tonne)s?n?$/u;

const ENGLISH_NAMES: Readonly<Record<string, string>> = {
  mikro: "micro",
  zenti: "centi",
  meter: "metre",
  gramm: "gram",
  liter: "litre",
  sekunde: "second",
  stunde: "hour",
  woche: "week",
  grad: "degree",
};

/** "Kilometres" and "Kilometer" as "kilometre". */
function measureOf(word: string): string | undefined {
  const [whole, prefix = "", name = ""] = MEASURE_NAME.exec(word.replace(/ies$/, "y")) ?? [];
  if (whole === undefined) return undefined;
  return `${ENGLISH_NAMES[prefix] ?? prefix}${ENGLISH_NAMES[name] ?? name}`;
}

/** The unit that a word names: the full name of a measure, or the stem of any other counted noun. */
export function unitOf(word: string): string {
  const lower = word.toLowerCase();
  const unit = stem(lower);
  // "Six years" is a duration, not a date.
  const isSpan = unit === "year" || unit === "month" || unit === "day";
  return MEASURES[lower] ?? measureOf(lower) ?? MEASURES[unit] ?? (isSpan ? `${unit}s` : unit);
}

function unitsOf(figure: string, symbol: string, words: readonly string[]): string[] {
  const [word = ""] = words;
  if (symbol !== "") return [symbol];
  if (/^(?:1[0-9]|20)\d\d$/.test(figure) && (word === "" || !word.endsWith("s") || isStopWord(word.toLowerCase())))
    return ["year"];
  if (monthOf(word) >= 0) return ["day"];
  const end = words.findIndex((one) => one === "" || isStopWord(one.toLowerCase()));
  const units = (end === -1 ? words : words.slice(0, end)).map(unitOf);
  // A unit directly follows its figure; before a counted noun there may be an adjective.
  return units[0] !== undefined && isMeasure(units[0]) ? units.slice(0, 1) : units;
}

const isFigure = (word: string) => /^\d/.test(word) || NUMBER_WORDS.has(word);

/** The stems of the words up to the next figure. */
function stemsBeforeFigure(text: string): string[] {
  const words = wordsOf(text);
  const end = words.findIndex(isFigure);
  return (end === -1 ? words : words.slice(0, end)).map(unitOf);
}

function toAmount(match: RegExpExecArray, before: string, after: string): Amount {
  const [, figure = "", rangeEnd, scaleWord = "", symbol = "", ...following] = match;
  const words = following.map((word: string | undefined) => word ?? "");
  const scale = SCALES[scaleWord.toLowerCase()] ?? 1;
  const value = (NUMBER_WORDS.get(figure.toLowerCase()) ?? Number(figure)) * scale;
  const end = rangeEnd === undefined ? value : Number(rangeEnd) * scale;
  return {
    low: UPPER_BOUND.test(before) ? Number.NEGATIVE_INFINITY : value,
    high: LOWER_BOUND.test(before) ? Number.POSITIVE_INFINITY : Math.max(value, end),
    isApproximate: APPROXIMATE.test(before),
    units: unitsOf(figure, symbol, words),
    following: [...words.map(unitOf), ...stemsBeforeFigure(after)],
  };
}

/** The figures of a text with their units; months are figures as well. */
export function amountsOf(text: string): Amount[] {
  const plain = normalizeFigures(text);
  const amounts = [...plain.matchAll(FIGURE)].map((match) =>
    toAmount(match, plain.slice(0, match.index), plain.slice(match.index + match[0].length)),
  );
  const months = (plain.match(/\p{Lu}\p{L}+/gu) ?? []).map(monthOf).filter((month) => month >= 0);
  return [
    ...amounts,
    ...months.map((month) => ({
      low: month,
      high: month,
      isApproximate: false,
      units: ["month"],
      following: [],
    })),
  ];
}

function isSameAmount(first: Amount, second: Amount): boolean {
  if (first.low <= second.high && second.low <= first.high) return true;
  const share = Math.abs(first.low - second.low) / Math.max(Math.abs(first.low), Math.abs(second.low));
  if (!Number.isFinite(share) || first.units.some((unit) => unit === "year" || unit === "month")) return false;
  if (first.isApproximate || second.isApproximate) return share <= APPROXIMATE_SHARE;
  return Math.min(first.low, second.low) >= ROUNDED_FROM && share <= ROUNDING_SHARE;
}

/** The units for which two texts give only different figures. */
export function differingUnits(first: readonly Amount[], second: readonly Amount[]): string[] {
  const units = new Set(first.flatMap((amount) => amount.units));
  return [...units].filter((unit) => {
    const [own, other] = [first, second].map((amounts) => amounts.filter((amount) => amount.units.includes(unit)));
    if (!own || !other || own.length === 0 || other.length === 0) return false;
    return !own.some((a) => other.some((b) => isSameAmount(a, b)));
  });
}

/** Whether a unit is a measure, a date or a symbol such as "%". */
export const isMeasure = (unit: string) =>
  Object.values(MEASURES).includes(unit) ||
  OTHER_MEASURES.has(unit) ||
  measureOf(unit) !== undefined ||
  /^(?:year|month|day|[^\p{L}].*)$/u.test(unit);

/** A text without its amounts. */
export const withoutAmounts = (text: string) => normalizeFigures(text).replaceAll(FIGURE, " ");

/** Whether a word is a figure, a scale, a measure or a month, and so not part of a sentence's subject. */
export const isAmountWord = (word: string) =>
  /^\d/.test(word) ||
  NUMBER_WORDS.has(word) ||
  word in SCALES ||
  unitOf(word) in MEASURES ||
  Object.values(MEASURES).includes(unitOf(word)) ||
  monthOf(word) >= 0;
