/** More labels below a chart would overlap. */
const MAX_NAMES = 5;
/** Steps between the numbers of a scale: 1, 2 or 5 times a power of ten. */
const STEPS = [1, 2, 5, 10];
/** Further digits are errors of floating point arithmetic. */
const DIGITS = 12;

/**
 * Round numbers, evenly spaced, from at most `low` to at least `high`: three to six of them, and two if both are equal.
 * `smallestStep` is 1 where only whole numbers make sense.
 */
export function roundTicks(low: number, high: number, smallestStep = 0): number[] {
  const span = high - low || Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(Math.max(smallestStep, span / 4)));
  const step = (STEPS.find((candidate) => candidate * power * 4 >= span) ?? 10) * power;
  const first = Math.floor(toDigits(low / step));
  const last = Math.max(first + 1, Math.ceil(toDigits(high / step)));
  return Array.from({ length: last - first + 1 }, (_, index) => toDigits((first + index) * step));
}

const toDigits = (value: number) => Number(value.toPrecision(DIGITS));

/** Which of `count` names have room below a chart: the first, and then every second, third and so on. */
export function namedIndexes(count: number): number[] {
  const step = Math.max(1, Math.ceil((count - 1) / (MAX_NAMES - 1)));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
