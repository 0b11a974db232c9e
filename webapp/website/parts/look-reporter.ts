import type { SiteLook } from "#shared/website/schema.ts";

const DELAY_MS = 200;
const MAX_LINES = 50;
const MAX_LINE_CHARS = 1000;
/** A site that reports without end is heard this often. */
const MAX_REPORTS = 10;

/** Collects what one build shows, from its first paint on, and passes it on in few reports. */
export class LookReporter {
  #look: SiteLook;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reports = 0;
  readonly #onLook: (look: SiteLook) => void;

  constructor(build: number, onLook: (look: SiteLook) => void) {
    this.#look = { build, outcome: null, lines: [] };
    this.#onLook = onLook;
  }

  addLine({ type, text }: SiteLook["lines"][number]): void {
    if (this.#look.lines.length >= MAX_LINES) return;
    this.#look = { ...this.#look, lines: [...this.#look.lines, { type, text: text.slice(0, MAX_LINE_CHARS) }] };
    this.#schedule();
  }

  setOutcome(outcome: "painted" | "blank"): void {
    this.#look = { ...this.#look, outcome };
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#look.outcome === null || this.#reports >= MAX_REPORTS) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#reports += 1;
      this.#onLook(this.#look);
    }, DELAY_MS);
  }
}
