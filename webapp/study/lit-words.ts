const MIN_WORDS = 2;

interface Word {
  text: string;
  start: number;
  end: number;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    text: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The longest run of words that `answer` shares with `quote` (longest common substring, by words). */
export function litWords(answer: string, quote: string | null): { start: number; end: number } | undefined {
  if (quote === null) return undefined;
  const [said, quoted] = [wordsOf(answer), wordsOf(quote).map((word) => word.text)];
  let best = { length: 0, at: 0 };
  // Lengths of the runs ending at each word of the quote, for the previous word of the answer.
  let before: number[] = [];
  for (const [at, word] of said.entries()) {
    const runs = quoted.map((text, place) => (text === word.text ? (before[place - 1] ?? 0) + 1 : 0));
    for (const length of runs) if (length > best.length) best = { length, at: at - length + 1 };
    before = runs;
  }
  if (best.length < Math.min(MIN_WORDS, said.length)) return undefined;
  const [first, last] = [said[best.at], said[best.at + best.length - 1]];
  return first && last ? { start: first.start, end: last.end } : undefined;
}
