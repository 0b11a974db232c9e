import type { PreviewReport } from "#shared/website/schema.ts";

const DELAY_MS = 200;
const MAX_LINES = 50;
const MAX_LINE_CHARS = 1000;
/** Later reports of a site that never stops reporting are ignored. */
const MAX_REPORTS = 10;

/**
 * Collects the outcome and console lines of one build, and sends them in a few reports once the first paint is known.
 */
export class PreviewReporter {
  #report: PreviewReport;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reports = 0;
  readonly #onReport: (report: PreviewReport) => void;

  constructor(build: number, onReport: (report: PreviewReport) => void) {
    this.#report = { build, outcome: null, lines: [] };
    this.#onReport = onReport;
  }

  addLine({ type, text }: PreviewReport["lines"][number]): void {
    if (this.#report.lines.length >= MAX_LINES) return;
    this.#report = { ...this.#report, lines: [...this.#report.lines, { type, text: text.slice(0, MAX_LINE_CHARS) }] };
    this.#schedule();
  }

  setOutcome(outcome: "painted" | "blank"): void {
    this.#report = { ...this.#report, outcome };
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#report.outcome === null || this.#reports >= MAX_REPORTS) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#reports += 1;
      this.#onReport(this.#report);
    }, DELAY_MS);
  }
}
