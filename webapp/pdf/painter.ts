import type { RenderTask } from "pdfjs-dist";
import { logTrouble } from "#webapp/kit/log.ts";
import type { Flow } from "./flow.ts";
import type { PdfFile } from "./pdf-file.ts";

/** Section 9: so many painted pages are kept, and what is not shown is let go of every 20 s. */
const KEPT_PAGES = 10;
const CLEAN_EVERY_MS = 20_000;
/** A larger canvas is painted smaller and stretched; all kept together hold no more than the second figure. */
const MAX_PIXELS = 16_000_000;
const MAX_KEPT_PIXELS = 12_000_000;
/** While pages fly by none is painted. */
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

/** Paints the pages that are shown, one at a time, the one that is read first; a page keeps its picture until a sharper one is there. */
export class Painter {
  readonly #file: PdfFile;
  readonly #flow: Flow;
  /** In the order of use, the one used last at the end. */
  readonly #painted = new Map<number, Painted>();
  readonly #hosts = new Map<number, HTMLElement>();
  #task: Task | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastPage = 1;
  #isClosed = false;
  readonly #cleaning: ReturnType<typeof setInterval>;
  readonly #stopFollowing: () => void;

  constructor(file: PdfFile, flow: Flow) {
    this.#file = file;
    this.#flow = flow;
    this.#cleaning = setInterval(() => this.#clean(), CLEAN_EVERY_MS);
    this.#stopFollowing = flow.subscribe(() => this.#plan());
  }

  /** Puts a page's picture into its place, now or when it is painted; answers how to take it out. */
  show(page: number, host: HTMLElement): () => void {
    this.#hosts.set(page, host);
    const held = this.#painted.get(page);
    if (held) host.replaceChildren(held.canvas);
    this.#plan();
    return () => {
      if (this.#hosts.get(page) === host) this.#hosts.delete(page);
    };
  }

  #keyOf(page: number): string {
    const { scale, turn } = this.#flow.view();
    const { width, height } = this.#flow.sizeOf(page);
    const wanted = scale * Math.min(2, window.devicePixelRatio || 1);
    const most = Math.sqrt(MAX_PIXELS / (width * height));
    return `${Math.min(wanted, most)}:${turn}`;
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

  /** The nearest page to the one being read that is shown and not painted as it should be. */
  #wanted(): number | undefined {
    const { page } = this.#flow.view();
    const near = [...this.#hosts.keys()].toSorted((a, b) => Math.abs(a - page) - Math.abs(b - page));
    return near
      .slice(0, KEPT_PAGES - 4)
      .find((number) => this.#painted.get(number)?.key !== this.#keyOf(number) && !this.#failed.has(number));
  }

  readonly #failed = new Set<number>();

  #next(): void {
    const page = this.#wanted();
    if (page === undefined || this.#isClosed) return;
    const key = this.#keyOf(page);
    if (this.#task) {
      const isStale = this.#task.key !== this.#keyOf(this.#task.page) || !this.#hosts.has(this.#task.page);
      const isFar = Math.abs(this.#task.page - page) > 1;
      if ((isStale || isFar) && this.#task.page !== page) this.#task.render?.cancel();
      else if (isStale) this.#task.render?.cancel();
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
        logTrouble("A page could not be painted", error);
      }
    } finally {
      this.#task = undefined;
      if (!this.#isClosed) {
        void this.#letGo();
        this.#next();
      }
    }
  }

  #keep(page: number, painted: Painted): void {
    release(this.#painted.get(page));
    this.#painted.delete(page);
    this.#painted.set(page, painted);
    this.#hosts.get(page)?.replaceChildren(painted.canvas);
    const pixels = () => [...this.#painted.values()].reduce((sum, { canvas }) => sum + canvas.width * canvas.height, 0);
    const { page: read } = this.#flow.view();
    const far = [...this.#painted.keys()].toSorted((a, b) => Math.abs(b - read) - Math.abs(a - read));
    for (const number of far) {
      if (this.#painted.size <= KEPT_PAGES && pixels() <= MAX_KEPT_PIXELS) return;
      if (number === read || number === page) continue;
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
    if (!this.#task) this.#file.forget().catch(() => undefined);
  }

  /** What pages drew from is much larger than their pictures: it goes as soon as they are out of sight. */
  async #letGo(): Promise<void> {
    const isNeeded = (page: number) => this.#hosts.has(page) || this.#task?.page === page;
    await this.#file
      .releaseBut(isNeeded)
      .catch((error: unknown) => this.#isClosed || logTrouble("A page could not be let go of", error));
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#cleaning);
    clearTimeout(this.#timer);
    this.#stopFollowing();
    this.#task?.render?.cancel();
    for (const page of this.#painted.keys()) this.#drop(page);
  }
}

/** A canvas that has no size gives its memory back at once; one that is only forgotten waits for the collector. */
function release(painted: Painted | undefined): void {
  if (!painted) return;
  painted.canvas.width = 0;
  painted.canvas.height = 0;
}
