import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { readPlace } from "./place-memory.ts";
import { standing, type Frame, type Standing } from "./standing.ts";

/** A page that is painted, and shown, before the screen is there to show it. */
export interface FirstPicture {
  page: number;
  painted: Promise<{ canvas: HTMLCanvasElement; key: string } | undefined>;
  /** Resolves when it is on the screen, or when it is known that it will not be before there is a screen for it. */
  shown: Promise<void>;
  /** Takes it off the screen, and answers by how many pixels it was scrolled; the canvas stays whose it is then. */
  takeDown: () => number;
}

/**
 * Begins to paint the page that the address names, or the last visit, or the first, as it will most likely be asked for.
 * Where the address names a place in the document the screen alone can find that: then it is painted and not shown.
 */
export function paintFirst(componentId: string, opened: Promise<PDFDocumentProxy>): FirstPicture {
  const asked = new URLSearchParams(location.search);
  const isAsked = asked.has("page") || asked.has("quote");
  const place = readPlace(componentId);
  const page = Number(asked.get("page")) || place?.page || 1;
  let isDown = false;
  let shown: Shown | undefined;
  const takeDown = () => {
    isDown = true;
    const moved = shown?.moved() ?? 0;
    shown?.view.remove();
    shown = undefined;
    return moved;
  };
  // The app waits for a page that is shown before it: until then nobody else wants the thread that such a page is drawn on.
  const painted = paint(opened, { page, isBeside: isAsked }, (sizes) => standing({ ...sizes, page, place }));
  const showOnce = async () => {
    const { canvas, frames } = (await painted) ?? {};
    if (isAsked || !canvas || !frames || isDown) return;
    shown = show(canvas, frames);
    await afterFrame();
  };
  // The screen paints it itself, and says what is wrong where it cannot.
  return { page, painted: painted.catch(() => undefined), shown: showOnce().catch(() => undefined), takeDown };
}

/** What was put into the document is on the screen with the frame after the next. */
const afterFrame = () =>
  new Promise<void>((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => done()));
    // A tab in the background has no frames.
    setTimeout(done, 100);
  });

interface Shown {
  view: HTMLElement;
  /** By how many pixels it was scrolled since it is there. */
  moved: () => number;
}

/** Lays a page where it will stand over the app while that is being made, in a window that scrolls as the app's will. */
function show(canvas: HTMLCanvasElement, frames: NonNullable<Standing["frames"]>): Shown {
  const view = document.createElement("div");
  const track = document.createElement("div");
  const paper = document.createElement("div");
  view.className = "pdf-first";
  view.ariaHidden = "true";
  view.tabIndex = -1;
  layAt(view, "fixed", frames.window);
  Object.assign(view.style, { background: "var(--sunk)", zIndex: "1", outline: "none" });
  // As `.pdf-scroller` has it.
  view.style.cssText +=
    "overflow:auto;overscroll-behavior:contain;touch-action:pan-x pan-y;scrollbar-gutter:stable;overflow-anchor:none";
  Object.assign(track.style, { position: "relative", height: `${frames.trackHeight}px` });
  layAt(paper, "absolute", frames.page);
  paper.style.background = "#ffffff";
  Object.assign(canvas.style, { width: "100%", height: "100%" });
  paper.append(canvas);
  track.append(paper);
  view.append(track);
  document.body.append(view);
  view.scrollTop = frames.scrolled;
  const from = view.scrollTop;
  return { view, moved: () => view.scrollTop - from };
}

function layAt(element: HTMLElement, position: string, [left, top, width, height]: Frame): void {
  const [x, y, w, h] = [left, top, width, height].map((side) => `${side}px`);
  Object.assign(element.style, { position, left: x, top: y, width: w, height: h });
}

type Sizes = Pick<Parameters<typeof standing>[0], "pageCount" | "size" | "firstSize">;

async function paint(
  opened: Promise<PDFDocumentProxy>,
  { page, isBeside }: { page: number; isBeside: boolean },
  standingOf: (sizes: Sizes) => Standing,
) {
  const document = await opened;
  if (page < 1 || page > document.numPages) return undefined;
  const proxy = await document.getPage(page);
  const first = page === 1 ? proxy : await document.getPage(1);
  const { key, frames } = standingOf({ pageCount: document.numPages, size: sizeOf(proxy), firstSize: sizeOf(first) });
  const [scale, turn] = key.split(":").map(Number) as [number, number];
  if (!(scale > 0)) return undefined;
  const viewport = proxy.getViewport({ scale, rotation: (proxy.rotate + turn) % 360 });
  const canvas = globalThis.document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  // Where a context is given it is drawn on this thread, without waiting for the worker that draws.
  const canvasContext = isBeside
    ? undefined
    : (canvas.getContext("2d", { alpha: false, willReadFrequently: true }) ?? undefined);
  await proxy.render({ canvas, viewport, ...(canvasContext && { canvasContext }) }).promise;
  return { canvas, key, frames };
}

function sizeOf(page: PDFPageProxy) {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}
