/** What a model wrote, taken apart: words, and claims that words stand in a passage. */
export type Written = { type: "text"; text: string } | { type: "claim"; passage: number; quote: string };

/** A mark that does not end within this is none, and its words are not shown: they were never checked. */
const MAX_MARK = 1200;

/** `[P3: "words of the passage"]`, with the quote marks that models like, or `[P3]`. */
const MARK = /^\[P(\d{1,3})\s*(?:[:,]\s*["“”«'‘]?([\s\S]*?)["“”»'’]?\s*)?\]$/u;
const COULD_BE_MARK = /^\[(?:P(?:\d{1,3}(?:\s*(?:[:,][\s\S]*)?)?)?)?$/u;
/** Marks of our own form that a model made up would look like checked ones. */
const COULD_BE_OURS = /^\[(?:\^[^\]\s]{0,12})?$/u;
const OURS = /^\[\^[^\]\s]{0,12}\]$/u;
/** A quote may hold brackets; the one behind a closing quote mark ends it. */
const QUOTED_SO_FAR = /^\[P\d{1,3}\s*[:,]\s*(["“«‘'])/u;
const CLOSED = /["”»’']\s*\]$/u;

/** Reads an answer as it is written, and holds back what could become a mark until it is whole. */
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

  /** What was held at the end: half a mark is not shown. */
  end(): Written[] {
    const held = this.#held;
    this.#held = "";
    return held === "" || COULD_BE_OURS.test(held) || /^\[P\d/.test(held) ? [] : [{ type: "text", text: held }];
  }

  /** The mark that is whole now, the words that are none, or "wait". */
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
    // A bracket within what was no mark may begin one.
    const again = held.lastIndexOf("[");
    if (again <= 0) return held;
    this.#held = held.slice(again);
    return held.slice(0, again);
  }
}

/** Our own mark of a citation in the text of an answer, behind the words that it proves. */
export const markOf = (n: number) => `[^${n}]`;
const OUR_MARK = /\s*\[\^(\d{1,4})\]/g;

/** The words alone, as for copying. */
export const withoutMarks = (text: string) => text.replaceAll(OUR_MARK, "");
