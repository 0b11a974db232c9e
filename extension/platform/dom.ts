// Reads the document through prototype accessors: an image named "title" would otherwise shadow `document.title` (DOM
// clobbering), and pages cannot replace the prototypes of our world.

/** Returns a getter that elements of the page cannot shadow. */
function createGetter<T extends object, K extends keyof T & string>(prototype: T, name: K): (of: T) => T[K] {
  const property = Object.getOwnPropertyDescriptor(prototype, name);
  return (of) => property?.get?.call(of) as T[K];
}

const title = createGetter(Document.prototype, "title");
const body = createGetter(Document.prototype, "body");
const root = createGetter(Document.prototype, "documentElement");
const contentType = createGetter(Document.prototype, "contentType");
const shadowOf = createGetter(Element.prototype, "shadowRoot");

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

/** All open shadow roots of the page, including nested ones, outer ones first. */
export function openRoots(): ShadowRoot[] {
  const found: ShadowRoot[] = [];
  const trees: Tree[] = [document];
  for (let tree = trees.shift(); tree; tree = trees.shift())
    for (const element of everyElement(tree)) {
      const shadowRoot = shadowOf(element);
      if (!shadowRoot) continue;
      found.push(shadowRoot);
      trees.push(shadowRoot);
    }
  return found;
}
