interface Entry<T> {
  version: string;
  value: Promise<T>;
  weight: number;
}

/** The cache key of a share; all keys of an account have the same prefix. */
export const cacheKey = ({ ownerId, _id }: { ownerId: string; _id: string }) => `${ownerId}/${_id}`;

/**
 * Caches the value of the latest version of each key, up to a total weight; evicts the least recently used first.
 * Concurrent requests for the same version share one computation.
 */
export class VersionCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #maxWeight: number;
  readonly #weigh: (value: T) => number;
  #weight = 0;

  constructor(maxWeight: number, weigh: (value: T) => number) {
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
  }

  async get(key: string, version: string, compute: () => Promise<T>): Promise<T> {
    const cached = this.#entries.get(key);
    if (cached?.version === version) {
      this.#entries.delete(key);
      this.#entries.set(key, cached);
      return cached.value;
    }
    this.#remove(key);
    const entry: Entry<T> = { version, value: compute(), weight: 1 };
    this.#entries.set(key, entry);
    this.#weight += 1;
    try {
      const value = await entry.value;
      this.#updateWeight(key, entry, this.#weigh(value));
      return value;
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#remove(key);
      throw error;
    }
  }

  /** Removes the values of all keys with this prefix. */
  removePrefix(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#remove(key);
  }

  #updateWeight(key: string, entry: Entry<T>, weight: number): void {
    if (this.#entries.get(key) !== entry) return;
    this.#weight += weight - entry.weight;
    entry.weight = weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#weight -= entry.weight;
    this.#entries.delete(key);
  }
}
