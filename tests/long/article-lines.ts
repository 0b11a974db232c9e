// Runs in a page of a real browser: splits the text of a page into lines at its block elements, ignoring styles. The marks
// in article-marks.json count these lines from 0.

const UNREAD = new Set([
  "SCRIPT",
  "STYLE",
  "NOSCRIPT",
  "TEMPLATE",
  "HEAD",
  "SELECT",
  "BUTTON",
  "IFRAME",
  "OBJECT",
  "TEXTAREA",
  "SVG",
]);
const INLINE = new Set(
  "A ABBR ACRONYM B BDI BDO BIG CITE CODE DEL DFN EM FONT I INS KBD LABEL MARK NOBR Q S SAMP SMALL SPAN STRIKE STRONG SUB SUP TIME TT U VAR WBR MATH".split(
    " ",
  ),
);

export interface Line {
  text: string;
  /** The line's block and the parent of the block, with their classes. */
  path: string;
}

const nameOf = (element: Element | null) =>
  element
    ? element.tagName.toLowerCase() +
      (element.className && typeof element.className === "string"
        ? `.${element.className.trim().split(/\s+/).slice(0, 2).join(".")}`
        : "")
    : "";

function blockOf(element: Element): Element {
  let block = element;
  while (INLINE.has(block.tagName) && block.parentElement) block = block.parentElement;
  return block;
}

function readLines(html: string): Line[] {
  const lines: Line[] = [];
  let text = "";
  let block: Element | undefined;
  const endLine = () => {
    const line = text.replaceAll(/\s+/g, " ").trim();
    if (line && block) lines.push({ text: line, path: `${nameOf(block.parentElement)}>${nameOf(block)}` });
    text = "";
    block = undefined;
  };
  const walk = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      text += node.nodeValue ?? "";
      if (!block && node.parentElement && (node.nodeValue ?? "").trim()) block = blockOf(node.parentElement);
      return;
    }
    if (!(node instanceof Element) || UNREAD.has(node.tagName.toUpperCase())) return;
    const breaks = !INLINE.has(node.tagName);
    if (breaks) endLine();
    for (const child of node.childNodes) walk(child);
    if (breaks) endLine();
  };
  walk(new DOMParser().parseFromString(html, "text/html").documentElement);
  endLine();
  return lines;
}

Object.assign(globalThis, { readLines });
