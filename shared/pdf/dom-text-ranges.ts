/** The text under an element, with a mapping back to its DOM nodes. */
export interface DomText {
  text: string;
  /** The DOM range from character `from` up to `to` of `text`; undefined if there is no such text. */
  rangeOf: (from: number, to: number) => Range | undefined;
}

/**
 * Reads the text under an element in document order; text whose parent element `isExcluded` is skipped.
 */
export function readDomText(root: Node, isExcluded: (parent: Element) => boolean = () => false): DomText {
  // Via the prototype: on a third-party page, an image named "createTreeWalker" would shadow the method.
  const { ownerDocument } = root;
  const walker = ownerDocument && Document.prototype.createTreeWalker.call(ownerDocument, root, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; start: number }[] = [];
  let text = "";
  for (let node = walker?.nextNode(); node; node = walker?.nextNode()) {
    if (!(node instanceof Text) || (node.parentElement && isExcluded(node.parentElement))) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const rangeOf = (from: number, to: number) => {
    const first = nodes.findLast(({ start }) => start <= from);
    const last = nodes.findLast(({ start }) => start < to);
    if (!first || !last) return undefined;
    const range = Document.prototype.createRange.call(first.node.ownerDocument);
    range.setStart(first.node, from - first.start);
    range.setEnd(last.node, to - last.start);
    return range;
  };
  return { text, rangeOf };
}
