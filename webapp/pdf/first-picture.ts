import type { PDFDocumentProxy } from "pdfjs-dist";
import { EDGE } from "./page-layout.ts";

/** A page that is painted, and shown, before the screen is there to show it. */
export interface FirstPicture {
  page: number;
  painted: Promise<{ canvas: HTMLCanvasElement; key: string } | undefined>;
  /** Resolves when it is on the screen, at once where it will not be before there is a screen for it. */
  shown: Promise<void>;
  /** Takes it off the screen; the canvas stays whose it is then. */
  takeDown: () => void;
}

/** From the top left of the window, in CSS pixels. */
export type Frame = [left: number, top: number, width: number, height: number];

/** What was shown last in this browser: the same document in the same window will look the same. */
export interface LastLook {
  componentId: string;
  page: number;
  /** As the painter names it: pixels for one point, and how the page was turned. */
  key: string;
  innerWidth: number;
  density: number;
  /** What of the window's width is no room for pages. */
  margin: number;
  /** Where the pages are shown, and where in it the page stood. */
  frames: { window: Frame; page: Frame } | undefined;
}

const KEY = "lamplight_pdf_look";
const MAX_DENSITY = 2;

// Not by `kit/local.ts`: this runs before the app's own first chunk is there.
function readLook(): LastLook | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<LastLook> | null;
    const isWhole = typeof kept?.componentId === "string" && typeof kept.key === "string";
    const areNumbers = [kept?.page, kept?.innerWidth, kept?.density, kept?.margin].every(Number.isFinite);
    return isWhole && areNumbers ? (kept as LastLook) : undefined;
  } catch {
    return undefined;
  }
}

export function writeLook(look: LastLook): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(look));
  } catch {
    // Then the next document is painted when its screen is there.
  }
}

/**
 * Begins to paint the page that the address or the last visit names, as it will most likely be asked for; `read` hears
 * when all is there that it takes, and it is being drawn.
 */
export function paintFirst(
  componentId: string,
  opened: Promise<PDFDocumentProxy>,
  read: () => void,
): FirstPicture | undefined {
  const look = readLook();
  if (!look) return undefined;
  const asked = Number(new URLSearchParams(location.search).get("page")) || undefined;
  const isSame =
    look.componentId === componentId && look.innerWidth === innerWidth && look.density === devicePixelRatio;
  const page = asked ?? (look.componentId === componentId ? look.page : 1);
  let isDown = false;
  let shown: HTMLElement | undefined;
  const takeDown = () => {
    isDown = true;
    shown?.remove();
  };
  const keyOf = (width: number) => {
    if (isSame) return look.key;
    return `${((innerWidth - look.margin - 2 * EDGE) / width) * Math.min(MAX_DENSITY, devicePixelRatio || 1)}:0`;
  };
  const painted = paint(opened, { page, keyOf, read });
  const frames = isSame && page === look.page ? look.frames : undefined;
  const showing = painted.then((picture) => {
    if (frames && picture && !isDown) shown = show(picture.canvas, frames);
    return picture;
  });
  // The screen paints it itself, and says what is wrong where it cannot.
  const safe = showing.catch(() => undefined);
  return { page, painted: safe, shown: frames ? safe.then(afterFrame) : Promise.resolve(), takeDown };
}

/** What was put into the document is on the screen with the frame after the next. */
const afterFrame = () =>
  new Promise<void>((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => done()));
    // A tab in the background has no frames.
    setTimeout(done, 100);
  });

/** Lays a page where it stood the last time, over the app while that is being made. */
function show(canvas: HTMLCanvasElement, { window: frame, page }: NonNullable<LastLook["frames"]>): HTMLElement {
  const view = document.createElement("div");
  const paper = document.createElement("div");
  view.className = "pdf-first";
  view.ariaHidden = "true";
  place(view, "fixed", frame);
  Object.assign(view.style, { overflow: "hidden", background: "var(--sunk)", pointerEvents: "none", zIndex: "1" });
  place(paper, "absolute", [page[0] - frame[0], page[1] - frame[1], page[2], page[3]]);
  paper.style.background = "#ffffff";
  Object.assign(canvas.style, { width: "100%", height: "100%" });
  paper.append(canvas);
  view.append(paper);
  document.body.append(view);
  return view;
}

function place(element: HTMLElement, position: string, [left, top, width, height]: Frame): void {
  const [x, y, w, h] = [left, top, width, height].map((side) => `${side}px`);
  Object.assign(element.style, { position, left: x, top: y, width: w, height: h });
}

interface Painting {
  page: number;
  /** By the width of the page, in points. */
  keyOf: (width: number) => string;
  read: () => void;
}

async function paint(opened: Promise<PDFDocumentProxy>, { page, keyOf, read }: Painting) {
  const document = await opened;
  if (page < 1 || page > document.numPages) return undefined;
  const proxy = await document.getPage(page);
  const key = keyOf(proxy.getViewport({ scale: 1 }).width);
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
  return { canvas, key };
}
