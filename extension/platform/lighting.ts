// Runs in the page when the student asks to be shown a passage: it lights the words and changes nothing else.
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

/** A sheet of rules reaches one tree alone. */
function colour(tree: DocumentOrShadowRoot): void {
  if (sheets.has(tree)) return;
  sheets.add(tree);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`::highlight(${NAME}) { background-color: #ffe7ab; color: #3d2a00; }`);
  tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
}

/** Lights a passage where it stands now, in the page or in a part of it of its own; false where it stands nowhere. */
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
