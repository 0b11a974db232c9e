import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { readViewport } from "./stored-viewports.ts";
import { computeInitialViewport, type Frame, type InitialViewport } from "./initial-viewport.ts";

/** A page painted and shown before the screen is mounted. */
export interface EarlyPaint {
  page: number;
  painted: Promise<{ canvas: HTMLCanvasElement; key: string } | undefined>;
  /** Resolves once the page is visible, or once it is certain that the page will not be shown early. */
  shown: Promise<void>;
  /** Removes the early page and returns by how many pixels it was scrolled; the canvas can be reused. */
  dismiss: () => number;
}

/**
 * Paints the page from the URL, otherwise the page of the last visit, otherwise the first page. If the URL names a page
 * or quote, only the screen can find the exact position, so the page is painted but not shown.
 */
export function paintEarly(componentId: string, opened: Promise<PDFDocumentProxy>): EarlyPaint {
  const params = new URLSearchParams(location.search);
  const hasTarget = params.has("page") || params.has("quote");
  const storedViewport = readViewport(componentId);
  const page = Number(params.get("page")) || storedViewport?.page || 1;
  let isDismissed = false;
  let shown: EarlyView | undefined;
  const dismiss = () => {
    isDismissed = true;
    const scrolledPx = shown?.getScrolledPx() ?? 0;
    shown?.view.remove();
    shown = undefined;
    return scrolledPx;
  };
  // Without a page or quote in the URL, the app waits for this page, so the main thread is free to paint it.
  const painted = paint(opened, { page, usesWorker: hasTarget }, (sizes) =>
    computeInitialViewport({ ...sizes, page, storedViewport }),
  );
  const showWhenPainted = async () => {
    const { canvas, frames } = (await painted) ?? {};
    if (hasTarget || !canvas || !frames || isDismissed) return;
    shown = mountEarlyView(canvas, frames);
    await waitForPaint();
  };
  // On failure the screen paints the page itself and shows the error.
  return { page, painted: painted.catch(() => undefined), shown: showWhenPainted().catch(() => undefined), dismiss };
}

/** Resolves at the second frame, by which the browser has painted the latest change of the document. */
const waitForPaint = () =>
  new Promise<void>((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => done()));
    // Background tabs have no animation frames.
    setTimeout(done, 100);
  });

interface EarlyView {
  view: HTMLElement;
  /** Pixels scrolled since it was shown. */
  getScrolledPx: () => number;
}

/** Shows the page at its final position above the loading app, in a container that scrolls like the app's. */
function mountEarlyView(canvas: HTMLCanvasElement, frames: NonNullable<InitialViewport["frames"]>): EarlyView {
  const view = document.createElement("div");
  const track = document.createElement("div");
  const paper = document.createElement("div");
  view.className = "pdf-first";
  view.ariaHidden = "true";
  view.tabIndex = -1;
  applyFrame(view, "fixed", frames.window);
  Object.assign(view.style, { background: "var(--sunk)", zIndex: "1", outline: "none" });
  // Same styles as `.pdf-scroller`.
  view.style.cssText +=
    "overflow:auto;overscroll-behavior:contain;touch-action:pan-x pan-y;scrollbar-gutter:stable;overflow-anchor:none";
  Object.assign(track.style, { position: "relative", height: `${frames.trackHeight}px` });
  applyFrame(paper, "absolute", frames.page);
  paper.style.background = "#ffffff";
  Object.assign(canvas.style, { width: "100%", height: "100%" });
  paper.append(canvas);
  track.append(paper);
  view.append(track);
  document.body.append(view);
  view.scrollTop = frames.scrolled;
  const startTop = view.scrollTop;
  return { view, getScrolledPx: () => view.scrollTop - startTop };
}

function applyFrame(element: HTMLElement, position: string, [left, top, width, height]: Frame): void {
  const [x, y, w, h] = [left, top, width, height].map((side) => `${side}px`);
  Object.assign(element.style, { position, left: x, top: y, width: w, height: h });
}

type Sizes = Pick<Parameters<typeof computeInitialViewport>[0], "pageCount" | "size" | "firstSize">;

async function paint(
  opened: Promise<PDFDocumentProxy>,
  { page, usesWorker }: { page: number; usesWorker: boolean },
  computeViewport: (sizes: Sizes) => InitialViewport,
) {
  const document = await opened;
  if (page < 1 || page > document.numPages) return undefined;
  const proxy = await document.getPage(page);
  const first = page === 1 ? proxy : await document.getPage(1);
  const { key, frames } = computeViewport({
    pageCount: document.numPages,
    size: sizeOf(proxy),
    firstSize: sizeOf(first),
  });
  const [scale, turn] = key.split(":").map(Number) as [number, number];
  if (!(scale > 0)) return undefined;
  const viewport = proxy.getViewport({ scale, rotation: (proxy.rotate + turn) % 360 });
  const canvas = globalThis.document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  // With an explicit context, pdf.js renders on this thread and does not wait for the render worker.
  const canvasContext = usesWorker
    ? undefined
    : (canvas.getContext("2d", { alpha: false, willReadFrequently: true }) ?? undefined);
  await proxy.render({ canvas, viewport, ...(canvasContext && { canvasContext }) }).promise;
  return { canvas, key, frames };
}

function sizeOf(page: PDFPageProxy) {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}
