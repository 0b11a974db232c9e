// Injected when the student asks to see a passage: highlights it and changes nothing else.
import { type Anchor, anchorQuote } from "#shared/pdf/anchoring/quote-anchoring.ts";
import { readDomText } from "#shared/pdf/dom-text-ranges.ts";
import { openRoots, pageBody } from "./dom.ts";

const NAME = "lamplight";

const isHiddenElement = (parent: Element) => /^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(parent.nodeName);

function findIn(root: HTMLElement | ShadowRoot, anchor: Anchor): Range[] {
  const { text, rangeOf } = readDomText(root, isHiddenElement);
  const found = anchorQuote([{ page: 1, text }], anchor);
  return (found?.ranges ?? []).flatMap(({ start, end }) => rangeOf(start, end) ?? []);
}

const styledRoots = new WeakSet<DocumentOrShadowRoot>();

/** A style sheet applies to one tree only. */
function addHighlightStyle(tree: DocumentOrShadowRoot): void {
  if (styledRoots.has(tree)) return;
  styledRoots.add(tree);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`::highlight(${NAME}) { background-color: #ffe7ab; color: #3d2a00; }`);
  tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
}

/** Highlights a passage in the page or one of its shadow roots; false if it is not found. */
export function highlightPassage(anchor: Anchor): boolean {
  for (const root of [pageBody(), ...openRoots()]) {
    const ranges = findIn(root, anchor);
    const [first] = ranges;
    if (!first) continue;
    CSS.highlights.set(NAME, new Highlight(...ranges));
    addHighlightStyle(root instanceof ShadowRoot ? root : document);
    const { parentElement } = first.startContainer;
    if (parentElement) Element.prototype.scrollIntoView.call(parentElement, { block: "center" });
    return true;
  }
  return false;
}
