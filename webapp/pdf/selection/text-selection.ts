import { pdfCitation } from "#shared/citations.ts";
import type { DocumentSelection } from "./selection.ts";
import { logWarning } from "#webapp/app/log.ts";
import { trackRange } from "#webapp/app/track-range.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { PagedDocument, TextDocument } from "../state.ts";
import { findNearPage } from "./quote-highlight.ts";
import { toWholeWords, trimQuote } from "./whole-words.ts";

const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, " ");

function findPassageElement(node: Node): HTMLElement | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest<HTMLElement>("[data-passage]") ?? null;
}

type Quote = Pick<DocumentSelection, "quote" | "prefix" | "suffix" | "page">;

/** The positions of a quote on the pages; the whole passage if the file has no text layer with it, such as a scan. */
async function findPlaces(paged: PagedDocument, passage: Passage, quote: Quote): Promise<DocumentSelection["places"]> {
  const { page } = quote;
  const highlight = await findNearPage(paged.file, quote).catch((error: unknown) => {
    logWarning("Could not find a quote on its page", error);
    return null;
  });
  return highlight?.pieces ?? [{ page, rects: passage.locator.rect ? [passage.locator.rect] : [] }];
}

/** The selection in a text document, cut to one passage, because a citation names one passage. */
export function readTextSelection(open: TextDocument): DocumentSelection | null {
  const { componentId, name, pageId, passages, paged } = open;
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const element = findPassageElement(range.startContainer);
  const passage = passages[Number(element?.dataset["passage"])];
  if (!element || !passage) return null;
  const quoteRange = range.cloneRange();
  if (!element.contains(range.endContainer)) quoteRange.setEnd(element, element.childNodes.length);
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(quoteRange.startContainer, quoteRange.startOffset);
  const after = document.createRange();
  after.selectNodeContents(element);
  after.setStart(quoteRange.endContainer, quoteRange.endOffset);
  if (quoteRange.toString().trim() === "") return null;
  const page = passage.locator.page ?? 1;
  const selected = {
    prefix: collapseSpaces(before.toString()),
    quote: collapseSpaces(quoteRange.toString()),
    suffix: collapseSpaces(after.toString()),
  };
  const found: Quote = { page, ...trimQuote(toWholeWords(selected)) };
  return {
    ...found,
    componentId,
    source: name,
    pageId,
    ...(paged && { findPlaces: () => findPlaces(paged, passage, found) }),
    citation: pdfCitation(componentId, page, found.quote),
    places: [{ page, rects: [] }],
    findBox: trackRange(quoteRange, element),
  };
}
