/** The words under an element as one text, with the node that each stretch of it comes from. */
export interface TextUnder {
  text: string;
  /** The part of the document from character `from` up to `to` of `text`; none where there are no such characters. */
  rangeOf: (from: number, to: number) => Range | undefined;
}

/** Reads what stands under an element, in its order; text under elements that `isLeftOut` names is passed over. */
export function readTextUnder(root: Node, isLeftOut: (parent: Element) => boolean = () => false): TextUnder {
  // By the prototype: in a page of others an image may be called "createTreeWalker".
  const { ownerDocument } = root;
  const walker = ownerDocument && Document.prototype.createTreeWalker.call(ownerDocument, root, NodeFilter.SHOW_TEXT);
  const pieces: { node: Text; start: number }[] = [];
  let text = "";
  for (let node = walker?.nextNode(); node; node = walker?.nextNode()) {
    if (!(node instanceof Text) || (node.parentElement && isLeftOut(node.parentElement))) continue;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  const rangeOf = (from: number, to: number) => {
    const first = pieces.findLast(({ start }) => start <= from);
    const last = pieces.findLast(({ start }) => start < to);
    if (!first || !last) return undefined;
    const range = Document.prototype.createRange.call(first.node.ownerDocument);
    range.setStart(first.node, from - first.start);
    range.setEnd(last.node, to - last.start);
    return range;
  };
  return { text, rangeOf };
}
