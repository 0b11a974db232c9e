/** FIFO semaphore with N permits. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #available: number;

  constructor(permits: number) {
    this.#available = permits;
  }

  /** Runs `work` with a permit, which is released however the work ends. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.acquire(signal);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Runs a stream with a permit, which is held until the last item, or until the consumer stops. */
  async *stream<T>(work: () => AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
    await this.acquire(signal);
    try {
      yield* work();
    } finally {
      this.release();
    }
  }

  /**
   * Waits for a permit; the caller must `release` it. Rejects with the signal's reason, without taking a permit, if aborted
   * first.
   */
  async acquire(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!this.tryAcquire()) await this.#nextPermit(signal);
  }

  /** Takes a permit if one is free. */
  tryAcquire(): boolean {
    if (this.#available === 0) return false;
    this.#available -= 1;
    return true;
  }

  release(): void {
    const next = this.#waiting.shift();
    // The permit passes directly to the next waiter, so that no other caller can take it in between.
    if (next) next();
    else this.#available += 1;
  }

  #nextPermit(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(nextPermit), 1);
        reject(signal?.reason as Error);
      };
      const nextPermit = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      this.#waiting.push(nextPermit);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }
}
