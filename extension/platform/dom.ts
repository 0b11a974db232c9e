// Reads a document past what stands in it: an image named "title" or a field named "shadowRoot" would be answered in
// place of the browser's own. What prototypes of this world hold, no page can replace.

/** A property as the browser has it, whatever elements of the page are called. */
function read<T extends object, K extends keyof T & string>(prototype: T, name: K): (of: T) => T[K] {
  const property = Object.getOwnPropertyDescriptor(prototype, name);
  return (of) => property?.get?.call(of) as T[K];
}

const title = read(Document.prototype, "title");
const body = read(Document.prototype, "body");
const root = read(Document.prototype, "documentElement");
const contentType = read(Document.prototype, "contentType");
const shadowOf = read(Element.prototype, "shadowRoot");

export const pageTitle = (): string => title(document);
export const pageBody = (): HTMLElement => body(document) ?? root(document);
export const pageRoot = (): HTMLElement => root(document);
export const pageType = (): string => contentType(document);
export const newRange = (): Range => Document.prototype.createRange.call(document);

export const findFirst = (selector: string): Element | null =>
  Document.prototype.querySelector.call(document, selector);

export const findAll = (selector: string): NodeListOf<Element> =>
  Document.prototype.querySelectorAll.call(document, selector);

type Tree = Document | ShadowRoot;

const everyElement = (tree: Tree): NodeListOf<Element> =>
  tree instanceof Document
    ? Document.prototype.querySelectorAll.call(tree, "*")
    : DocumentFragment.prototype.querySelectorAll.call(tree, "*");

/** The open shadow roots of the page, those within others too, outer ones first. */
export function openRoots(): ShadowRoot[] {
  const found: ShadowRoot[] = [];
  const trees: Tree[] = [document];
  for (let tree = trees.shift(); tree; tree = trees.shift())
    for (const element of everyElement(tree)) {
      const inside = shadowOf(element);
      if (!inside) continue;
      found.push(inside);
      trees.push(inside);
    }
  return found;
}
