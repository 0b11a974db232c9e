import type { Match } from "./find.ts";

/** The place in the text layer of an offset into the page's text: its text nodes in order, a line feed for each break. */
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

/** Selects a find on its page, so that it can be marked without a pointer; nothing where the page's text is not laid out. */
export function selectMatch({ page, start, end }: Match): void {
  const layer = document.querySelector(`.pdf-page[data-page="${page}"] .textLayer`);
  if (!layer) return;
  const from = placeOf(layer, start + 1);
  const to = placeOf(layer, end);
  if (!from || !to) return;
  document.getSelection()?.setBaseAndExtent(from[0], Math.max(0, from[1] - 1), to[0], to[1]);
}
