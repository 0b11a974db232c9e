interface CounterDeps {
  /** Reports the count to the server; rejects if it was not accepted. */
  send(words: number): Promise<unknown>;
  /** Adds to the local usage; negative to revert. */
  addToLocalUsage(words: number): void;
  onError(error: unknown): void;
}

/** Counts accepted completion words: locally at once, on the server in batches. */
export class WordCounter {
  readonly #deps: CounterDeps;
  #queued: number[] = [];
  #isSending = false;

  constructor(deps: CounterDeps) {
    this.#deps = deps;
  }

  count(words: number): void {
    if (words <= 0) return;
    this.#deps.addToLocalUsage(words);
    this.#queued.push(words);
    if (!this.#isSending) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#isSending = true;
    while (this.#queued.length > 0) {
      const sum = this.#queued.splice(0).reduce((total, words) => total + words, 0);
      try {
        await this.#deps.send(sum);
      } catch (error) {
        this.#deps.addToLocalUsage(-sum);
        this.#deps.onError(error);
      }
    }
    this.#isSending = false;
  }
}
