interface Parts {
  /** Tells the server; rejects where it did not take the count. */
  send(words: number): Promise<unknown>;
  /** Counts here, at once; below zero to take it back. */
  add(words: number): void;
  onTrouble(error: unknown): void;
}

/** Words of completions that were taken: counted here at once, and told to the server batch by batch. */
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
