import type { SyncRequest } from "./schema.ts";
import type { StoredRequest } from "./store.ts";

/**
 * Collects requests that leave the queue while a fetch runs, because the response may predate their acknowledgement.
 */
export class AckWindow {
  readonly #windows = new Set<Map<string, SyncRequest>>();

  /** Starts collecting; the returned function stops it and returns the requests that left, in order. */
  collect(): () => readonly SyncRequest[] {
    const left = new Map<string, SyncRequest>();
    this.#windows.add(left);
    return () => {
      this.#windows.delete(left);
      return [...left.values()].toSorted((a, b) => a.seq - b.seq);
    };
  }

  record(before: readonly StoredRequest[], after: readonly StoredRequest[]): void {
    if (this.#windows.size === 0) return;
    const remaining = new Set(after.map(({ request }) => request.id));
    for (const { request } of before)
      if (!remaining.has(request.id)) for (const left of this.#windows) left.set(request.id, request);
  }

  /** Discarded requests never reached the server. */
  forget(ids: readonly string[]): void {
    for (const left of this.#windows) for (const id of ids) left.delete(id);
  }
}
