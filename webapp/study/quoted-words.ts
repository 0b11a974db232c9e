const MIN_WORDS = 2;

interface Word {
  text: string;
  start: number;
  end: number;
}

function splitWords(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    text: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The longest run of words that `answer` shares with `quote` (longest common substring, by words). */
export function findQuotedWords(answer: string, quote: string | null): { start: number; end: number } | undefined {
  if (quote === null) return undefined;
  const [answerWords, quoted] = [splitWords(answer), splitWords(quote).map((word) => word.text)];
  let best = { length: 0, start: 0 };
  // Lengths of the runs ending at each word of the quote, for the previous word of the answer.
  let previousRuns: number[] = [];
  for (const [index, word] of answerWords.entries()) {
    const runs = quoted.map((text, quoteIndex) => (text === word.text ? (previousRuns[quoteIndex - 1] ?? 0) + 1 : 0));
    for (const length of runs) if (length > best.length) best = { length, start: index - length + 1 };
    previousRuns = runs;
  }
  if (best.length < Math.min(MIN_WORDS, answerWords.length)) return undefined;
  const [first, last] = [answerWords[best.start], answerWords[best.start + best.length - 1]];
  return first && last ? { start: first.start, end: last.end } : undefined;
}
