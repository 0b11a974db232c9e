import type { RenderTask } from "pdfjs-dist";
import { logWarning } from "#webapp/app/log.ts";
import type { EarlyPaint } from "./early-paint.ts";
import type { Flow } from "./flow.ts";
import { computeRasterScale } from "./page-layout.ts";
import type { PdfFile } from "./pdf-file.ts";

/**
 * Specification, section 9: at most this many painted pages are cached, and those not shown are released every 20 s.
 */
const MAX_CACHED_PAGES = 10;
const EVICTION_INTERVAL_MS = 20_000;
/** Pages outside the viewport are painted ahead while all cached pages together stay below this. */
const MAX_CACHED_PIXELS = 7_000_000;
/** After this many pages the worker's cache is cleared without waiting for the timer. */
const CLEANUP_AFTER_PAGES = 12;
/** Nothing is painted while pages are scrolled past quickly. */
const SETTLE_MS = 60;

interface Painted {
  canvas: HTMLCanvasElement;
  key: string;
}

interface Task {
  page: number;
  key: string;
  render: RenderTask | undefined;
}

/**
 * Paints the rendered pages one at a time, the current page first. A page keeps its picture until a sharper one
 * replaces it.
 */
export class Painter {
  readonly #file: PdfFile;
  readonly #flow: Flow;
  readonly #painted = new Map<number, Painted>();
  readonly #hosts = new Map<number, HTMLElement>();
  readonly #failed = new Set<number>();
  #task: Task | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastPage = 1;
  #paintedSinceCleanup = 0;
  #isCleaningUp = false;
  #isAdopting = false;
  #isClosed = false;
  readonly #evictionTimer: ReturnType<typeof setInterval>;
  readonly #stopFollowing: () => void;
  /** Removes the early picture that was shown before the screen was mounted. */
  #dismissEarlyPaint: (() => void) | undefined;
  readonly #paintedListeners = new Set<() => void>();

  constructor(file: PdfFile, flow: Flow, first?: EarlyPaint) {
    this.#file = file;
    this.#flow = flow;
    this.#evictionTimer = setInterval(() => this.#evictHidden(), EVICTION_INTERVAL_MS);
    this.#stopFollowing = flow.subscribe(() => this.#schedule());
    if (first) void this.#adopt(first);
  }

  /** Reuses the picture that was started early; nothing else is painted until it is ready. */
  async #adopt({ page, painted, dismiss }: EarlyPaint): Promise<void> {
    this.#isAdopting = true;
    const picture = await painted;
    this.#isAdopting = false;
    if (this.#isClosed) release(picture);
    else if (picture) this.#cachePage(page, picture);
    // The pages scroll on by as much as the early picture was scrolled.
    this.#dismissEarlyPaint = () => this.#flow.scrollBy(dismiss());
    if (this.#hosts.has(page)) this.#dismissEarlyPaint();
    for (const listener of this.#paintedListeners) listener();
    this.#paintNext();
  }

  /** Puts a page's picture into its host element, now or once it is painted. Returns a function that ends this. */
  attach(page: number, host: HTMLElement): () => void {
    this.#hosts.set(page, host);
    const cached = this.#painted.get(page);
    if (cached) host.replaceChildren(cached.canvas);
    if (cached) this.#dismissEarlyPaint?.();
    this.#schedule();
    return () => {
      if (this.#hosts.get(page) === host) this.#hosts.delete(page);
    };
  }

  /** Whether the current page is painted, or its painting failed. */
  isReadable(): boolean {
    const { page } = this.#flow.view();
    return this.#painted.has(page) || this.#failed.has(page);
  }

  /** Calls the listener each time a page is painted; returns a function that unsubscribes. */
  onPainted(listener: () => void): () => void {
    this.#paintedListeners.add(listener);
    return () => this.#paintedListeners.delete(listener);
  }

  #keyOf(page: number): string {
    const { turn } = this.#flow.view();
    return `${this.#scaleOf(page)}:${turn}`;
  }

  #scaleOf(page: number): number {
    return computeRasterScale(this.#flow.sizeOf(page), this.#flow.view().scale);
  }

  #pixelsOf(page: number): number {
    const { width, height } = this.#flow.sizeOf(page);
    return width * height * this.#scaleOf(page) ** 2;
  }

  #schedule(): void {
    const { page } = this.#flow.view();
    const isScrollingFast = Math.abs(page - this.#lastPage) === 1 && this.#timer !== undefined;
    this.#lastPage = page;
    if (this.#timer !== undefined && !isScrollingFast) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#paintNext();
      },
      isScrollingFast ? SETTLE_MS : 0,
    );
  }

