import type { Changes } from "../editor/changes.ts";

/** Autosave debounce, and the longest delay while typing continues. */
const DEBOUNCE_MS = 400;
const MAX_DELAY_MS = 2000;
const RETRY_MS = 3000;

export type SaveState = "saved" | "saving" | "failed";

interface SaverDeps {
  /** Takes the changes since the last call, if any; `putBack` marks them as unsaved again. */
  take(): { changes: Changes; putBack(): void } | undefined;
  /** Resolves when all changes are stored on this device. */
  write(changes: Changes): Promise<void>;
  onState(state: SaveState): void;
}

/** Autosave: writes edits to this device one batch at a time and reports the state. */
export class PageSaver {
  readonly #deps: SaverDeps;
  #isDirty = false;
  #dirtySince = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #currentSave: Promise<void> = Promise.resolve();
  #inFlight: Changes | undefined;

  constructor(deps: SaverDeps) {
    this.#deps = deps;
  }

  markDirty(): void {
    const now = Date.now();
    if (!this.#isDirty) {
      this.#isDirty = true;
      this.#dirtySince = now;
      this.#deps.onState("saving");
    }
    const waitMs = Math.min(DEBOUNCE_MS, Math.max(0, this.#dirtySince + MAX_DELAY_MS - now));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), waitMs);
  }

  /** Resolves when all edits so far are stored, or could not be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#currentSave = this.#currentSave.then(() => this.#saveOnce());
    return this.#currentSave;
  }

  /** The batch that is being written. */
  get inFlight(): Changes | undefined {
    return this.#inFlight;
  }

  async #saveOnce(): Promise<void> {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const batch = this.#deps.take();
    try {
      this.#inFlight = batch?.changes;
      if (batch) await this.#deps.write(batch.changes);
      if (!this.#isDirty) this.#deps.onState("saved");
    } catch {
      // The edits are still in the editor; retried until the write succeeds.
      batch?.putBack();
      this.#isDirty = true;
      this.#dirtySince = Date.now();
      this.#deps.onState("failed");
      this.#timer = setTimeout(() => void this.flush(), RETRY_MS);
    } finally {
      this.#inFlight = undefined;
    }
  }
}
