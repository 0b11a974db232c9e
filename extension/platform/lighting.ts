// Injected when the student asks to see a passage: highlights it and changes nothing else.
import { type Anchor, findQuote } from "#shared/pdf/anchoring.ts";
import { readTextUnder } from "#shared/pdf/text-ranges.ts";
import { openRoots, pageBody } from "./dom.ts";

const NAME = "lamplight";

const isUnseen = (parent: Element) => /^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(parent.nodeName);

function findIn(part: HTMLElement | ShadowRoot, anchor: Anchor): Range[] {
  const { text, rangeOf } = readTextUnder(part, isUnseen);
  const found = findQuote([{ page: 1, text }], anchor);
  return (found?.pieces ?? []).flatMap(({ start, end }) => rangeOf(start, end) ?? []);
}

const sheets = new WeakSet<DocumentOrShadowRoot>();

/** A style sheet applies to one tree only. */
function colour(tree: DocumentOrShadowRoot): void {
  if (sheets.has(tree)) return;
  sheets.add(tree);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`::highlight(${NAME}) { background-color: #ffe7ab; color: #3d2a00; }`);
  tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
}

/** Highlights a passage in the page or one of its shadow roots; false if it is not found. */
export function lightPassage(anchor: Anchor): boolean {
  for (const place of [pageBody(), ...openRoots()]) {
    const ranges = findIn(place, anchor);
    const [first] = ranges;
    if (!first) continue;
    CSS.highlights.set(NAME, new Highlight(...ranges));
    colour(place instanceof ShadowRoot ? place : document);
    const { parentElement } = first.startContainer;
    if (parentElement) Element.prototype.scrollIntoView.call(parentElement, { block: "center" });
    return true;
  }
  return false;
}
