import type { SyncRequest } from "./schema.ts";

export type Envelope = Pick<SyncRequest, "id" | "type" | "resourceId" | "data" | "createdAt">;

/** A change that is not on disk yet. */
export interface PendingWrite {
  envelope: Envelope;
  baseVersion: number | undefined;
  resolve: (request: SyncRequest) => void;
  reject: (error: unknown) => void;
}

/** Changes that are being written to disk; readers of unsaved changes must include them. */
export class PendingWrites {
  #pending: PendingWrite[] = [];
  #inFlight: PendingWrite[] = [];

  /** Returns whether it is the only pending change. */
  add(change: PendingWrite): boolean {
    this.#pending.push(change);
    return this.#pending.length === 1;
  }

  /** Takes all pending changes; they are in flight until `finish`. */
  take(): readonly PendingWrite[] {
    this.#inFlight = this.#pending;
    this.#pending = [];
    return this.#inFlight;
  }

  finish(): void {
    this.#inFlight = [];
  }

  /** The requests as they will be sent. Their sequence number is assigned on disk; until then they sort last. */
  requests(): SyncRequest[] {
    return [...this.#inFlight, ...this.#pending].map(({ envelope, baseVersion }) => {
      const base = baseVersion === undefined ? {} : { baseVersion };
      return { ...envelope, clientId: "", seq: Number.MAX_SAFE_INTEGER, ...base } as SyncRequest;
    });
  }
}
