import { wordsOf } from "#shared/text/words.ts";
import { type Amount, amountsOf, isMeasure, unitOf } from "./amounts.ts";
import { findOpposition, isExactlyOneNegated, isOnOppositeSideOfScale, polarityOf } from "./polarity.ts";

/** Words for a share or a multiple, which are not figures; the words of each group are equal in meaning. */
const PARTS: readonly RegExp[] = [
  /^(?:hal(?:f|ves|ved)|hälfte|halb\w*|halbier\w*)$/u,
  /^(?:quarters?|viertel\w*)$/u,
  /^(?:doubl\w+|twice|twofold|doppel\w*|zweimal|verdoppel\w*)$/u,
  /^(?:tripl\w+|thrice|threefold|dreimal|dreifach\w*|verdreifach\w*)$/u,
  /^(?:dozens?|dutzende?)$/u,
  /^(?:hundreds|hunderte\w*)$/u,
  /^(?:thousands|tausende\w*)$/u,
];

/** "One chamber", "a single chamber": captures the counted noun. */
const SINGLE = /(?<!\p{L})(?:one|single|eine? einzige[nrsm]?)\s+(\p{L}+)/giu;

const isEqual = (first: Amount, second: Amount) => first.low === second.low && first.high === second.high;

/** Whether two equal figures count the same thing, as far as the texts name it. */
function countsTheSame({ units, following }: Amount, other: Amount): boolean {
  const [measure, otherMeasure] = [units.find(isMeasure), other.units.find(isMeasure)];
  if (measure !== undefined || otherMeasure !== undefined) return measure === otherMeasure;
  if (units.length === 0 || other.units.length === 0) return true;
  return units.some((unit) => other.following.includes(unit)) || other.units.some((unit) => following.includes(unit));
}

/** Whether the quote contains every amount of the sentence: the same figure, scale and unit, in digits or words. */
export function hasAmountsOf(sentence: string, quote: string): boolean {
  const quoted = amountsOf(quote);
  const isInQuote = (amount: Amount) => quoted.some((other) => isEqual(amount, other) && countsTheSame(amount, other));
  if (!amountsOf(sentence).every(isInQuote)) return false;
  const words = wordsOf(sentence);
  const quoteWords = wordsOf(quote);
  const isPartInQuote = (part: RegExp) =>
    !words.some((word) => part.test(word)) || quoteWords.some((word) => part.test(word));
  if (!PARTS.every(isPartInQuote)) return false;
  // "One" is a figure only if the quote counts the same noun.
  return [...sentence.matchAll(SINGLE)].every(([phrase, counted = ""]) => {
    const unit = unitOf(counted);
    const isCounted = quoted.some(({ units, low }) => low !== 1 && units.includes(unit));
    return !isCounted || quote.toLowerCase().includes(phrase.toLowerCase());
  });
}

/** Whether a sentence states the opposite of its quote. */
export function contradicts(sentence: string, quote: string): boolean {
  const [own, quoted] = [polarityOf(sentence), polarityOf(quote)];
  return (
    isExactlyOneNegated(own, quoted) ||
    isOnOppositeSideOfScale(own, quoted) ||
    findOpposition(own, quoted).oppositionCount % 2 === 1
  );
}
