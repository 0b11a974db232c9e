import { expect, test } from "vitest";
import { formatFutureTime, formatShortInterval, formatLongInterval } from "#webapp/study/format-interval.ts";
import { findQuotedWords } from "#webapp/study/quoted-words.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

test.each([
  [20_000, "1 min", "1 minute"],
  [6 * MINUTE_MS, "6 min", "6 minutes"],
  [5 * 60 * MINUTE_MS, "5 h", "5 hours"],
  [9 * DAY_MS, "9 d", "9 days"],
  [75 * DAY_MS, "2.5 mo", "2.5 months"],
  [800 * DAY_MS, "2.2 y", "2.2 years"],
])("an interval of %d ms is shown as %s and read out as %s", (ms, shown, spoken) => {
  expect(formatShortInterval(ms)).toBe(shown);
  expect(formatLongInterval(ms)).toBe(spoken);
});

test.each([
  [-5, "in 1 minute"],
  [12 * MINUTE_MS, "in 12 minutes"],
  [3 * 60 * MINUTE_MS, "in 3 hours"],
  [DAY_MS - MINUTE_MS, "tomorrow"],
  [6 * DAY_MS, "in 6 days"],
])("an interval of %d ms starts %s", (ms, words) => {
  expect(formatFutureTime(1000 + ms, 1000)).toBe(words);
});

const litIn = (answer: string, quote: string | null) => {
  const lit = findQuotedWords(answer, quote);
  return lit && answer.slice(lit.start, lit.end);
};

test("only words of the answer that appear in the source in this order are highlighted", () => {
  const quote = "Most amino acids are specified by more than one codon.";
  expect(litIn("They have more than one codon each.", quote)).toBe("more than one codon");
  expect(litIn("MORE THAN ONE CODON", quote)).toBe("MORE THAN ONE CODON");
  expect(litIn("Codon", quote)).toBe("Codon");
  expect(litIn("A codon is a triplet of bases", quote)).toBeUndefined();
  expect(litIn("Acids, amino", quote)).toBeUndefined();
  expect(litIn("more than one codon", null)).toBeUndefined();
  expect(litIn("", quote)).toBeUndefined();
});
