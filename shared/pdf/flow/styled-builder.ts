import type { StyledText, TextRange } from "../layout/styled-text.ts";
import { trimStyled } from "../layout/styled-text.ts";

export interface Emphasis {
  isBold: boolean;
  isItalic: boolean;
}

export const PLAIN: Emphasis = { isBold: false, isItalic: false };

/** Builds a block's text run by run and collapses white space. */
export class StyledBuilder {
  #text = "";
  readonly #bold: TextRange[] = [];
  readonly #italic: TextRange[] = [];

  add(text: string, { isBold, isItalic }: Emphasis = PLAIN): void {
    const clean = text.replaceAll(/[^\S\t\n]+/gu, " ");
    const piece = /\s$/u.test(this.#text.slice(-1)) || this.#text === "" ? clean.replace(/^[^\S\t\n]+/u, "") : clean;
    if (piece === "") return;
    const range: TextRange = [this.#text.length, this.#text.length + piece.length];
    this.#text += piece;
    if (isBold) extend(this.#bold, range);
    if (isItalic) extend(this.#italic, range);
  }

  /** Appends finished text, such as a cell. */
  append({ text, bold, italic }: StyledText): void {
    const shift = this.#text.length;
    this.#text += text;
    for (const [from, to] of bold) extend(this.#bold, [from + shift, to + shift]);
    for (const [from, to] of italic) extend(this.#italic, [from + shift, to + shift]);
  }

  get isBlank(): boolean {
    return this.#text.trim() === "";
  }

  get isEmpty(): boolean {
    return this.#text === "";
  }

  finish(): StyledText {
    return trimStyled({ text: this.#text, bold: this.#bold, italic: this.#italic });
  }
}

/** Two emphasised runs separated only by a space are one term. */
function extend(ranges: TextRange[], range: TextRange): void {
  const last = ranges.at(-1);
  if (last && range[0] - last[1] <= 1) last[1] = range[1];
  else ranges.push(range);
}
