import type { SyncRequest } from "./schema.ts";
import type { StoredRequest } from "./store.ts";

/** What leaves a queue while somebody fetches: an answer may have been given before the server took it. */
export class Leaving {
  readonly #collections = new Set<Map<string, SyncRequest>>();

  /** From now on; answers how to end it, with what has left, in order. */
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

  /** What was given up went nowhere. */
  forget(ids: readonly string[]): void {
    for (const left of this.#collections) for (const id of ids) left.delete(id);
  }
}
