import { pdfCitation } from "#shared/citations.ts";
import type { Selected } from "./selection.ts";
import type { TextDocument } from "../state.ts";

const CONTEXT = 32;
const MAX_QUOTE = 4_000;

const plain = (text: string) => text.replaceAll(/\s+/g, " ");

function passageOf(node: Node): HTMLElement | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest<HTMLElement>("[data-passage]") ?? null;
}

/** The selection in a text document, cut to one passage, because a citation names one passage. */
export function readTextSelection({ componentId, name, passages }: TextDocument): Selected | null {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const element = passageOf(range.startContainer);
  const passage = passages[Number(element?.dataset["passage"])];
  if (!element || !passage) return null;
  const part = range.cloneRange();
  if (!element.contains(range.endContainer)) part.setEnd(element, element.childNodes.length);
  const quote = plain(part.toString()).trim().slice(0, MAX_QUOTE);
  if (quote === "") return null;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(part.startContainer, part.startOffset);
  const behind = document.createRange();
  behind.selectNodeContents(element);
  behind.setStart(part.endContainer, part.endOffset);
  const page = passage.locator.page ?? 1;
  const { left, top, right, bottom } = part.getBoundingClientRect();
  return {
    componentId,
    source: name,
    page,
    quote,
    prefix: plain(before.toString()).slice(-CONTEXT),
    suffix: plain(behind.toString()).slice(0, CONTEXT),
    citation: pdfCitation(componentId, page, quote),
    places: [{ page, rects: [] }],
    box: { left, top, right, bottom },
  };
}
