interface Timed<T> {
  /** Infinite while the value is computed. */
  until: number;
  value: Promise<T>;
}

/**
 * Caches values for a short time after they are computed, of keys that are few. Concurrent readers share one
 * computation; failures are not cached.
 */
export class TimedCache<T> {
  readonly #values = new Map<string, Timed<T>>();
  readonly #maxAgeMs: number;
  readonly #now: () => number;

  constructor(maxAgeMs: number, now: () => number) {
    this.#maxAgeMs = maxAgeMs;
    this.#now = now;
  }

  async get(key: string, compute: () => Promise<T>): Promise<T> {
    const cached = this.#values.get(key);
    if (cached && this.#now() < cached.until) return cached.value;
    const timed: Timed<T> = { until: Number.POSITIVE_INFINITY, value: compute() };
    this.#values.set(key, timed);
    try {
      const value = await timed.value;
      timed.until = this.#now() + this.#maxAgeMs;
      return value;
    } catch (error) {
      if (this.#values.get(key) === timed) this.#values.delete(key);
      throw error;
    }
  }
}
