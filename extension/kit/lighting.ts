// Runs in the page when the student asks to be shown a passage: it lights the words and changes nothing else.
import { type Anchor, findQuote } from "#shared/pdf/anchoring.ts";
import { readTextUnder } from "#shared/pdf/text-ranges.ts";

const NAME = "lamplight";

const isUnseen = (parent: Element) => /^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(parent.tagName);

/** Lights a passage where it stands now; false where its words no longer stand here. */
export function lightPassage(anchor: Anchor): boolean {
  const { text, rangeOf } = readTextUnder(document.body, isUnseen);
  const found = findQuote([{ page: 1, text }], anchor);
  const ranges = (found?.pieces ?? []).flatMap(({ start, end }) => rangeOf(start, end) ?? []);
  const [first] = ranges;
  if (!first) return false;
  CSS.highlights.set(NAME, new Highlight(...ranges));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`::highlight(${NAME}) { background-color: #ffe7ab; color: #3d2a00; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  first.startContainer.parentElement?.scrollIntoView({ block: "center" });
  return true;
}
