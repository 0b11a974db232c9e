import { Marked, type Token, type TokenizerAndRendererExtension } from "marked";
import { lexText } from "#shared/pages/bounded-lexer.ts";

/** The parser searches for our syntax at every step, so a search must not read all remaining text. */
const MAX_LOOKAHEAD = 1000;

/** The index of the next `mark`, or the index from which to search again if it is not within the lookahead. */
function findStart(text: string, mark: string): number | undefined {
  const at = text.slice(0, MAX_LOOKAHEAD).indexOf(mark);
  if (at !== -1) return at;
  return text.length > MAX_LOOKAHEAD ? MAX_LOOKAHEAD - mark.length + 1 : undefined;
}

/** `[^3]`: the third citation of the answer. */
const citation: TokenizerAndRendererExtension = {
  name: "citation",
  level: "inline",
  start: (text) => findStart(text, "[^"),
  tokenizer(text) {
    const found = /^\[\^(\d{1,4})\]/.exec(text);
    return found ? { type: "citation", raw: found[0], n: Number(found[1]) } : undefined;
  },
};

/** `$x$` and `$$x$$`, by Pandoc's rules, so that most amounts of money are not maths. */
const maths: TokenizerAndRendererExtension = {
  name: "maths",
  level: "inline",
  start: (text) => findStart(text, "$"),
  tokenizer(text) {
    const found = /^\$\$([^$]{1,4000}?)\$\$/.exec(text) ?? /^\$(?!\s)([^$\n]{1,1000}?)(?<!\s)\$(?!\d)/.exec(text);
    if (!found) return undefined;
    return { type: "maths", raw: found[0], latex: (found[1] ?? "").trim(), isBlock: found[0].startsWith("$$") };
  },
};

const parser = new Marked({ gfm: true, extensions: [citation, maths] });

/**
 * An answer's Markdown as tokens. No HTML is generated: the renderer creates elements only for token types it supports.
 */
export const parseAnswerMarkdown = (text: string): Token[] => lexText(parser, text);
