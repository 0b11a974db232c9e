import type { Changes } from "../editor/changes.ts";

/** Autosave debounce, and the longest delay while typing continues. */
const QUIET_MS = 400;
const LONGEST_MS = 2000;
const RETRY_MS = 3000;

export type SaveState = "kept" | "keeping" | "failed";

interface Parts {
  /** Takes the changes since the last call, if any; `putBack` marks them as unsaved again. */
  take(): { changes: Changes; putBack(): void } | undefined;
  /** Resolves when all changes are stored on this device. */
  keep(changes: Changes): Promise<void>;
  onState(state: SaveState): void;
}

/** Autosave: writes edits to this device one batch at a time and reports the state. */
export class PageSaver {
  readonly #parts: Parts;
  #isDirty = false;
  #dirtySince = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> = Promise.resolve();
  #underway: Changes | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  edited(): void {
    const now = Date.now();
    if (!this.#isDirty) {
      this.#isDirty = true;
      this.#dirtySince = now;
      this.#parts.onState("keeping");
    }
    const waitMs = Math.min(QUIET_MS, Math.max(0, this.#dirtySince + LONGEST_MS - now));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), waitMs);
  }

  /** Resolves when all edits so far are stored, or could not be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running = this.#running.then(() => this.#keepOnce());
    return this.#running;
  }

  /** The batch that is being written. */
  get underway(): Changes | undefined {
    return this.#underway;
  }

  async #keepOnce(): Promise<void> {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const taken = this.#parts.take();
    try {
      this.#underway = taken?.changes;
      if (taken) await this.#parts.keep(taken.changes);
      if (!this.#isDirty) this.#parts.onState("kept");
    } catch {
      // The edits are still in the editor; retried until the write succeeds.
      taken?.putBack();
      this.#isDirty = true;
      this.#dirtySince = Date.now();
      this.#parts.onState("failed");
      this.#timer = setTimeout(() => void this.flush(), RETRY_MS);
    } finally {
      this.#underway = undefined;
    }
  }
}
