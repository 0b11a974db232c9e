/** Lets so many through at once; whoever comes later waits, and is let through in the order of coming. */
export class Gate {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Runs `work` on a place of its own; the place is free again however the work ends. */
  async through<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.enter(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** The same for work that answers piece by piece; the place is kept until its last piece, or until its reader leaves. */
  async *stream<T>(work: () => AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
    await this.enter(signal);
    try {
      yield* work();
    } finally {
      this.leave();
    }
  }

  /** Waits for a place. Whoever enters leaves. Rejects with the signal's reason, and takes no place, when it is aborted first. */
  async enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!this.tryEnter()) await this.#turn(signal);
  }

  /** Takes a place where one is free at once. */
  tryEnter(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  leave(): void {
    const next = this.#waiting.shift();
    // Who waited takes over the place itself, so that nobody slips in between.
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
