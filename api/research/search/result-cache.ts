interface CacheLimits {
  /** Time to live of an entry. */
  ttlMs: number;
  entries: number;
  /** Characters of all entries together, as JSON. */
  chars: number;
}

interface Entry<T> {
  value: T;
  storedAt: number;
  chars: number;
}

/** A TTL cache of results by key, shared by all runs of this process. New entries replace the oldest. */
export class ResultCache<T> {
  readonly #limits: CacheLimits;
  readonly #entries = new Map<string, Entry<T>>();
  #chars = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  find(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key);
    return entry && now - entry.storedAt < this.#limits.ttlMs ? entry.value : undefined;
  }

  put(key: string, value: T, now: number): void {
    this.#remove(key);
    const chars = key.length + JSON.stringify(value).length;
    if (chars > this.#limits.chars) return;
    this.#entries.set(key, { value, storedAt: now, chars });
    this.#chars += chars;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.entries && this.#chars <= this.#limits.chars) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#chars -= this.#entries.get(key)?.chars ?? 0;
    this.#entries.delete(key);
  }
}
