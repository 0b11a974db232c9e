import { DOMParser } from "linkedom";

/** The subset of a DOM element that the readers use. */
export interface XmlElement {
  readonly localName: string;
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<XmlElement>;
  readonly children: ArrayLike<XmlElement>;
  getAttribute(name: string): string | null;
}

const DOCTYPE = /<!DOCTYPE[^>[]*/giu;
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)[\w.:-]{1,100};/giu;

/** Removes document types with their declarations; an unclosed one is removed up to the end of the text. */
function removeDoctypes(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { index, 0: start } of text.matchAll(DOCTYPE)) {
    if (index < done) continue;
    parts.push(text.slice(done, index));
    const inside = index + start.length;
    const declared = text[inside] === "[" ? text.indexOf("]", inside) : inside;
    const end = declared === -1 ? -1 : text.indexOf(">", declared);
    done = end === -1 ? text.length : end + 1;
  }
  return [...parts, text.slice(done)].join("");
}

/**
 * Decodes UTF-8 or UTF-16 XML and removes document types, so that their entities are neither fetched nor expanded
 * (XXE).
 */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  const text = new TextDecoder(encoding).decode(bytes);
  return text.includes("<!DOCTYPE") || text.includes("<!doctype") ? removeDoctypes(text).replace(ENTITY, "") : text;
}

/** The root element of an XML part, or undefined. */
export function parseXml(bytes: Uint8Array | undefined): XmlElement | undefined {
  if (!bytes) return undefined;
  const document = new DOMParser().parseFromString(decodeXml(bytes), "text/xml");
  return document.documentElement ?? undefined;
}

/** The element's name without its prefix, which is arbitrary. */
export function getLocalName({ localName }: XmlElement): string {
  return localName.slice(localName.indexOf(":") + 1);
}

export function findChildren(parent: XmlElement | undefined, name: string): XmlElement[] {
  return parent ? Array.from(parent.children).filter((child) => getLocalName(child) === name) : [];
}

/** The first element at a path of child names. */
export function findAt(parent: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  let found = parent;
  for (const name of path) found = findChildren(found, name)[0];
  return found;
}

/** All descendants with a name, in document order. */
export function* descendants(parent: XmlElement | undefined, name: string): Generator<XmlElement> {
  const pending = parent ? [parent] : [];
  for (let element = pending.pop(); element; element = pending.pop()) {
    if (getLocalName(element) === name) yield element;
    const { children } = element;
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child) pending.push(child);
    }
  }
}