  /** The pages that should be painted, in order: visible pages, then their neighbours while the pixel limit allows. */
  #pagesToPaint(): number[] {
    const { page } = this.#flow.view();
    const [first, last] = this.#flow.visiblePages();
    const isSeen = (number: number) => number >= first && number <= last;
    const candidates = [...this.#hosts.keys()].toSorted(
      (a, b) => Number(isSeen(b)) - Number(isSeen(a)) || Math.abs(a - page) - Math.abs(b - page),
    );
    let pixels = 0;
    return candidates.slice(0, MAX_CACHED_PAGES).filter((number) => {
      pixels += this.#pixelsOf(number);
      return isSeen(number) || pixels <= MAX_CACHED_PIXELS;
    });
  }

  #paintNext(): void {
    if (this.#isClosed || this.#isCleaningUp || this.#isAdopting) return;
    const page = this.#pagesToPaint().find(
      (number) => this.#painted.get(number)?.key !== this.#keyOf(number) && !this.#failed.has(number),
    );
    if (page === undefined) return;
    const key = this.#keyOf(page);
    if (this.#task) {
      const isStale = this.#task.key !== this.#keyOf(this.#task.page) || !this.#hosts.has(this.#task.page);
      const isFar = Math.abs(this.#task.page - page) > 1;
      if (isStale || (isFar && this.#task.page !== page)) this.#task.render?.cancel();
      return;
    }
    void this.#paint(page, key);
  }

  async #paint(page: number, key: string): Promise<void> {
    const task: Task = { page, key, render: undefined };
    this.#task = task;
    try {
      const proxy = await this.#file.page(page);
      const size = proxy.getViewport({ scale: 1 });
      this.#flow.setPageSize(page, { width: size.width, height: size.height });
      const [scale, turn] = key.split(":").map(Number) as [number, number];
      const viewport = proxy.getViewport({ scale, rotation: (proxy.rotate + turn) % 360 });
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(viewport.width));
      canvas.height = Math.max(1, Math.round(viewport.height));
      task.render = proxy.render({ canvas, viewport });
      await task.render.promise;
      this.#cachePage(page, { canvas, key });
    } catch (error) {
      const isCancelled = error instanceof Error && error.name === "RenderingCancelledException";
      if (!isCancelled && !this.#isClosed) {
        this.#failed.add(page);
        logWarning("Could not paint a page", error);
      }
    } finally {
      this.#task = undefined;
      if (!this.#isClosed) {
        for (const listener of this.#paintedListeners) listener();
        await this.#releasePages();
        this.#paintNext();
      }
    }
  }

  #cachePage(page: number, painted: Painted): void {
    release(this.#painted.get(page));
    this.#painted.set(page, painted);
    this.#hosts.get(page)?.replaceChildren(painted.canvas);
    this.#paintedSinceCleanup += 1;
    const pagesToPaint = new Set(this.#pagesToPaint());
    const { page: currentPage } = this.#flow.view();
    const evictable = [...this.#painted.keys()]
      .filter((number) => !pagesToPaint.has(number) && number !== page)
      .toSorted((a, b) => Math.abs(b - currentPage) - Math.abs(a - currentPage));
    const pixels = () => [...this.#painted.keys()].reduce((sum, number) => sum + this.#pixelsOf(number), 0);
    for (const number of evictable) {
      if (this.#painted.size <= MAX_CACHED_PAGES && pixels() <= MAX_CACHED_PIXELS) return;
      this.#drop(number);
    }
  }

  #drop(page: number): void {
    release(this.#painted.get(page));
    this.#painted.delete(page);
    this.#hosts.get(page)?.replaceChildren();
  }

  #evictHidden(): void {
    for (const page of this.#painted.keys()) if (!this.#hosts.has(page)) this.#drop(page);
    void this.#releasePages();
    void this.#cleanUp().then(() => this.#paintNext());
  }

  /** pdf.js keeps the drawing operations of a page, which are much larger than its picture. */
  async #releasePages(): Promise<void> {
    const isNeeded = (page: number) => this.#task?.page === page;
    await this.#file
      .releaseExcept(isNeeded)
      .catch((error: unknown) => this.#isClosed || logWarning("Could not release a page", error));
    if (this.#paintedSinceCleanup >= CLEANUP_AFTER_PAGES) await this.#cleanUp();
  }

  async #cleanUp(): Promise<void> {
    if (this.#task || this.#isCleaningUp) return;
    this.#paintedSinceCleanup = 0;
    this.#isCleaningUp = true;
    // Fails while something else, such as a thumbnail, is being rendered. A later attempt clears the cache then.
    await this.#file.clearWorkerCache().catch(() => undefined);
    this.#isCleaningUp = false;
  }

  close(): void {
    this.#isClosed = true;
    this.#dismissEarlyPaint?.();
    clearInterval(this.#evictionTimer);
    clearTimeout(this.#timer);
    this.#stopFollowing();
    this.#task?.render?.cancel();
    for (const page of this.#painted.keys()) this.#drop(page);
  }
}

/** A zero-sized canvas frees its memory at once; otherwise it waits for garbage collection. */
function release(painted: Painted | undefined): void {
  if (!painted) return;
  painted.canvas.width = 0;
  painted.canvas.height = 0;
}
