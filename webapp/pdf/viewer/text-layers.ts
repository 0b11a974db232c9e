import { logWarning } from "#webapp/app/log.ts";
import type { Flow } from "./flow.ts";
import type { Painter } from "./painter.ts";

/** Lays out the text of a page; resolves when it is done. */
type TextLayerTask = () => Promise<void>;

/**
 * Schedules text layers one page at a time, the current page first. It waits until the page is painted and scrolling is
 * idle, because the layers are invisible.
 */
export class TextLayers {
  readonly #flow: Flow;
  readonly #painter: Painter;
  readonly #queue = new Map<number, TextLayerTask>();
  #isRendering = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(flow: Flow, painter: Painter) {
    this.#flow = flow;
    this.#painter = painter;
    painter.onPainted(() => this.#schedule());
  }

  /** Queues a page's text layer; returns a function that cancels it. */
  enqueue(page: number, task: TextLayerTask): () => void {
    this.#queue.set(page, task);
    this.#schedule();
    return () => {
      if (this.#queue.get(page) === task) this.#queue.delete(page);
    };
  }

  #schedule(): void {
    if (this.#isRendering || this.#timer !== undefined || this.#queue.size === 0 || !this.#painter.isReadable()) return;
    const waitMs = this.#flow.msUntilIdle();
    if (waitMs === 0) {
      void this.#renderNext();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#schedule();
    }, waitMs);
  }

  async #renderNext(): Promise<void> {
    const { page: currentPage } = this.#flow.view();
    const [page] = [...this.#queue.keys()].toSorted((a, b) => Math.abs(a - currentPage) - Math.abs(b - currentPage));
    const task = page === undefined ? undefined : this.#queue.get(page);
    if (page === undefined || !task) return;
    this.#queue.delete(page);
    this.#isRendering = true;
    await task().catch((error: unknown) => logWarning("Could not lay out the text of a page", error));
    this.#isRendering = false;
    this.#schedule();
  }
}
