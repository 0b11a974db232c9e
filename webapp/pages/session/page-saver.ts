import type { Changes } from "../editor/changes.ts";

/** Quiet after a key before its text goes to disk, and the longest it waits while typing goes on. */
const QUIET_MS = 400;
const LONGEST_MS = 2000;
const RETRY_MS = 3000;

export type SaveState = "kept" | "keeping" | "failed";

interface Parts {
  /** What has changed since the last time, or nothing; `putBack` makes it count as changed again. */
  take(): { changes: Changes; putBack(): void } | undefined;
  /** Resolves when all of it is on disk. */
  keep(changes: Changes): Promise<void>;
  onState(state: SaveState): void;
}

/** Brings edits to disk soon after they are made, one after the other, and says so only when they are there. */
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

  /** Resolves when everything edited up to now is on disk, or could not be put there. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running = this.#running.then(() => this.#keepOnce());
    return this.#running;
  }

  /** On its way to the disk, and not known to be there. */
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
      // The editor still shows it: it is tried again until the disk takes it.
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
