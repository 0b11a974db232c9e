import { ENGLISH_NUMBERS } from "#shared/text/number-words.ts";

const TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const GROUPS = ["", " thousand", " million", " billion", " trillion", " quadrillion"];
const IRREGULAR: Readonly<Record<string, string>> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
};
const HUNDRED = 100;
const THOUSAND = 1000;
const TWENTY = 20;
const TEN = 10;

function belowThousand(value: number): string {
  const rest = value % HUNDRED;
  const hundreds = value >= HUNDRED ? `${ENGLISH_NUMBERS[Math.floor(value / HUNDRED)]} hundred` : "";
  if (rest === 0 && hundreds !== "") return hundreds;
  const tens = TENS[Math.floor(rest / TEN)] ?? "";
  const small =
    rest < TWENTY
      ? (ENGLISH_NUMBERS[rest] ?? "")
      : `${tens}${rest % TEN === 0 ? "" : `-${ENGLISH_NUMBERS[rest % TEN]}`}`;
  return hundreds === "" ? small : `${hundreds} and ${small}`;
}

/** Digits one by one, as in a long code. */
export const digitsInWords = (digits: string): string =>
  digits
    .split("")
    .map((digit) => ENGLISH_NUMBERS[Number(digit)] ?? "")
    .join(" ");

/** A whole number in words; a very long one digit by digit. */
export function cardinal(digits: string): string {
  if (digits.length > GROUPS.length * 3) return digitsInWords(digits);
  let rest = Number(digits);
  if (rest === 0) return "zero";
  const parts: string[] = [];
  for (let group = 0; rest > 0; group += 1) {
    const part = rest % THOUSAND;
    const isLastSmall = group === 0 && part < HUNDRED && rest > part;
    if (part > 0) parts.unshift(`${isLastSmall ? "and " : ""}${belowThousand(part)}${GROUPS[group]}`);
    rest = Math.floor(rest / THOUSAND);
  }
  return parts.join(" ");
}

export function ordinal(digits: string): string {
  const words = cardinal(digits);
  const at = Math.max(words.lastIndexOf(" "), words.lastIndexOf("-")) + 1;
  const last = words.slice(at);
  const spoken = IRREGULAR[last] ?? (last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return words.slice(0, at) + spoken;
}

/** A number that may have a sign, groups of thousands and decimals: `-1,204.5`. */
export function numberInWords(text: string): string {
  const isNegative = /^[-−–]/u.test(text);
  const [whole = "", decimals] = text
    .replace(/^[-−–+]/u, "")
    .replaceAll(",", "")
    .split(".");
  const words = cardinal(whole === "" ? "0" : whole);
  const fraction = decimals === undefined || decimals === "" ? "" : ` point ${digitsInWords(decimals)}`;
  return `${isNegative ? "minus " : ""}${words}${fraction}`;
}

/** A year as it is read: nineteen fifty-three, two thousand and five. */
export function yearInWords(digits: string): string {
  const year = Number(digits);
  const [century, rest] = [Math.floor(year / HUNDRED), year % HUNDRED];
  if (digits.length !== 4 || century % TEN === 0 || (century === TWENTY && rest < TEN)) return cardinal(digits);
  if (rest === 0) return `${cardinal(String(century))} hundred`;
  return `${cardinal(String(century))} ${rest < TEN ? `oh ${ENGLISH_NUMBERS[rest]}` : cardinal(String(rest))}`;
}

/** The plural of a decade: nineties. */
export function decadeInWords(digits: string): string {
  const words = digits.length === 4 ? yearInWords(digits) : cardinal(digits);
  if (words.endsWith("y")) return `${words.slice(0, -1)}ies`;
  return `${words}s`;
}

const DENOMINATORS: Readonly<Record<string, [string, string]>> = { 2: ["half", "halves"], 4: ["quarter", "quarters"] };

export function fractionInWords(numerator: string, denominator: string): string {
  const [one, many] = DENOMINATORS[denominator] ?? [ordinal(denominator), `${ordinal(denominator)}s`];
  return `${cardinal(numerator)} ${numerator === "1" ? one : many}`;
}
