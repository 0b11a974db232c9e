import { logTrouble } from "#webapp/app/log.ts";
import type { Flow } from "./flow.ts";
import type { Painter } from "./painter.ts";

/** Lays out the text of a page in its place; resolves when it stands. */
type Laying = () => Promise<void>;

/**
 * Has the text of the pages laid out, one page at a time, the one that is read first: behind its picture, and while
 * nothing moves, so that neither has to wait for what nobody can see.
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

  /** Asks for a page's text; answers how to take the wish back. */
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
    await laying().catch((error: unknown) => logTrouble("The text of a page could not be laid out", error));
    this.#isAtWork = false;
    this.#next();
  }
}
