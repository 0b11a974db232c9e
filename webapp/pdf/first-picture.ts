import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { readPlace } from "./place-memory.ts";
import { standing, type Frame, type Standing } from "./standing.ts";

/** A page that is painted, and shown, before the screen is there to show it. */
export interface FirstPicture {
  page: number;
  painted: Promise<{ canvas: HTMLCanvasElement; key: string } | undefined>;
  /** Resolves when it is on the screen, or when it is known that it will not be before there is a screen for it. */
  shown: Promise<void>;
  /** Takes it off the screen; the canvas stays whose it is then. */
  takeDown: () => void;
}

/**
 * Begins to paint the page that the address names, or the last visit, or the first, as it will most likely be asked for;
 * `read` hears when all is there that it takes, and it is being drawn. Where the address names a place in the document
 * the screen alone can find that: then it is painted and not shown.
 */
export function paintFirst(componentId: string, opened: Promise<PDFDocumentProxy>, read: () => void): FirstPicture {
  const asked = new URLSearchParams(location.search);
  const isAsked = asked.has("page") || asked.has("quote");
  const place = readPlace(componentId);
  const page = Number(asked.get("page")) || place?.page || 1;
  let isDown = false;
  let shown: HTMLElement | undefined;
  const takeDown = () => {
    isDown = true;
    shown?.remove();
  };
  const painted = paint(opened, { page, read }, (sizes) => standing({ ...sizes, page, place }));
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

/** Lays a page where it will stand over the app while that is being made. */
function show(canvas: HTMLCanvasElement, { window: frame, page }: NonNullable<Standing["frames"]>): HTMLElement {
  const view = document.createElement("div");
  const paper = document.createElement("div");
  view.className = "pdf-first";
  view.ariaHidden = "true";
  layAt(view, "fixed", frame);
  Object.assign(view.style, { overflow: "hidden", background: "var(--sunk)", pointerEvents: "none", zIndex: "1" });
  layAt(paper, "absolute", [page[0] - frame[0], page[1] - frame[1], page[2], page[3]]);
  paper.style.background = "#ffffff";
  Object.assign(canvas.style, { width: "100%", height: "100%" });
  paper.append(canvas);
  view.append(paper);
  document.body.append(view);
  return view;
}

function layAt(element: HTMLElement, position: string, [left, top, width, height]: Frame): void {
  const [x, y, w, h] = [left, top, width, height].map((side) => `${side}px`);
  Object.assign(element.style, { position, left: x, top: y, width: w, height: h });
}

type Sizes = Pick<Parameters<typeof standing>[0], "pageCount" | "size" | "firstSize">;

async function paint(
  opened: Promise<PDFDocumentProxy>,
  { page, read }: { page: number; read: () => void },
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
  const drawing = proxy.render({ canvas, viewport });
  drawing.onContinue = (go: () => void) => {
    read();
    go();
  };
  await drawing.promise;
  return { canvas, key, frames };
}

function sizeOf(page: PDFPageProxy) {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}
