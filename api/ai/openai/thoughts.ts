const OPEN = "<think>";
const CLOSE = "</think>";

/** How much of the end of a text may be the beginning of a tag. */
function tailOf(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length -= 1)
    if (text.endsWith(tag.slice(0, length))) return length;
  return 0;
}

/** Leaves out what a model thinks aloud between its tags, however a stream cuts them. */
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

  /** What was held at the end and is no tag. */
  end(): string {
    const held = this.#isThinking ? "" : this.#held;
    this.#held = "";
    return held;
  }
}
