import type { Match } from "./find.ts";

/** Maps an offset in the page's text to a node of the text layer; each `br` counts as one line feed. */
function placeOf(layer: Element, offset: number): [node: Text, offset: number] | undefined {
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  let passed = 0;
  let last: Text | undefined;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof HTMLBRElement) passed += 1;
    if (!(node instanceof Text)) continue;
    if (offset <= passed + node.length && offset >= passed) return [node, offset - passed];
    if (offset < passed) return last && [last, last.length];
    passed += node.length;
    last = node;
  }
  return undefined;
}

/**
 * Selects a search match, so that it can be highlighted by keyboard; does nothing if the page has no text layer yet.
 */
export function selectMatch({ page, start, end }: Match): void {
  const layer = document.querySelector(`.pdf-page[data-page="${page}"] .textLayer`);
  if (!layer) return;
  const from = placeOf(layer, start + 1);
  const to = placeOf(layer, end);
  if (!from || !to) return;
  document.getSelection()?.setBaseAndExtent(from[0], Math.max(0, from[1] - 1), to[0], to[1]);
}
