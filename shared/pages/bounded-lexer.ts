import { Lexer, type MarkedOptions, type Token } from "marked";

/** What may begin or end markup, or an escaped character. */
const DELIMITER = /\\.|[*_~`$<[]/g;
/** How many escaped characters take as much time as a delimiter. */
const ESCAPES_PER_DELIMITER = 8;
/** Fewer delimiters in one text are always parsed. */
const ALWAYS_PARSED = 300;

function countDelimiters(text: string): number {
  const found = text.match(DELIMITER) ?? [];
  const escapes = found.filter((each) => each.length > 1).length;
  return found.length - escapes + Math.floor(escapes / ESCAPES_PER_DELIMITER);
}

/**
 * Marked's lexer with a limit on its work, which grows with the square of the delimiters in one text: a text with so many delimiters that it does not fit into the rest of
 * `budget` (the sum of their squares) is read as plain text.
 */
export class BoundedLexer extends Lexer {
  #budget: number;

  constructor(options: MarkedOptions, budget: number) {
    super(options);
    this.#budget = budget;
  }

  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    const delimiters = countDelimiters(text);
    if (delimiters <= ALWAYS_PARSED) return super.inlineTokens(text, tokens);
    const work = delimiters ** 2;
    if (work <= this.#budget) {
      this.#budget -= work;
      return super.inlineTokens(text, tokens);
    }
    tokens.push({ type: "text", raw: text, text });
    return tokens;
  }
}
