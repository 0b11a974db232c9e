import type { SyncRequest } from "./schema.ts";
import type { StoredRequest } from "./store.ts";

/** Requests that leave the queue while a fetch runs: its response may predate their acknowledgement. */
export class Leaving {
  readonly #collections = new Set<Map<string, SyncRequest>>();

  /** Starts collecting; the returned function stops it and returns the requests that left, in order. */
  collect(): () => readonly SyncRequest[] {
    const left = new Map<string, SyncRequest>();
    this.#collections.add(left);
    return () => {
      this.#collections.delete(left);
      return [...left.values()].toSorted((a, b) => a.seq - b.seq);
    };
  }

  note(before: readonly StoredRequest[], after: readonly StoredRequest[]): void {
    if (this.#collections.size === 0) return;
    const still = new Set(after.map(({ request }) => request.id));
    for (const { request } of before)
      if (!still.has(request.id)) for (const left of this.#collections) left.set(request.id, request);
  }

  /** Discarded requests never reached the server. */
  forget(ids: readonly string[]): void {
    for (const left of this.#collections) for (const id of ids) left.delete(id);
  }
}
