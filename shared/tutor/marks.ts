/** A parsed part of a model's output: text, or the claim that a passage contains a quote. */
export type Written = { type: "text"; text: string } | { type: "claim"; passage: number; quote: string };

/** A longer unclosed marker is dropped with its text, which was never verified. */
const MAX_MARK = 1200;

/** `[P3: "words of the passage"]`, with the quotation marks that models use, or `[P3]`. */
const MARK = /^\[P(\d{1,3})\s*(?:[:,]\s*["“”«'‘]?([\s\S]*?)["“”»'’]?\s*)?\]$/u;
const COULD_BE_MARK = /^\[(?:P(?:\d{1,3}(?:\s*(?:[:,][\s\S]*)?)?)?)?$/u;
/** Markers in our own format that a model made up would look like verified ones. */
const COULD_BE_OURS = /^\[(?:\^[^\]\s]{0,12})?$/u;
const OURS = /^\[\^[^\]\s]{0,12}\]$/u;
/** A quote may contain brackets; the one after the closing quotation mark ends the marker. */
const QUOTED_SO_FAR = /^\[P\d{1,3}\s*[:,]\s*(["“«‘'])/u;
const CLOSED = /["”»’']\s*\]$/u;

/** Parses an answer while it streams, and buffers what could become a marker until it is complete. */
export class MarkReader {
  #held = "";

  push(piece: string): Written[] {
    const out: Written[] = [];
    let plain = "";
    const give = () => {
      if (plain !== "") out.push({ type: "text", text: plain });
      plain = "";
    };
    for (const character of piece) {
      if (this.#held === "" && character !== "[") {
        plain += character;
        continue;
      }
      this.#held += character;
      const claim = this.#judge();
      if (claim === "wait") continue;
      if (typeof claim === "string") plain += claim;
      else {
        give();
        out.push(claim);
      }
    }
    give();
    return out;
  }

  /** The buffered rest at the end: half a marker is not shown. */
  end(): Written[] {
    const held = this.#held;
    this.#held = "";
    return held === "" || COULD_BE_OURS.test(held) || /^\[P\d/.test(held) ? [] : [{ type: "text", text: held }];
  }

  /** The complete marker, the text if it is none, or "wait". */
  #judge(): "wait" | (string & {}) | Extract<Written, { type: "claim" }> {
    const held = this.#held;
    const isOpenQuote = QUOTED_SO_FAR.test(held) && !CLOSED.test(held);
    if (held.endsWith("]") && !isOpenQuote) {
      this.#held = "";
      const mark = MARK.exec(held);
      if (mark) return { type: "claim", passage: Number(mark[1]), quote: (mark[2] ?? "").trim() };
      return OURS.test(held) ? "" : held;
    }
    if (COULD_BE_MARK.test(held) && held.length <= MAX_MARK) return "wait";
    if (COULD_BE_OURS.test(held)) return "wait";
    this.#held = "";
    if (held.length > MAX_MARK) return "";
    // A bracket within what was not a marker may start one.
    const again = held.lastIndexOf("[");
    if (again <= 0) return held;
    this.#held = held.slice(again);
    return held.slice(0, again);
  }
}

/** Our citation marker in an answer's text, after the words that it supports. */
export const markOf = (n: number) => `[^${n}]`;
const OUR_MARK = /\s*\[\^(\d{1,4})\]/g;

/** The text without citation markers, e.g. for copying. */
export const withoutMarks = (text: string) => text.replaceAll(OUR_MARK, "");
