interface Parts {
  /** Reports the count to the server; rejects if it was not accepted. */
  send(words: number): Promise<unknown>;
  /** Adds to the local usage; negative to revert. */
  add(words: number): void;
  onTrouble(error: unknown): void;
}

/** Counts accepted completion words: locally at once, on the server in batches. */
export class WordCounter {
  readonly #parts: Parts;
  #queued: number[] = [];
  #isSending = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  count(words: number): void {
    if (words <= 0) return;
    this.#parts.add(words);
    this.#queued.push(words);
    if (!this.#isSending) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#isSending = true;
    while (this.#queued.length > 0) {
      const sum = this.#queued.splice(0).reduce((total, words) => total + words, 0);
      try {
        await this.#parts.send(sum);
      } catch (error) {
        this.#parts.add(-sum);
        this.#parts.onTrouble(error);
      }
    }
    this.#isSending = false;
  }
}
