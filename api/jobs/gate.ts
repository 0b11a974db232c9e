/** FIFO semaphore with N permits. */
export class Gate {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Runs `work` with a permit, which is released however the work ends. */
  async through<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.enter(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** The same for a stream: the permit is held until the last item, or until the consumer stops. */
  async *stream<T>(work: () => AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
    await this.enter(signal);
    try {
      yield* work();
    } finally {
      this.leave();
    }
  }

  /**
   * Waits for a permit; the caller must `release` it. Rejects with the signal's reason, without taking a permit, if aborted
   * first.
   */
  async enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!this.tryEnter()) await this.#turn(signal);
  }

  /** Takes a permit if one is free. */
  tryEnter(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  leave(): void {
    const next = this.#waiting.shift();
    // The permit passes directly to the next waiter, so that no other caller can take it in between.
    if (next) next();
    else this.#free += 1;
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(signal?.reason as Error);
      };
      const turn = () => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      this.#waiting.push(turn);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }
}
