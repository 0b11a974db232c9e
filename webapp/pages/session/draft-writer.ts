import { logWarning } from "#webapp/app/log.ts";
import type { DraftSlot } from "#webapp/offline/draft-store.ts";
import type { EditStash } from "./last-edits.ts";

/** From a key to the start of its write; with the write itself this stays below 100 ms. */
const DELAY_MS = 30;
const DELAY_AFTER_FAILURE_MS = 2_000;
/** Pauses four times as long as the last draft took, so that drafts take at most a fifth of the time. */
const PAUSE_PER_COST = 4;

interface DraftWriterDeps {
  /** The edits that the queue does not have yet, if any. */
  collect: () => EditStash | undefined;
  slot: DraftSlot;
}

/** Write-ahead: stores edits a moment after each key, until the queue has them. */
export class DraftWriter {
  readonly #deps: DraftWriterDeps;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isWriting = false;
  #isDue = false;
  #isStored = false;
  #delayMs = DELAY_MS;

  constructor(deps: DraftWriterDeps) {
    this.#deps = deps;
  }

  /** Call after each edit, and when the queue has taken edits. */
  schedule(): void {
    this.#isDue = true;
    if (this.#timer === undefined && !this.#isWriting)
      this.#timer = setTimeout(() => void this.#writeDue(), this.#delayMs);
  }

  /** Call when an editor is mounted. The returned function stores or removes the draft when the editor is unmounted. */
  start(): () => Promise<void> {
    const release = this.#deps.slot.hold();
    return async () => {
      await this.#write();
      release();
    };
  }

  async #writeDue(): Promise<void> {
    this.#timer = undefined;
    this.#isWriting = true;
    this.#isDue = false;
    await this.#write();
    this.#isWriting = false;
    if (this.#isDue) this.schedule();
  }

  async #write(): Promise<void> {
    const { collect, slot } = this.#deps;
    const startedAt = performance.now();
    try {
      const draft = collect();
      if (!draft && !this.#isStored) return;
      const written = draft ? slot.write(draft) : slot.remove();
      // Only collecting and copying the edits blocks the page. The browser writes them in the background.
      this.#delayMs = Math.max(DELAY_MS, (performance.now() - startedAt) * PAUSE_PER_COST);
      this.#isStored = draft !== undefined;
      await written;
    } catch (error) {
      // The student sees no error here, because the write to the queue follows and reports its own.
      if (this.#delayMs !== DELAY_AFTER_FAILURE_MS) logWarning("Could not write a draft", error);
      this.#delayMs = DELAY_AFTER_FAILURE_MS;
    }
  }
}
