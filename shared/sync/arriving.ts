import type { SyncRequest } from "./schema.ts";

export type Envelope = Pick<SyncRequest, "id" | "type" | "resourceId" | "data" | "createdAt">;

/** A change that is not on disk yet. */
export interface Waiting {
  envelope: Envelope;
  baseVersion: number | undefined;
  kept: (request: SyncRequest) => void;
  failed: (error: unknown) => void;
}

/** Changes that are being written to disk; readers of unsaved changes must include them. */
export class Arriving {
  #waiting: Waiting[] = [];
  #underway: Waiting[] = [];

  /** Returns whether it is the only pending change. */
  add(change: Waiting): boolean {
    this.#waiting.push(change);
    return this.#waiting.length === 1;
  }

  /** Takes all pending changes; they are in flight until `settled`. */
  take(): readonly Waiting[] {
    this.#underway = this.#waiting;
    this.#waiting = [];
    return this.#underway;
  }

  arrived(): void {
    this.#underway = [];
  }

  /** The requests as they will be sent. Their sequence number is assigned on disk; until then they sort last. */
  requests(): SyncRequest[] {
    return [...this.#underway, ...this.#waiting].map(({ envelope, baseVersion }) => {
      const base = baseVersion === undefined ? {} : { baseVersion };
      return { ...envelope, clientId: "", seq: Number.MAX_SAFE_INTEGER, ...base } as SyncRequest;
    });
  }
}
