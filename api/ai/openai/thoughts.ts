const OPEN = "<think>";
const CLOSE = "</think>";

/** Length of the longest suffix of `text` that could be the start of `tag`. */
function tailOf(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length -= 1)
    if (text.endsWith(tag.slice(0, length))) return length;
  return 0;
}

/** Removes `<think>` blocks from a stream, wherever it is split into chunks. */
export class ThoughtFilter {
  #held = "";
  #isThinking = false;

  push(piece: string): string {
    if (!this.#isThinking && this.#held === "" && !piece.includes("<")) return piece;
    let rest = this.#held + piece;
    let said = "";
    for (;;) {
      const tag = this.#isThinking ? CLOSE : OPEN;
      const at = rest.indexOf(tag);
      if (at === -1) {
        const tail = tailOf(rest, tag);
        if (!this.#isThinking) said += rest.slice(0, rest.length - tail);
        this.#held = rest.slice(rest.length - tail);
        return said;
      }
      if (!this.#isThinking) said += rest.slice(0, at);
      this.#isThinking = !this.#isThinking;
      rest = rest.slice(at + tag.length);
    }
  }

  /** Flushes buffered text that turned out not to be a tag. */
  end(): string {
    const held = this.#isThinking ? "" : this.#held;
    this.#held = "";
    return held;
  }
}
