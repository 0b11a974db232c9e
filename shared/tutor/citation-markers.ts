/** A parsed part of a model's output: text, or the claim that a passage contains a quote. */
export type ModelOutput = { type: "text"; text: string } | { type: "claim"; passage: number; quote: string };

/** A longer unclosed marker is dropped with its text, which was never verified. */
const MAX_MARKER_CHARS = 1200;

/** `[P3: "words of the passage"]`, with the quotation marks that models use, or `[P3]`. */
const MARKER = /^\[P(\d{1,3})\s*(?:[:,]\s*["“”«'‘]?([\s\S]*?)["“”»'’]?\s*)?\]$/u;
const MARKER_PREFIX = /^\[(?:P(?:\d{1,3}(?:\s*(?:[:,][\s\S]*)?)?)?)?$/u;
/** Markers in our own format are removed, because a model's invented marker would look like a verified one. */
const OWN_MARKER_PREFIX = /^\[(?:\^[^\]\s]{0,12})?$/u;
const OWN_MARKER = /^\[\^[^\]\s]{0,12}\]$/u;
/** A quote may contain brackets; the bracket after the closing quotation mark ends the marker. */
const OPEN_QUOTE = /^\[P\d{1,3}\s*[:,]\s*(["“«‘'])/u;
const CLOSED_QUOTE = /["”»’']\s*\]$/u;

/** Parses an answer while it streams, and buffers what could become a marker until it is complete. */
export class CitationMarkerParser {
  #buffer = "";

  push(piece: string): ModelOutput[] {
    const out: ModelOutput[] = [];
    let plain = "";
    const flushText = () => {
      if (plain !== "") out.push({ type: "text", text: plain });
      plain = "";
    };
    for (const character of piece) {
      if (this.#buffer === "" && character !== "[") {
        plain += character;
        continue;
      }
      this.#buffer += character;
      const claim = this.#classifyBuffer();
      if (claim === "wait") continue;
      if (typeof claim === "string") plain += claim;
      else {
        flushText();
        out.push(claim);
      }
    }
    flushText();
    return out;
  }

  /** Returns the buffered text at the end of the answer; an incomplete marker is dropped. */
  end(): ModelOutput[] {
    const buffer = this.#buffer;
    this.#buffer = "";
    return buffer === "" || OWN_MARKER_PREFIX.test(buffer) || /^\[P\d/.test(buffer)
      ? []
      : [{ type: "text", text: buffer }];
  }

  /** The complete marker, the text if it is not a marker, or "wait". */
  #classifyBuffer(): "wait" | (string & {}) | Extract<ModelOutput, { type: "claim" }> {
    const buffer = this.#buffer;
    const isOpenQuote = OPEN_QUOTE.test(buffer) && !CLOSED_QUOTE.test(buffer);
    if (buffer.endsWith("]") && !isOpenQuote) {
      this.#buffer = "";
      const marker = MARKER.exec(buffer);
      if (marker) return { type: "claim", passage: Number(marker[1]), quote: (marker[2] ?? "").trim() };
      return OWN_MARKER.test(buffer) ? "" : buffer;
    }
    if (MARKER_PREFIX.test(buffer) && buffer.length <= MAX_MARKER_CHARS) return "wait";
    if (OWN_MARKER_PREFIX.test(buffer)) return "wait";
    this.#buffer = "";
    if (buffer.length > MAX_MARKER_CHARS) return "";
    // The buffer is not a marker, but a bracket within it may start one.
    const nextBracket = buffer.lastIndexOf("[");
    if (nextBracket <= 0) return buffer;
    this.#buffer = buffer.slice(nextBracket);
    return buffer.slice(0, nextBracket);
  }
}

/** Our citation marker in an answer's text, after the words that it supports. */
export const citationMarker = (n: number) => `[^${n}]`;
const CITATION_MARKER = /\s*\[\^(\d{1,4})\]/g;

/** The text without citation markers, e.g. for copying. */
export const removeCitationMarkers = (text: string) => text.replaceAll(CITATION_MARKER, "");
