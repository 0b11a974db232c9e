const MAX_CHARS = 20_000;

function toLine(written: string | undefined, fallback: number, last: number): number {
  const line = Math.trunc(Number(written ?? fallback));
  return Math.min(last, Math.max(1, Number.isNaN(line) ? fallback : line));
}

/** The number of lines that fit, at least one. */
function countFitting(lines: readonly string[]): number {
  let chars = 0;
  const firstCut = lines.findIndex((line, index) => {
    chars += line.length + 1;
    return chars > MAX_CHARS && index > 0;
  });
  return firstCut === -1 ? lines.length : firstCut;
}

/** A note for a line that is longer than an answer may be. */
const noteCut = (line: number, chars: number): string =>
  chars <= MAX_CHARS
    ? ""
    : `\n[Line ${line} is cut: these are the first ${MAX_CHARS} of its ${chars} characters. The rest cannot be read; edit_file can still replace words of it.]`;

/**
 * Lines of a text, counted from 1. If some are left out, a note says which lines are shown, so that a model can read
 * the others.
 */
export function readLines(text: string, from?: string, to?: string): string {
  const lines = text.split("\n");
  const first = toLine(from, 1, lines.length);
  const wanted = lines.slice(first - 1, toLine(to, lines.length, lines.length));
  const shown = wanted.slice(0, countFitting(wanted));
  const whole = shown.join("\n");
  const joined = whole.slice(0, MAX_CHARS) + noteCut(first, whole.length);
  if (shown.length === lines.length) return joined;
  return `${joined}\n[Lines ${first} to ${first + shown.length - 1} of ${lines.length}. Read others with from and to.]`;
}
