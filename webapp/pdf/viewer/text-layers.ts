import { logTrouble } from "#webapp/app/log.ts";
import type { Flow } from "./flow.ts";
import type { Painter } from "./painter.ts";

/** Lays out the text of a page; resolves when it is done. */
type Laying = () => Promise<void>;

/**
 * Schedules text layers one page at a time, the current page first. It waits until the page is painted and scrolling is
 * idle, because the layers are invisible.
 */
export class TextLayers {
  readonly #flow: Flow;
  readonly #painter: Painter;
  readonly #waiting = new Map<number, Laying>();
  #isAtWork = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(flow: Flow, painter: Painter) {
    this.#flow = flow;
    this.#painter = painter;
    painter.onPainted(() => this.#next());
  }

  /** Queues a page's text layer; returns a function that cancels it. */
  ask(page: number, laying: Laying): () => void {
    this.#waiting.set(page, laying);
    this.#next();
    return () => {
      if (this.#waiting.get(page) === laying) this.#waiting.delete(page);
    };
  }

  #next(): void {
    if (this.#isAtWork || this.#timer !== undefined || this.#waiting.size === 0 || !this.#painter.isReadable()) return;
    const wait = this.#flow.untilCalmMs();
    if (wait === 0) {
      void this.#lay();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#next();
    }, wait);
  }

  async #lay(): Promise<void> {
    const { page: read } = this.#flow.view();
    const [page] = [...this.#waiting.keys()].toSorted((a, b) => Math.abs(a - read) - Math.abs(b - read));
    const laying = page === undefined ? undefined : this.#waiting.get(page);
    if (page === undefined || !laying) return;
    this.#waiting.delete(page);
    this.#isAtWork = true;
    await laying().catch((error: unknown) => logTrouble("Could not lay out the text of a page", error));
    this.#isAtWork = false;
    this.#next();
  }
}
