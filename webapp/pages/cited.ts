import { findQuote } from "#shared/pdf/anchoring.ts";
import { readTextUnder } from "#shared/pdf/text-ranges.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { holdsQuote } from "#shared/pages/quoting.ts";
import { findBlock, listBlocks } from "./editor/chunks.ts";
import type { PageSession } from "./session/page-session.ts";

/** The citation in a page's URL: `?component=…&quote=…`. */
export interface Cited {
  componentId: string;
  quote: string | undefined;
}

const LIT = "lamplight-cited";

function rangeOf(block: HTMLElement, quote: string): Range | undefined {
  const read = readTextUnder(block);
  const piece = findQuote([{ page: 1, text: read.text }], { quote })?.pieces[0];
  return piece && read.rangeOf(piece.start, piece.end);
}

/** A chunk skipped by `content-visibility` has no layout to scroll to, so it is made visible first. */
function goTo(block: HTMLElement): void {
  block.closest<HTMLElement>(".page-chunk")?.style.setProperty("content-visibility", "visible");
  block.scrollIntoView({ block: "center" });
}

const none = () => undefined;

function blockOf(session: PageSession, componentId: string): HTMLElement | undefined {
  const editor = session.editor;
  const placed = editor && findBlock(editor.state.doc, componentId);
  const block = placed && editor.view.nodeDOM(placed.pos);
  return block instanceof HTMLElement ? block : undefined;
}

/** Scrolls a block to the top of the viewport. */
export function showBlock(session: PageSession, componentId: string): void {
  const block = blockOf(session, componentId);
  block?.closest<HTMLElement>(".page-chunk")?.style.setProperty("content-visibility", "visible");
  block?.scrollIntoView({ block: "start" });
}

/** A quote cited from the page as a whole is searched in every line. */
function placeOf(session: PageSession, { componentId, quote }: Cited): HTMLElement | undefined {
  if (quote === undefined || componentId !== session.pageId) return blockOf(session, componentId);
  const doc = session.editor?.state.doc;
  const held = doc && listBlocks(doc).find(({ node }) => holdsQuote(node.textContent, quote));
  return held && blockOf(session, String(held.node.attrs["id"]));
}

/**
 * Uses the CSS Custom Highlight API, which does not change the document:
 * https://developer.mozilla.org/docs/Web/API/CSS_Custom_Highlight_API. Returns whether the quote is highlighted.
 */
function paint(range: Range | undefined): boolean {
  if (!("highlights" in CSS)) return false;
  if (range) CSS.highlights.set(LIT, new Highlight(range));
  else CSS.highlights.delete(LIT);
  return range !== undefined;
}

/**
 * Scrolls to a component and highlights the quoted text. If it has changed, shows a notice instead. Returns a function
 * that clears the highlight.
 */
export function lightCited(session: PageSession, { componentId, quote }: Cited): () => void {
  const block = placeOf(session, { componentId, quote });
  if (!block) {
    notify({ message: t("pages.cited_gone"), type: "info" });
    return none;
  }
  goTo(block);
  if (quote === undefined) return none;
  let range = rangeOf(block, quote);
  if (!range) notify({ message: t("pages.cited_changed"), type: "info" });
  if (!paint(range)) return none;
  // The editor may re-render a line at any time, so the highlight is applied again if its range has collapsed.
  const observer = new MutationObserver(() => {
    if (range?.collapsed === false) return;
    const drawn = placeOf(session, { componentId, quote });
    range = drawn && rangeOf(drawn, quote);
    paint(range);
  });
  if (session.editor)
    observer.observe(session.editor.view.dom, { childList: true, subtree: true, characterData: true });
  return () => {
    observer.disconnect();
    paint(undefined);
  };
}
