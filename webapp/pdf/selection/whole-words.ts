interface Quote {
  quote: string;
  prefix: string;
  suffix: string;
}

const CONTEXT_CHARS = 32;
const MAX_QUOTE_CHARS = 4_000;

let segmenter: Intl.Segmenter | undefined;

/** Extends a quote to whole words, which can be found again even if the lines are broken differently. */
export function toWholeWords({ quote, prefix, suffix }: Quote): Quote {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const text = prefix + quote + suffix;
  const words = segmenter.segment(text);
  const [first, last] = [words.containing(prefix.length), words.containing(prefix.length + quote.length - 1)];
  const start = first?.isWordLike === true ? first.index : prefix.length;
  const end = last?.isWordLike === true ? last.index + last.segment.length : prefix.length + quote.length;
  return { quote: text.slice(start, end), prefix: text.slice(0, start), suffix: text.slice(end) };
}

/** The quote as it is saved, with a limited length. Spaces at its ends are moved to the prefix and suffix. */
export function trimQuote({ quote, prefix, suffix }: Quote): Quote {
  const start = quote.length - quote.trimStart().length;
  const end = Math.min(quote.trimEnd().length, start + MAX_QUOTE_CHARS);
  return {
    quote: quote.slice(start, end),
    prefix: (prefix + quote.slice(0, start)).slice(-CONTEXT_CHARS),
    suffix: (quote.slice(end) + suffix).slice(0, CONTEXT_CHARS),
  };
}
