import { pdfCitation } from "#shared/citations.ts";
import type { DocumentSelection } from "./selection.ts";
import type { TextDocument } from "../state.ts";

const CONTEXT_CHARS = 32;
const MAX_QUOTE_CHARS = 4_000;

const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, " ");

function findPassageElement(node: Node): HTMLElement | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest<HTMLElement>("[data-passage]") ?? null;
}

/** The selection in a text document, cut to one passage, because a citation names one passage. */
export function readTextSelection({ componentId, name, pageId, passages }: TextDocument): DocumentSelection | null {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const element = findPassageElement(range.startContainer);
  const passage = passages[Number(element?.dataset["passage"])];
  if (!element || !passage) return null;
  const quoteRange = range.cloneRange();
  if (!element.contains(range.endContainer)) quoteRange.setEnd(element, element.childNodes.length);
  const quote = collapseSpaces(quoteRange.toString()).trim().slice(0, MAX_QUOTE_CHARS);
  if (quote === "") return null;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(quoteRange.startContainer, quoteRange.startOffset);
  const after = document.createRange();
  after.selectNodeContents(element);
  after.setStart(quoteRange.endContainer, quoteRange.endOffset);
  const page = passage.locator.page ?? 1;
  const { left, top, right, bottom } = quoteRange.getBoundingClientRect();
  return {
    componentId,
    source: name,
    pageId,
    page,
    quote,
    prefix: collapseSpaces(before.toString()).slice(-CONTEXT_CHARS),
    suffix: collapseSpaces(after.toString()).slice(0, CONTEXT_CHARS),
    citation: pdfCitation(componentId, page, quote),
    places: [{ page, rects: [] }],
    box: { left, top, right, bottom },
  };
}
