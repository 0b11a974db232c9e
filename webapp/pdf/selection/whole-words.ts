interface Quote {
  quote: string;
  prefix: string;
  suffix: string;
}

let segmenter: Intl.Segmenter | undefined;

/** A quote that begins and ends with whole words: those are found again, also where lines are broken differently. */
export function toWholeWords({ quote, prefix, suffix }: Quote): Quote {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const text = prefix + quote + suffix;
  const words = segmenter.segment(text);
  const [first, last] = [words.containing(prefix.length), words.containing(prefix.length + quote.length - 1)];
  const start = first?.isWordLike === true ? first.index : prefix.length;
  const end = last?.isWordLike === true ? last.index + last.segment.length : prefix.length + quote.length;
  return { quote: text.slice(start, end), prefix: text.slice(0, start), suffix: text.slice(end) };
}
