import type { SyncRequest } from "./schema.ts";

export type Envelope = Pick<SyncRequest, "id" | "type" | "resourceId" | "data" | "createdAt">;

/** A change that is not on disk yet. */
export interface Waiting {
  envelope: Envelope;
  baseVersion: number | undefined;
  kept: (request: SyncRequest) => void;
  failed: (error: unknown) => void;
}

/** Changes on their way to the disk: whoever reads what is unsaved meanwhile must not miss them. */
export class Arriving {
  #waiting: Waiting[] = [];
  #underway: Waiting[] = [];

  /** Answers whether it is the first that waits. */
  add(change: Waiting): boolean {
    this.#waiting.push(change);
    return this.#waiting.length === 1;
  }

  /** All that wait; they are under way until `arrived`. */
  take(): readonly Waiting[] {
    this.#underway = this.#waiting;
    this.#waiting = [];
    return this.#underway;
  }

  arrived(): void {
    this.#underway = [];
  }

  /** As they will be sent, but that their place in the order is given on the disk: until then they stand last. */
  requests(): SyncRequest[] {
    return [...this.#underway, ...this.#waiting].map(({ envelope, baseVersion }) => {
      const base = baseVersion === undefined ? {} : { baseVersion };
      return { ...envelope, clientId: "", seq: Number.MAX_SAFE_INTEGER, ...base } as SyncRequest;
    });
  }
}
