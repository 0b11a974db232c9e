import type { StoredViewport } from "./flow.ts";
import { measureOutlinePx } from "./outline-space.ts";
import { layOutPages, clampScale, fitScale, computeRasterScale, type Size } from "./page-layout.ts";

/** A rectangle in CSS pixels, from the top left of its container. */
export type Frame = [left: number, top: number, width: number, height: number];

/** The key with which `Painter` stores the first page, and the position at which the page is shown. */
export interface InitialViewport {
  key: string;
  /**
   * The scroller, the page on the track, the track's height and the scroll offset. Undefined if they are not known
   * before the screen is mounted.
   */
  frames: { window: Frame; page: Frame; trackHeight: number; scrolled: number } | undefined;
}

interface ViewportInput {
  page: number;
  pageCount: number;
  size: Size;
  firstSize: Size;
  /** The stored viewport of the document. */
  storedViewport: StoredViewport | undefined;
}

/** Height of the toolbar, as in `pdf-screen.css`. */
const TOOLBAR_PX = 48;

/** Width that this browser reserves for a scrollbar; 0 for overlay scrollbars. */
function measureScrollbarPx(): number {
  const probe = document.createElement("div");
  probe.style.cssText =
    "position:absolute;overflow:auto;scrollbar-gutter:stable;width:60px;height:60px;visibility:hidden";
  document.documentElement.append(probe);
  const width = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return width;
}

/** Predicts where the screen will show a page when it opens, by the rules of `flow.ts`. */
export function computeInitialViewport({
  page,
  pageCount,
  size,
  firstSize,
  storedViewport,
}: ViewportInput): InitialViewport {
  const left = measureOutlinePx();
  const [viewportWidth, viewportHeight] = [innerWidth - left - measureScrollbarPx(), innerHeight - TOOLBAR_PX];
  const { zoom = "width", turn = 0, spread = "one" } = storedViewport ?? {};
  const scale = clampScale(
    typeof zoom === "number" ? zoom : fitScale(size, zoom, { turn, spread, viewportWidth, viewportHeight }),
  );
  const key = `${computeRasterScale(size, scale)}:${turn}`;
  const sizes = Array.from({ length: pageCount }, () => firstSize);
  const layout = layOutPages({ sizes, scale, turn, spread, viewportWidth });
  const box = layout.boxes[page - 1];
  const hasFirstSize = Math.abs(size.width - firstSize.width) < 0.5 && Math.abs(size.height - firstSize.height) < 0.5;
  const isMirrored = document.documentElement.dir === "rtl";
  if (!box || !hasFirstSize || isMirrored || layout.width > viewportWidth) return { key, frames: undefined };
  const maxScroll = Math.max(0, layout.height - viewportHeight);
  const scrolled = storedViewport ? Math.min(maxScroll, box.top + storedViewport.at * box.height) : 0;
  return {
    key,
    frames: {
      window: [left, TOOLBAR_PX, innerWidth - left, viewportHeight],
      page: [box.left, box.top, box.width, box.height],
      trackHeight: layout.height,
      scrolled,
    },
  };
}
