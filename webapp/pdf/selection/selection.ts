import { atom } from "jotai/vanilla";
import { pdfCitation } from "#shared/citations.ts";
import type { MarkColour } from "#shared/pdf/annotations.ts";
import type { PageRect } from "#shared/pdf/text-rects.ts";
import { notify } from "#webapp/app/alerts.ts";
import type { SelectedPassage } from "../document-door.tsx";
import { logTrouble } from "#webapp/app/log.ts";
import { t } from "#shared/messages/translate.ts";
import { addMark, type NewMark } from "../annotations/marks.ts";
import { unturnRect } from "../viewer/page-layout.ts";
import type { PagedDocument } from "../state.ts";

export interface Selected extends SelectedPassage {
  places: NewMark["places"];
  /** The selection's bounding box in the window. */
  box: { left: number; top: number; right: number; bottom: number };
}

export const selectedAtom = atom<Selected | null>(null);

const CONTEXT = 32;
const MAX_QUOTE = 4_000;
const MAX_RECTS = 400;

const plain = (text: string) => text.replaceAll(/\s+/g, " ");

/** The text of a range; each line break becomes a space. */
function textOf(range: Range): string {
  const held = range.cloneContents();
  for (const line of held.querySelectorAll("br")) line.replaceWith("\n");
  return plain(held.textContent ?? "");
}

function textNodesIn(range: Range, root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (range.intersectsNode(node)) found.push(node as Text);
  return found;
}

function boxesOf(range: Range, layer: Element): DOMRect[] {
  return textNodesIn(range, layer).flatMap((node) => {
    const part = document.createRange();
    part.selectNodeContents(node);
    if (node === range.startContainer) part.setStart(node, range.startOffset);
    if (node === range.endContainer) part.setEnd(node, range.endOffset);
    if (part.toString().trim() === "") return [];
    const box = part.getBoundingClientRect();
    return box.width > 0 && box.height > 0 ? [box] : [];
  });
}

/** Merges the boxes of each line into one. */
function joined(boxes: readonly PageRect[]): PageRect[] {
  const lines: PageRect[] = [];
  for (const box of boxes) {
    const last = lines.at(-1);
    const isSame =
      last !== undefined &&
      Math.min(last[1] + last[3], box[1] + box[3]) - Math.max(last[1], box[1]) > 0.5 * Math.min(last[3], box[3]) &&
      box[0] - (last[0] + last[2]) < 2 * box[3] &&
      last[0] - (box[0] + box[2]) < 2 * box[3];
    if (!last || !isSame) {
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

function rectsOn(page: HTMLElement, range: Range, { flow }: PagedDocument): PageRect[] {
  const layer = page.querySelector(".textLayer");
  if (!layer) return [];
  const frame = page.getBoundingClientRect();
  const { scale, turn } = flow.view();
  const size = flow.sizeOf(Number(page.dataset["page"]));
  const boxes = boxesOf(range, layer).map((box): PageRect => {
    const shown: PageRect = [
      (box.left - frame.left) / scale,
      (box.top - frame.top) / scale,
      box.width / scale,
      box.height / scale,
    ];
    const [x, y, width, height] = unturnRect(shown, size, turn);
    return [round(x), round(y), round(width), round(height)];
  });
  return joined(boxes).slice(0, MAX_RECTS);
}

function context(range: Range, layer: Element): { prefix: string; suffix: string } {
  const before = document.createRange();
  before.selectNodeContents(layer);
  before.setEnd(range.startContainer, range.startOffset);
  const behind = document.createRange();
  behind.selectNodeContents(layer);
  if (layer.contains(range.endContainer)) behind.setStart(range.endContainer, range.endOffset);
  else behind.collapse(false);
  return { prefix: textOf(before).slice(-CONTEXT), suffix: textOf(behind).slice(0, CONTEXT) };
}

function liveRange(): Range | undefined {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  return selection.getRangeAt(0);
}

/** The selected text with its rectangles and context, for highlights, citations and anchoring. */
export function readSelection(open: PagedDocument): Selected | null {
  const range = liveRange();
  if (!range) return null;
  const pages = [...document.querySelectorAll<HTMLElement>(".pdf-page")]
    .filter((page) => range.intersectsNode(page))
    .toSorted((a, b) => Number(a.dataset["page"]) - Number(b.dataset["page"]));
  const places = pages
    .map((page) => ({ page: Number(page.dataset["page"]), rects: rectsOn(page, range, open) }))
    .filter(({ rects }) => rects.length > 0);
  const quote = plain(pages.map((page) => quotedOn(page, range)).join(" "))
    .trim()
    .slice(0, MAX_QUOTE);
  const [first] = places;
  const layer = pages[0]?.querySelector(".textLayer");
  if (!first || !layer || quote === "") return null;
  const { left, top, right, bottom } = range.getBoundingClientRect();
  return {
    componentId: open.componentId,
    source: open.name,
    page: first.page,
    quote,
    ...context(range, layer),
    citation: pdfCitation(open.componentId, first.page, quote),
    places,
    box: { left, top, right, bottom },
  };
}

function quotedOn(page: HTMLElement, range: Range): string {
  const layer = page.querySelector(".textLayer");
  if (!layer) return "";
  const part = document.createRange();
  part.selectNodeContents(layer);
  if (layer.contains(range.startContainer)) part.setStart(range.startContainer, range.startOffset);
  if (layer.contains(range.endContainer)) part.setEnd(range.endContainer, range.endOffset);
  return textOf(part);
}

export function endSelection(): void {
  document.getSelection()?.removeAllRanges();
}

const markOf = ({ componentId, quote, prefix, suffix, page, places }: Selected, color: MarkColour): NewMark => ({
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
export async function markSelection(selected: Selected, color: MarkColour): Promise<string | undefined> {
  const id = await addMark(markOf(selected, color));
  endSelection();
  return id;
}

/** Copies the quote with its source as plain text. */
export async function copyCited({ quote, source, page }: SelectedPassage): Promise<void> {
  try {
    await navigator.clipboard.writeText(t("pdf.cited", { quote, source, page }));
    notify({ message: t("pdf.copied"), type: "success" });
  } catch (error) {
    logTrouble("Could not write to the clipboard", error);
    notify({ message: t("pdf.copy_failed"), type: "error" });
  }
}
