// Runs in the page when the student asks to be shown a passage: it lights the words and changes nothing else.
import { type Anchor, findQuote } from "#shared/pdf/anchoring.ts";

const NAME = "lamplight";

interface Piece {
  node: Text;
  start: number;
}

/** The words of the page as one text, with the node that each stretch of it comes from. */
function readText(): { text: string; pieces: Piece[] } {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
    /^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(node.parentElement?.tagName ?? "")
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  const pieces: Piece[] = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node instanceof Text) {
      pieces.push({ node, start: text.length });
      text += node.data;
    }
  return { text, pieces };
}

function rangeOf(pieces: readonly Piece[], from: number, to: number): Range | undefined {
  const first = pieces.findLast(({ start }) => start <= from);
  const last = pieces.findLast(({ start }) => start < to);
  if (!first || !last) return undefined;
  const range = document.createRange();
  range.setStart(first.node, from - first.start);
  range.setEnd(last.node, to - last.start);
  return range;
}

/** Lights a passage where it stands now; false where its words no longer stand here. */
export function lightPassage(anchor: Anchor): boolean {
  const { text, pieces } = readText();
  const found = findQuote([{ page: 1, text }], anchor);
  const ranges = (found?.pieces ?? []).flatMap(({ start, end }) => rangeOf(pieces, start, end) ?? []);
  const [first] = ranges;
  if (!first) return false;
  CSS.highlights.set(NAME, new Highlight(...ranges));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`::highlight(${NAME}) { background-color: #ffe7ab; color: #3d2a00; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  first.startContainer.parentElement?.scrollIntoView({ block: "center" });
  return true;
}
