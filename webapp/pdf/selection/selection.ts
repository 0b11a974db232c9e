import { atom } from "jotai/vanilla";
import { pdfCitation } from "#shared/citations.ts";
import type { AnnotationColor } from "#shared/pdf/annotations.ts";
import type { PageRect } from "#shared/pdf/text-rects.ts";
import { notify } from "#webapp/app/alerts.ts";
import type { SelectedPassage } from "../document-port.tsx";
import { logWarning } from "#webapp/app/log.ts";
import { trackRange } from "#webapp/app/track-range.ts";
import { t } from "#shared/messages/translate.ts";
import { addAnnotation, type NewAnnotation } from "../annotations/annotations.ts";
import { unrotateRect } from "../viewer/page-layout.ts";
import type { PagedDocument } from "../state.ts";
import { rangeOfWords, trimQuote } from "./whole-words.ts";

export interface DocumentSelection extends SelectedPassage {
  places: NewAnnotation["places"];
  /** Finds the positions on the pages, for a selection in the extracted text. */
  findPlaces?: () => Promise<NewAnnotation["places"]>;
}

export const documentSelectionAtom = atom<DocumentSelection | null>(null);

const MAX_RECTS = 400;

const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, " ");

/** The text of a range; each line break becomes a space. */
function getRangeText(range: Range): string {
  const fragment = range.cloneContents();
  for (const line of fragment.querySelectorAll("br")) line.replaceWith("\n");
  return collapseSpaces(fragment.textContent ?? "");
}

function textNodesIn(range: Range, root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (range.intersectsNode(node)) found.push(node as Text);
  return found;
}

function getTextBoxes(range: Range, layer: Element): DOMRect[] {
  return textNodesIn(range, layer).flatMap((node) => {
    const nodeRange = document.createRange();
    nodeRange.selectNodeContents(node);
    if (node === range.startContainer) nodeRange.setStart(node, range.startOffset);
    if (node === range.endContainer) nodeRange.setEnd(node, range.endOffset);
    if (nodeRange.toString().trim() === "") return [];
    const box = nodeRange.getBoundingClientRect();
    return box.width > 0 && box.height > 0 ? [box] : [];
  });
}

/** Merges the boxes of each line into one. */
function mergeLineBoxes(boxes: readonly PageRect[]): PageRect[] {
  const lines: PageRect[] = [];
  for (const box of boxes) {
    const last = lines.at(-1);
    const isSameLine =
      last !== undefined &&
      Math.min(last[1] + last[3], box[1] + box[3]) - Math.max(last[1], box[1]) > 0.5 * Math.min(last[3], box[3]) &&
      box[0] - (last[0] + last[2]) < 2 * box[3] &&
      last[0] - (box[0] + box[2]) < 2 * box[3];
    if (!last || !isSameLine) {
      lines.push(box);
      continue;
    }
    const [x, y] = [Math.min(last[0], box[0]), Math.min(last[1], box[1])];
    const width = Math.max(last[0] + last[2], box[0] + box[2]) - x;
    lines[lines.length - 1] = [x, y, width, Math.max(last[1] + last[3], box[1] + box[3]) - y];
  }
  return lines;
}

const round = (value: number) => Math.round(value * 100) / 100;

function getPageRects(page: HTMLElement, range: Range, { flow }: PagedDocument): PageRect[] {
  const layer = page.querySelector(".textLayer");
  if (!layer) return [];
  const frame = page.getBoundingClientRect();
  const { scale, turn } = flow.view();
  const size = flow.sizeOf(Number(page.dataset["page"]));
  const boxes = getTextBoxes(range, layer).map((box): PageRect => {
    const shown: PageRect = [
      (box.left - frame.left) / scale,
      (box.top - frame.top) / scale,
      box.width / scale,
      box.height / scale,
    ];
    const [x, y, width, height] = unrotateRect(shown, size, turn);
    return [round(x), round(y), round(width), round(height)];
  });
  return mergeLineBoxes(boxes).slice(0, MAX_RECTS);
}

function getContext(range: Range, layer: Element): { prefix: string; suffix: string } {
  const before = document.createRange();
  before.selectNodeContents(layer);
  before.setEnd(range.startContainer, range.startOffset);
  const after = document.createRange();
  after.selectNodeContents(layer);
  if (layer.contains(range.endContainer)) after.setStart(range.endContainer, range.endOffset);
  else after.collapse(false);
  return { prefix: getRangeText(before), suffix: getRangeText(after) };
}

function getSelectedRange(): Range | undefined {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  return rangeOfWords(selection.getRangeAt(0));
}

/** The selected text with its rectangles and context, for highlights, citations and anchoring. */
export function readSelection(open: PagedDocument): DocumentSelection | null {
  const range = getSelectedRange();
  if (!range) return null;
  const pages = [...document.querySelectorAll<HTMLElement>(".pdf-page")]
    .filter((page) => range.intersectsNode(page))
    .toSorted((a, b) => Number(a.dataset["page"]) - Number(b.dataset["page"]));
  const places = pages
    .map((page) => ({ page: Number(page.dataset["page"]), rects: getPageRects(page, range, open) }))
    .filter(({ rects }) => rects.length > 0);
  const [first] = places;
  const [firstPage] = pages;
  const layer = firstPage?.querySelector(".textLayer");
  if (!first || !firstPage || !layer) return null;
  const selected = collapseSpaces(pages.map((page) => getQuotedText(page, range)).join(" "));
  const { quote, prefix, suffix } = trimQuote({ quote: selected, ...getContext(range, layer) });
  if (quote === "") return null;
  return {
    componentId: open.componentId,
    source: open.name,
    pageId: open.pageId,
    page: first.page,
    quote,
    prefix,
    suffix,
    citation: pdfCitation(open.componentId, first.page, quote),
    places,
    findBox: trackRange(range, firstPage),
  };
}

function getQuotedText(page: HTMLElement, range: Range): string {
  const layer = page.querySelector(".textLayer");
  if (!layer) return "";
  const nodeRange = document.createRange();
  nodeRange.selectNodeContents(layer);
  if (layer.contains(range.startContainer)) nodeRange.setStart(range.startContainer, range.startOffset);
  if (layer.contains(range.endContainer)) nodeRange.setEnd(range.endContainer, range.endOffset);
  return getRangeText(nodeRange);
}

export function clearSelection(): void {
  document.getSelection()?.removeAllRanges();
}

const toAnnotation = (
  { componentId, quote, prefix, suffix, page, places }: DocumentSelection,
  color: AnnotationColor,
): NewAnnotation => ({
  componentId,
  quote,
  prefix,
  suffix,
  page,
  places,
  color,
  note: "",
});

/** Highlights the selection; resolves to the new annotation's id. */
export async function highlightSelection(
  selected: DocumentSelection,
  color: AnnotationColor,
): Promise<string | undefined> {
  const places = (await selected.findPlaces?.()) ?? selected.places;
  const id = await addAnnotation(toAnnotation({ ...selected, places }, color));
  clearSelection();
  return id;
}

/** Copies the quote with its source as plain text. */
export async function copyWithCitation({ quote, source, page }: SelectedPassage): Promise<void> {
  try {
    await navigator.clipboard.writeText(t("pdf.cited", { quote, source, page }));
    notify({ message: t("pdf.copied"), type: "success" });
  } catch (error) {
    logWarning("Could not write to the clipboard", error);
    notify({ message: t("pdf.copy_failed"), type: "error" });
  }
}
