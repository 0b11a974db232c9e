import type { Match } from "./find.ts";

/** Maps an offset in the page's text to a node of the text layer; each `br` counts as one line feed. */
function findTextPosition(layer: Element, offset: number): [node: Text, offset: number] | undefined {
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  let consumed = 0;
  let last: Text | undefined;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof HTMLBRElement) consumed += 1;
    if (!(node instanceof Text)) continue;
    if (offset <= consumed + node.length && offset >= consumed) return [node, offset - consumed];
    if (offset < consumed) return last && [last, last.length];
    consumed += node.length;
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
  const from = findTextPosition(layer, start + 1);
  const to = findTextPosition(layer, end);
  if (!from || !to) return;
  document.getSelection()?.setBaseAndExtent(from[0], Math.max(0, from[1] - 1), to[0], to[1]);
}
