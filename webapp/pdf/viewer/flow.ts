import {
  layOutPages,
  clampScale,
  PAGE_EDGE_PX,
  fitScale,
  rowsWithin,
  type Layout,
  type Size,
  type Spread,
  type Rotation,
} from "./page-layout.ts";

/** `width` and `page` fit the window; a number is CSS pixels per point. */
export type Zoom = "width" | "page" | number;

export interface FlowView {
  layout: Layout;
  zoom: Zoom;
  scale: number;
  turn: Rotation;
  spread: Spread;
  /** The current page, from 1. */
  page: number;
  /** The rendered pages, both inclusive. */
  first: number;
  last: number;
}

/** The viewport stored for a document between visits. */
export interface StoredViewport {
  page: number;
  /** Offset within the page, from 0 to 1. */
  at: number;
  zoom: Zoom;
  turn: Rotation;
  spread: Spread;
}

interface FlowOptions {
  pageCount: number;
  firstSize: Size;
  viewport: StoredViewport | undefined;
}

export const OVERSCAN = 5;
/** At 100 %, a point is 96/72 CSS pixels. */
export const ACTUAL_SIZE_SCALE = 96 / 72;
const ZOOM_STEP = 1.2;
/** The scroller counts as idle this long after the last scroll event. */
const IDLE_MS = 120;
/** The page at this share of the window height is the current page. */
const READING_LINE = 0.35;

interface Anchor {
  page: number;
  x: number;
  y: number;
  /** The offset from the top left of the scroller at which the point must stay. */
  left: number;
  top: number;
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Virtualised layout of the pages: renders the pages near the viewport and scrolls to a page. */
export class Flow {
  readonly pageCount: number;
  readonly #sizes: Size[];
  readonly #measuredPages = new Set<number>([1]);
  #view: FlowView;
  #scroller: HTMLElement | undefined;
  #track: HTMLElement | undefined;
  #viewportSize: { width: number; height: number } = { width: 800, height: 600 };
  #isMeasured = false;
  /** The position to scroll to once attached. */
  #pendingJump: { page: number; at: number } | undefined;
  /** Pixels to scroll on from that position. */
  #pendingScrollPx = 0;
  #frame = 0;
  #scrolledAt = -IDLE_MS;
  #visible: [first: number, last: number] = [1, 1];
  readonly #listeners = new Set<() => void>();

  constructor({ pageCount, firstSize, viewport }: FlowOptions) {
    this.pageCount = pageCount;
    this.#sizes = Array.from({ length: pageCount }, () => firstSize);
    const { zoom = "width", turn = 0, spread = "one" } = viewport ?? {};
    this.#pendingJump = viewport && { page: clamp(viewport.page, 1, pageCount), at: viewport.at };
    this.#view = this.#computeView({ zoom, turn, spread, page: this.#pendingJump?.page ?? 1 });
  }

  readonly view = (): FlowView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  sizeOf(page: number): Size {
    return this.#sizes[page - 1] ?? { width: 612, height: 792 };
  }

  /** Attaches to the scroller and to the track that contains the pages. */
  attach(scroller: HTMLElement, track: HTMLElement): () => void {
    this.#scroller = scroller;
    this.#track = track;
    const onScroll = () => {
      this.#scrolledAt = performance.now();
      this.#frame ||= requestAnimationFrame(() => {
        this.#frame = 0;
        this.#handleScroll();
      });
    };
    const resizeObserver = new ResizeObserver(() => this.#measure());
    resizeObserver.observe(scroller);
    scroller.addEventListener("scroll", onScroll, { passive: true });
    this.#measure();
    return () => {
      resizeObserver.disconnect();
      scroller.removeEventListener("scroll", onScroll);
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
      this.#scroller = undefined;
    };
  }

