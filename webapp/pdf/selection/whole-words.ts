interface Quote {
  quote: string;
  prefix: string;
  suffix: string;
}

const CONTEXT_CHARS = 32;
const MAX_QUOTE_CHARS = 4_000;

let segmenter: Intl.Segmenter | undefined;

/** Extends a range of a text so that it neither starts nor ends within a word. */
function extendToWords(text: string, from: number, to: number): [start: number, end: number] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const words = segmenter.segment(text);
  const [first, last] = [words.containing(from), words.containing(to - 1)];
  return [
    first?.isWordLike === true ? first.index : from,
    last?.isWordLike === true ? last.index + last.segment.length : to,
  ];
}

/** Extends a quote to whole words, which can be found again even if the lines are broken differently. */
export function toWholeWords({ quote, prefix, suffix }: Quote): Quote {
  const text = prefix + quote + suffix;
  const [start, end] = extendToWords(text, prefix.length, prefix.length + quote.length);
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

interface TextPiece {
  node: Text;
  /** Where the node begins in the text of the layer. */
  at: number;
}

/** The text of a page's layer, with a line break between its lines, and its nodes. */
function readLayer(layer: Element): { text: string; pieces: TextPiece[] } {
  const pieces: TextPiece[] = [];
  let text = "";
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text) {
      pieces.push({ node, at: text.length });
      text += node.data;
    } else if (node.nodeName === "BR") text += "\n";
  }
  return { text, pieces };
}

const layerOf = (node: Node) =>
  (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>(".textLayer") ?? null;

/** Moves an end of a range that is within a word to the word's start or end. Printed words may span several nodes. */
function moveEnd(range: Range, which: "start" | "end"): void {
  const [node, offset] =
    which === "start" ? [range.startContainer, range.startOffset] : [range.endContainer, range.endOffset];
  const layer = layerOf(node);
  if (!layer || !(node instanceof Text)) return;
  const { text, pieces } = readLayer(layer);
  const at = (pieces.find((piece) => piece.node === node)?.at ?? 0) + offset;
  const [start, end] = which === "start" ? extendToWords(text, at, at + 1) : extendToWords(text, at - 1, at);
  const target = which === "start" ? start : end;
  const piece = pieces.findLast((each) => (which === "start" ? each.at <= target : each.at < target));
  if (!piece) return;
  // A line break belongs to no node.
  const inNode = Math.min(target - piece.at, piece.node.length);
  if (which === "start") range.setStart(piece.node, inNode);
  else range.setEnd(piece.node, inNode);
}

/** The range on the pages, extended to whole words. */
export function rangeOfWords(range: Range): Range {
  const extended = range.cloneRange();
  moveEnd(extended, "start");
  moveEnd(extended, "end");
  return extended;
}
