import type { Place } from "./flow.ts";
import { arrange, clampScale, fitScale, pictureScale, type Size } from "./page-layout.ts";

/** In CSS pixels from the top left of its container. */
export type Frame = [left: number, top: number, width: number, height: number];

/** How the first page is painted, keyed as in `Painter`, and where it is shown. */
export interface Standing {
  key: string;
  /**
   * The scroller, the page on the track, the track's height and the scroll offset. Undefined if they are not known
   * before the screen is mounted.
   */
  frames: { window: Frame; page: Frame; trackHeight: number; scrolled: number } | undefined;
}

interface Opening {
  page: number;
  pageCount: number;
  size: Size;
  firstSize: Size;
  /** The stored viewport of the document. */
  place: Place | undefined;
}

/** Height of the toolbar, as in `pdf-screen.css`. */
const BAR_PX = 48;

/** Width that this browser reserves for a scrollbar; 0 for overlay scrollbars. */
function scrollbarPx(): number {
  const probe = document.createElement("div");
  probe.style.cssText =
    "position:absolute;overflow:auto;scrollbar-gutter:stable;width:60px;height:60px;visibility:hidden";
  document.documentElement.append(probe);
  const width = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return width;
}

/** Predicts where the screen will show a page when it opens, by the rules of `flow.ts`. */
export function standing({ page, pageCount, size, firstSize, place }: Opening): Standing {
  const [room, high] = [innerWidth - scrollbarPx(), innerHeight - BAR_PX];
  const { zoom = "width", turn = 0, spread = "one" } = place ?? {};
  const scale = clampScale(typeof zoom === "number" ? zoom : fitScale(size, zoom, { turn, spread, room, high }));
  const key = `${pictureScale(size, scale)}:${turn}`;
  const sizes = Array.from({ length: pageCount }, () => firstSize);
  const layout = arrange({ sizes, scale, turn, spread, room });
  const box = layout.boxes[page - 1];
  const isAsFirst = Math.abs(size.width - firstSize.width) < 0.5 && Math.abs(size.height - firstSize.height) < 0.5;
  const isMirrored = document.documentElement.dir === "rtl";
  if (!box || !isAsFirst || isMirrored || layout.width > room) return { key, frames: undefined };
  const furthest = Math.max(0, layout.height - high);
  const scrolled = place ? Math.min(furthest, box.top + place.at * box.height) : 0;
  return {
    key,
    frames: {
      window: [0, BAR_PX, innerWidth, high],
      page: [box.left, box.top, box.width, box.height],
      trackHeight: layout.height,
      scrolled,
    },
  };
}
