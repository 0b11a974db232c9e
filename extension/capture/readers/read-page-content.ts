// Injected into the isolated world: reads the page without changing it. Its result is untrusted data.
import type { CaptureLocator } from "#shared/capture/schema.ts";
import { findFirst, newRange, openRoots, pageBody, pageRoot, pageTitle, pageType } from "#extension/platform/dom.ts";

/** Metadata of a page. */
export interface PageMetadata {
  address: string;
  title: string;
  author: string | null;
  contentType: string;
}

export interface PageSelection extends PageMetadata {
  text: string;
  locator: CaptureLocator | null;
}

const CONTEXT_CHARS = 64;
const MAX_QUOTE_CHARS = 8000;

function metaContent(name: string): string | null {
  const found = findFirst(`meta[name="${name}"], meta[property="${name}"]`);
  return (found instanceof HTMLMetaElement && found.content.trim()) || null;
}

export const readMetadata = (): PageMetadata => ({
  address: location.href,
  title: pageTitle().trim().slice(0, 500),
  author: (metaContent("author") ?? metaContent("article:author"))?.slice(0, 300) ?? null,
  contentType: pageType(),
});

const TEX = 'annotation[encoding="application/x-tex"]';

/** Plain text with formulas as TeX and code in backticks. */
function toPlainText(fragment: DocumentFragment): string {
  for (const formula of fragment.querySelectorAll(".katex, mjx-container, math")) {
    const tex = formula.querySelector(TEX)?.textContent ?? formula.getAttribute("alttext");
    if (tex) formula.replaceWith(`$${tex.trim()}$`);
  }
  for (const code of fragment.querySelectorAll("pre"))
    code.replaceWith(`\n\`\`\`\n${code.textContent.trim()}\n\`\`\`\n`);
  for (const code of fragment.querySelectorAll("code")) code.replaceWith(`\`${code.textContent}\``);
  for (const block of fragment.querySelectorAll("p, li, div, h1, h2, h3, h4, h5, h6, tr, br, blockquote, dt, dd"))
    block.append("\n");
  return fragment.textContent
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/ *\n\s*/g, "\n")
    .trim();
}

/** Text before and after a range, within the body or its shadow root. */
function surroundings(range: Range): Pick<CaptureLocator, "prefix" | "suffix"> {
  const root = range.startContainer.getRootNode();
  const container = root instanceof ShadowRoot ? root : pageBody();
  const before = newRange();
  before.setStart(container, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const after = newRange();
  after.setStart(range.endContainer, range.endOffset);
  after.setEnd(container, container.childNodes.length);
  return { prefix: before.toString().slice(-CONTEXT_CHARS), suffix: after.toString().slice(0, CONTEXT_CHARS) };
}

/** In Chromium only the shadow root itself returns the selection inside it. */
type SelectableRoot = ShadowRoot & { getSelection?: () => Selection | null };

function rangeIn(selection: Selection | null | undefined): Range | undefined {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  return range.collapsed ? undefined : range;
}

function selectedRange(): Range | undefined {
  const inPage = rangeIn(getSelection());
  if (inPage) return inPage;
  for (const root of openRoots() as SelectableRoot[]) {
    const range = rangeIn(root.getSelection?.());
    if (range) return range;
  }
  return undefined;
}

export function readSelection(): PageSelection {
  const range = selectedRange();
  const metadata = readMetadata();
  if (!range) return { ...metadata, text: "", locator: null };
  const quote = range.toString().trim().slice(0, MAX_QUOTE_CHARS);
  const text = toPlainText(range.cloneContents());
  return { ...metadata, text, locator: { quote, ...surroundings(range) } };
}

/** The document as the student sees it, including open shadow roots. */
export function readPageHtml(): string {
  const shadowRoots = openRoots();
  const root = pageRoot();
  return shadowRoots.length > 0 ? root.getHTML({ shadowRoots }) : root.innerHTML;
}
