interface Timed<T> {
  until: number;
  value: Promise<T>;
}

/** Caches values for a short time, of keys that are few. Concurrent readers share one computation; failures are not kept. */
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
    const timed: Timed<T> = { until: this.#now() + this.#maxAgeMs, value: compute() };
    this.#values.set(key, timed);
    try {
      return await timed.value;
    } catch (error) {
      if (this.#values.get(key) === timed) this.#values.delete(key);
      throw error;
    }
  }
}
