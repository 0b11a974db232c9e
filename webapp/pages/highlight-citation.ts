import { anchorQuote } from "#shared/pdf/anchoring/quote-anchoring.ts";
import { readDomText } from "#shared/pdf/dom-text-ranges.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { containsQuote } from "#shared/pages/quote-matching.ts";
import { findBlock, listBlocks } from "./editor/chunks.ts";
import type { PageSession } from "./session/page-session.ts";

/** The citation in a page's URL: `?component=…&quote=…`. */
export interface CitationTarget {
  componentId: string;
  quote: string | undefined;
  /** Changes when the same citation is opened again. */
  arrival?: number | undefined;
}

const HIGHLIGHT_NAME = "lamplight-cited";

function findQuoteRange(block: HTMLElement, quote: string): Range | undefined {
  const read = readDomText(block);
  const piece = anchorQuote([{ page: 1, text: read.text }], { quote })?.ranges[0];
  return piece && read.rangeOf(piece.start, piece.end);
}

/** A chunk skipped by `content-visibility` has no layout to scroll to, so it is made visible first. */
function scrollToBlock(block: HTMLElement): void {
  block.closest<HTMLElement>(".page-chunk")?.style.setProperty("content-visibility", "visible");
  block.scrollIntoView({ block: "center" });
}

const noop = () => undefined;

function findBlockElement(session: PageSession, componentId: string): HTMLElement | undefined {
  const editor = session.editor;
  const placed = editor && findBlock(editor.state.doc, componentId);
  const block = placed && editor.view.nodeDOM(placed.pos);
  return block instanceof HTMLElement ? block : undefined;
}

/** Scrolls a block to the top of the viewport. */
export function showBlock(session: PageSession, componentId: string): void {
  const block = findBlockElement(session, componentId);
  block?.closest<HTMLElement>(".page-chunk")?.style.setProperty("content-visibility", "visible");
  block?.scrollIntoView({ block: "start" });
}

/** If the citation names the whole page, searches every line for the quote. */
function findCitedBlock(session: PageSession, { componentId, quote }: CitationTarget): HTMLElement | undefined {
  if (quote === undefined || componentId !== session.pageId) return findBlockElement(session, componentId);
  const doc = session.editor?.state.doc;
  const citingBlock = doc && listBlocks(doc).find(({ node }) => containsQuote(node.textContent, quote));
  return citingBlock && findBlockElement(session, String(citingBlock.node.attrs["id"]));
}

/**
 * Uses the CSS Custom Highlight API, which does not change the document:
 * https://developer.mozilla.org/docs/Web/API/CSS_Custom_Highlight_API. Returns whether the quote is highlighted.
 */
function setHighlight(range: Range | undefined): boolean {
  if (!("highlights" in CSS)) return false;
  if (range) CSS.highlights.set(HIGHLIGHT_NAME, new Highlight(range));
  else CSS.highlights.delete(HIGHLIGHT_NAME);
  return range !== undefined;
}

/**
 * Scrolls to a component and highlights the quoted text. If it has changed, shows a notice instead. Returns a function
 * that clears the highlight.
 */
export function highlightCitation(session: PageSession, { componentId, quote }: CitationTarget): () => void {
  const block = findCitedBlock(session, { componentId, quote });
  if (!block) {
    notify({ message: t("pages.cited_missing"), type: "info" });
    return noop;
  }
  scrollToBlock(block);
  if (quote === undefined) return noop;
  let range = findQuoteRange(block, quote);
  if (!range) notify({ message: t("pages.cited_changed"), type: "info" });
  if (!setHighlight(range)) return noop;
  // The editor may re-render a line at any time, so the highlight is applied again if its range has collapsed.
  const observer = new MutationObserver(() => {
    if (range?.collapsed === false) return;
    const currentBlock = findCitedBlock(session, { componentId, quote });
    range = currentBlock && findQuoteRange(currentBlock, quote);
    setHighlight(range);
  });
  if (session.editor)
    observer.observe(session.editor.view.dom, { childList: true, subtree: true, characterData: true });
  return () => {
    observer.disconnect();
    setHighlight(undefined);
  };
}
