import type { RenderTask } from "pdfjs-dist";
import { logTrouble } from "#webapp/app/log.ts";
import type { FirstPicture } from "./first-picture.ts";
import type { Flow } from "./flow.ts";
import { pictureScale } from "./page-layout.ts";
import type { PdfFile } from "./pdf-file.ts";

/**
 * Specification, section 9: at most this many painted pages are cached, and those not shown are released every 20 s.
 */
const KEPT_PAGES = 10;
const CLEAN_EVERY_MS = 20_000;
/** Pages out of sight are painted ahead as long as all together stay below this. */
const MAX_KEPT_PIXELS = 7_000_000;
/** After this many pages the worker's cache is cleared without waiting for the timer. */
const FORGET_AFTER_PAGES = 12;
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
  #sinceForgetting = 0;
  #isForgetting = false;
  #isAdopting = false;
  #isClosed = false;
  readonly #cleaning: ReturnType<typeof setInterval>;
  readonly #stopFollowing: () => void;
  /** Removes the early picture that was shown before the screen was mounted. */
  #takeDown: (() => void) | undefined;
  readonly #whenPainted = new Set<() => void>();

  constructor(file: PdfFile, flow: Flow, first?: FirstPicture) {
    this.#file = file;
    this.#flow = flow;
    this.#cleaning = setInterval(() => this.#clean(), CLEAN_EVERY_MS);
    this.#stopFollowing = flow.subscribe(() => this.#plan());
    if (first) void this.#adopt(first);
  }

  /** Reuses the picture that was started early; nothing else is painted until it is ready. */
  async #adopt({ page, painted, takeDown }: FirstPicture): Promise<void> {
    this.#isAdopting = true;
    const picture = await painted;
    this.#isAdopting = false;
    if (this.#isClosed) release(picture);
    else if (picture) this.#keep(page, picture);
    // Apply what was scrolled on the early picture to the pages.
    this.#takeDown = () => this.#flow.scrollBy(takeDown());
    if (this.#hosts.has(page)) this.#takeDown();
    for (const told of this.#whenPainted) told();
    this.#next();
  }

  /** Puts a page's picture into its host element, now or once it is painted; returns a function that detaches it. */
  show(page: number, host: HTMLElement): () => void {
    this.#hosts.set(page, host);
    const held = this.#painted.get(page);
    if (held) host.replaceChildren(held.canvas);
    if (held) this.#takeDown?.();
    this.#plan();
    return () => {
      if (this.#hosts.get(page) === host) this.#hosts.delete(page);
    };
  }

  /** Whether the current page is painted, or could not be. */
  isReadable(): boolean {
    const { page } = this.#flow.view();
    return this.#painted.has(page) || this.#failed.has(page);
  }

  /** Calls the listener each time a page is painted; returns a function that unsubscribes. */
  onPainted(told: () => void): () => void {
    this.#whenPainted.add(told);
    return () => this.#whenPainted.delete(told);
  }

  #keyOf(page: number): string {
    const { turn } = this.#flow.view();
    return `${this.#scaleOf(page)}:${turn}`;
  }

  #scaleOf(page: number): number {
    return pictureScale(this.#flow.sizeOf(page), this.#flow.view().scale);
  }

  #pixelsOf(page: number): number {
    const { width, height } = this.#flow.sizeOf(page);
    return width * height * this.#scaleOf(page) ** 2;
  }

  #plan(): void {
    const { page } = this.#flow.view();
    const isFlying = Math.abs(page - this.#lastPage) === 1 && this.#timer !== undefined;
    this.#lastPage = page;
    if (this.#timer !== undefined && !isFlying) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#next();
      },
      isFlying ? SETTLE_MS : 0,
    );
  }

  /** The pages that should be painted: the current one, others in sight, and neighbours within the budget. */
  #worthy(): number[] {
    const { page } = this.#flow.view();
    const [first, last] = this.#flow.inSight();
    const isSeen = (number: number) => number >= first && number <= last;
    const near = [...this.#hosts.keys()].toSorted(
      (a, b) => Number(isSeen(b)) - Number(isSeen(a)) || Math.abs(a - page) - Math.abs(b - page),
    );
    let pixels = 0;
    return near.slice(0, KEPT_PAGES).filter((number) => {
      pixels += this.#pixelsOf(number);
      return isSeen(number) || pixels <= MAX_KEPT_PIXELS;
    });
  }

  #next(): void {
    if (this.#isClosed || this.#isForgetting || this.#isAdopting) return;
    const page = this.#worthy().find(
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
      this.#flow.learnSize(page, { width: size.width, height: size.height });
      const [scale, turn] = key.split(":").map(Number) as [number, number];
      const viewport = proxy.getViewport({ scale, rotation: (proxy.rotate + turn) % 360 });
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(viewport.width));
      canvas.height = Math.max(1, Math.round(viewport.height));
      task.render = proxy.render({ canvas, viewport });
      await task.render.promise;
      this.#keep(page, { canvas, key });
    } catch (error) {
      const isCancelled = error instanceof Error && error.name === "RenderingCancelledException";
      if (!isCancelled && !this.#isClosed) {
        this.#failed.add(page);
        logTrouble("Could not paint a page", error);
      }
    } finally {
      this.#task = undefined;
      if (!this.#isClosed) {
        for (const told of this.#whenPainted) told();
        await this.#letGo();
        this.#next();
      }
    }
  }

  #keep(page: number, painted: Painted): void {
    release(this.#painted.get(page));
    this.#painted.set(page, painted);
    this.#hosts.get(page)?.replaceChildren(painted.canvas);
    this.#sinceForgetting += 1;
    const worthy = new Set(this.#worthy());
    const { page: read } = this.#flow.view();
    const others = [...this.#painted.keys()]
      .filter((number) => !worthy.has(number) && number !== page)
      .toSorted((a, b) => Math.abs(b - read) - Math.abs(a - read));
    const pixels = () => [...this.#painted.keys()].reduce((sum, number) => sum + this.#pixelsOf(number), 0);
    for (const number of others) {
      if (this.#painted.size <= KEPT_PAGES && pixels() <= MAX_KEPT_PIXELS) return;
      this.#drop(number);
    }
  }

  #drop(page: number): void {
    release(this.#painted.get(page));
    this.#painted.delete(page);
    this.#hosts.get(page)?.replaceChildren();
  }

  #clean(): void {
    for (const page of this.#painted.keys()) if (!this.#hosts.has(page)) this.#drop(page);
    void this.#letGo();
    void this.#forget().then(() => this.#next());
  }

  /** pdf.js keeps the drawing operations of a page, which are much larger than its picture. */
  async #letGo(): Promise<void> {
    const isNeeded = (page: number) => this.#task?.page === page;
    await this.#file
      .releaseBut(isNeeded)
      .catch((error: unknown) => this.#isClosed || logTrouble("Could not release a page", error));
    if (this.#sinceForgetting >= FORGET_AFTER_PAGES) await this.#forget();
  }

  async #forget(): Promise<void> {
    if (this.#task || this.#isForgetting) return;
    this.#sinceForgetting = 0;
    this.#isForgetting = true;
    // Fails while something else, such as a thumbnail, is being rendered; the next attempt will do.
    await this.#file.forget().catch(() => undefined);
    this.#isForgetting = false;
  }

  close(): void {
    this.#isClosed = true;
    this.#takeDown?.();
    clearInterval(this.#cleaning);
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