  #measure(): void {
    const { clientWidth: width, clientHeight: height } = this.#scroller ?? { clientWidth: 0, clientHeight: 0 };
    const isSame = width === this.#viewportSize.width && height === this.#viewportSize.height;
    if (width === 0 || (this.#isMeasured && isSame && !this.#pendingJump)) return;
    // There is no position to preserve before the first measurement.
    const anchor = this.#isMeasured ? this.#anchor() : undefined;
    this.#isMeasured = true;
    this.#viewportSize = { width, height };
    this.#show(this.#computeView(this.#view), anchor);
    const pendingJump = this.#pendingJump;
    this.#pendingJump = undefined;
    const box = pendingJump && this.#view.layout.boxes[pendingJump.page - 1];
    if (pendingJump && box) this.jump(pendingJump.page, (pendingJump.at * box.height) / this.#view.scale, 0);
    this.scrollBy(0);
  }

  /** Call before detaching, so that the next `attach` scrolls to the current position. */
  holdPosition(): void {
    const anchor = this.#anchor();
    if (!anchor) return;
    this.#pendingJump = { page: anchor.page, at: clamp(anchor.y, 0, 1) };
    this.#view = { ...this.#view, page: anchor.page };
  }

  /** Scrolls by the given pixels, now or as soon as the scroller is attached. */
  scrollBy(pixels: number): void {
    this.#pendingScrollPx += pixels;
    if (!this.#scroller || !this.#isMeasured || this.#pendingScrollPx === 0) return;
    this.#scroller.scrollTop += this.#pendingScrollPx;
    this.#pendingScrollPx = 0;
  }

  #computeView({ zoom, turn, spread, page }: Pick<FlowView, "zoom" | "turn" | "spread" | "page">): FlowView {
    const { width: viewportWidth, height: viewportHeight } = this.#viewportSize;
    const fitted = () =>
      fitScale(this.sizeOf(page), zoom as "width" | "page", { turn, spread, viewportWidth, viewportHeight });
    const scale = clampScale(typeof zoom === "number" ? zoom : fitted());
    const layout = layOutPages({ sizes: this.#sizes, scale, turn, spread, viewportWidth });
    return { layout, zoom, scale, turn, spread, page, ...this.#renderedRange(layout) };
  }

  #renderedRange(layout: Layout): { first: number; last: number } {
    const top = this.#scroller?.scrollTop ?? 0;
    const pagesOf = (overscan: number): [number, number] => {
      const [first, last] = rowsWithin(layout, top, top + this.#viewportSize.height, overscan);
      return [layout.rows[first]?.[0] ?? 1, layout.rows[last]?.[1] ?? 1];
    };
    this.#visible = pagesOf(0);
    const [first, last] = pagesOf(OVERSCAN);
    return { first, last };
  }

  /** The pages that are at least partly visible, both inclusive. */
  visiblePages(): readonly [first: number, last: number] {
    return this.#visible;
  }

  /** Milliseconds until scrolling counts as idle; 0 if it is. */
  msUntilIdle(): number {
    return Math.max(0, this.#scrolledAt + IDLE_MS - performance.now());
  }

  /** The document point under a point of the scroller, which must stay there when sizes change. */
  #anchor(left = this.#viewportSize.width / 2, top = 0): Anchor | undefined {
    if (!this.#scroller) return undefined;
    const { layout } = this.#view;
    const x = this.#scroller.scrollLeft + left;
    const y = this.#scroller.scrollTop + top;
    const [row] = rowsWithin(layout, y, y, 0);
    const page = layout.rows[row]?.[0] ?? 1;
    const box = layout.boxes[page - 1];
    return box && { page, x: (x - box.left) / box.width, y: (y - box.top) / box.height, left, top };
  }

  #show(next: FlowView, anchor: Anchor | undefined): void {
    if (this.#track) {
      this.#track.style.width = `${next.layout.width}px`;
      this.#track.style.height = `${next.layout.height}px`;
    }
    const box = anchor && next.layout.boxes[anchor.page - 1];
    if (this.#scroller && box) {
      this.#scroller.scrollTop = box.top + anchor.y * box.height - anchor.top;
      this.#scroller.scrollLeft = box.left + anchor.x * box.width - anchor.left;
    }
    this.#view = { ...next, ...this.#renderedRange(next.layout) };
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #handleScroll(): void {
    if (!this.#scroller) return;
    const { layout, spread } = this.#view;
    const line = this.#scroller.scrollTop + this.#viewportSize.height * READING_LINE;
    const [row] = rowsWithin(layout, line, line, 0);
    const isAtEnd = this.#scroller.scrollTop + this.#viewportSize.height >= layout.height - 1;
    const page = (isAtEnd && spread === "one" ? layout.rows.at(-1) : layout.rows[row])?.[0] ?? 1;
    const visibleBefore = this.#visible.join();
    const rendered = this.#renderedRange(layout);
    const { page: before, first, last } = this.#view;
    const isSame = page === before && rendered.first === first && rendered.last === last;
    if (isSame && visibleBefore === this.#visible.join()) return;
    this.#view = { ...this.#view, page, ...rendered };
    this.#notify();
  }

  /** Updates the layout if a page's size differs from that of the first page. */
  setPageSize(page: number, size: Size): void {
    if (this.#measuredPages.has(page)) return;
    this.#measuredPages.add(page);
    const { width, height } = this.sizeOf(page);
    if (Math.abs(width - size.width) < 0.5 && Math.abs(height - size.height) < 0.5) return;
    const anchor = this.#anchor(undefined, this.#viewportSize.height * READING_LINE);
    this.#sizes[page - 1] = size;
    this.#show(this.#computeView(this.#view), anchor);
  }

  /** Scrolls to `y` points below the top of a page, leaving `above` pixels free at the top of the window. */
  jump(page: number, y = 0, above = PAGE_EDGE_PX): void {
    const target = clamp(Math.round(page), 1, this.pageCount);
    const { layout, scale } = this.#view;
    const box = layout.boxes[target - 1];
    if (!this.#scroller || !box) {
      this.#pendingJump = { page: target, at: clamp(y / this.sizeOf(target).height, 0, 1) };
      this.#view = { ...this.#view, page: target };
      this.#notify();
      return;
    }
    this.#scroller.scrollTop = Math.max(0, box.top + y * scale - above);
    this.#view = { ...this.#view, page: target, ...this.#renderedRange(layout) };
    this.#notify();
  }

  setZoom(zoom: Zoom, focus?: { left: number; top: number }): void {
    const next = typeof zoom === "number" ? clampScale(zoom) : zoom;
    this.#show(this.#computeView({ ...this.#view, zoom: next }), this.#anchor(focus?.left, focus?.top));
  }

  zoomBy(steps: number): void {
    this.setZoom(this.#view.scale * ZOOM_STEP ** steps, {
      left: this.#viewportSize.width / 2,
      top: this.#viewportSize.height / 2,
    });
  }

  rotateBy(quarter: 90 | -90): void {
    const { page } = this.#view;
    this.#show(
      this.#computeView({ ...this.#view, turn: ((this.#view.turn + quarter + 360) % 360) as Rotation }),
      undefined,
    );
    this.jump(page);
  }

  setSpread(spread: Spread): void {
    const { page } = this.#view;
    this.#show(this.#computeView({ ...this.#view, spread }), undefined);
    this.jump(page);
  }

  viewport(): StoredViewport {
    const { page, zoom, turn, spread, layout } = this.#view;
    const box = layout.boxes[page - 1];
    const scrolled = box && this.#scroller ? clamp((this.#scroller.scrollTop - box.top) / box.height, 0, 1) : 0;
    return { page, at: this.#pendingJump?.at ?? scrolled, zoom, turn, spread };
  }
}
