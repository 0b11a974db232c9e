const OPEN = "<think>";
const CLOSE = "</think>";

/** Length of the longest suffix of `text` that could be the start of `tag`. */
function partialTagLength(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length -= 1)
    if (text.endsWith(tag.slice(0, length))) return length;
  return 0;
}

/** Separates `<think>` blocks from a stream, wherever it is split into chunks. */
export class ThoughtFilter {
  #buffered = "";
  #isThinking = false;
  #thoughts = "";

  /** The thoughts since the last call. */
  takeThoughts(): string {
    const thoughts = this.#thoughts;
    this.#thoughts = "";
    return thoughts;
  }

  /** Takes the next chunk and returns its visible text. */
  push(chunk: string): string {
    if (!this.#isThinking && this.#buffered === "" && !chunk.includes("<")) return chunk;
    let rest = this.#buffered + chunk;
    let visible = "";
    for (;;) {
      const tag = this.#isThinking ? CLOSE : OPEN;
      const index = rest.indexOf(tag);
      if (index === -1) {
        const tail = partialTagLength(rest, tag);
        const complete = rest.slice(0, rest.length - tail);
        if (this.#isThinking) this.#thoughts += complete;
        else visible += complete;
        this.#buffered = rest.slice(rest.length - tail);
        return visible;
      }
      if (this.#isThinking) this.#thoughts += rest.slice(0, index);
      else visible += rest.slice(0, index);
      this.#isThinking = !this.#isThinking;
      rest = rest.slice(index + tag.length);
    }
  }

  /** Flushes buffered text that turned out not to be a tag. */
  end(): string {
    const buffered = this.#isThinking ? "" : this.#buffered;
    this.#buffered = "";
    return buffered;
  }
}
