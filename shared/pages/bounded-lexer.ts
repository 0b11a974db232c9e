import { Lexer, type Marked, type MarkedOptions, type Token, Tokenizer, type Tokens } from "marked";
import { limitNesting } from "#shared/text/markdown-markup.ts";

/** Characters that may begin or end markup, and escaped characters. */
const DELIMITER = /\\.|[*_~`$<[]/g;
/** How many escaped characters take as much time as a delimiter. */
const ESCAPES_PER_DELIMITER = 8;
/** A text with at most this many delimiters is always parsed. */
const ALWAYS_PARSED = 300;
/** Long runs of spaces are shortened, because Marked rescans the rest of the run at each space. */
const LONG_SPACES = /[ \t]{100,}/g;
const SPACES = " ".repeat(100);
/** Maximum length of a setext heading, the kind above a line of `=` or `-`. */
const MAX_HEADING_CHARS = 1000;

function countDelimiters(text: string): number {
  const found = text.match(DELIMITER) ?? [];
  const escapes = found.filter((delimiter) => delimiter.length > 1).length;
  return found.length - escapes + Math.floor(escapes / ESCAPES_PER_DELIMITER);
}

/** Marked rescans a word at each of its characters, since it may be an email address. */
const MAX_WORD_CHARS = 1000;
/** The end of a longer address is read as text after the link. */
const MAX_ADDRESS_CHARS = 4000;

/** The beginning of a text up to a space; a word is split only if it is very long. */
function cutAtSpace(text: string): string {
  if (text.length <= MAX_WORD_CHARS) return text;
  const space = text.lastIndexOf(" ", MAX_WORD_CHARS);
  return text.slice(0, space > 0 ? space : MAX_WORD_CHARS);
}

/** Longer lists are split, because Marked copies the list so far at each of its lines. */
const MAX_LIST_CHARS = 50_000;
const LIST_START = /^( {0,3})(?:[*+-]|\d{1,9}[.)])\s/;
const LIST_ITEM = /\n( {0,3})(?:[*+-]|\d{1,9}[.)])\s/g;
/** How far before the cut to look for the start of an item. */
const MAX_ITEM_CHARS = 5_000;

/**
 * The beginning of a very long list, up to an item or at least a line; the text after it becomes another list. An item
 * that is indented no deeper than the first is preferred, because a nested item would lose its level.
 */
function cutAtItem(text: string): string {
  const [, firstIndent] = LIST_START.exec(text) ?? [];
  if (text.length <= MAX_LIST_CHARS || firstIndent === undefined) return text;
  const start = MAX_LIST_CHARS - MAX_ITEM_CHARS;
  const items = [...text.slice(start, MAX_LIST_CHARS).matchAll(LIST_ITEM)];
  const item = items.findLast(([, indent = ""]) => indent.length <= firstIndent.length) ?? items.at(-1);
  const line = text.lastIndexOf("\n", MAX_LIST_CHARS);
  return text.slice(0, item ? start + item.index : line > 0 ? line : text.length);
}

/** The work that parsing one document may take. */
export interface ParseBudget {
  /** For each of its texts, the square of the number of delimiters. */
  inline: number;
  /** Characters that are scanned for the line below a setext heading. */
  headings: number;
  /** Cells of its tables, including empty cells that are added to short rows. */
  cells: number;
}

/** The budget of a document: a few seconds of work. */
export const documentBudget = (): ParseBudget => ({ inline: 20_000_000, headings: 200_000_000, cells: 500_000 });
/** The budget of a single text: 2,000 delimiters. */
export const textBudget = (): ParseBudget => ({ ...documentBudget(), inline: 4_000_000 });

/** Adds limits to those rules of Marked whose work grows with the square of a document's length. */
class BoundedTokenizer extends Tokenizer {
  readonly #budget: ParseBudget;

  constructor(budget: ParseBudget) {
    super();
    this.#budget = budget;
  }

  /** In a list, Marked rescans the rest of the item at each line for the line below a setext heading. */
  override lheading(src: string): Tokens.Heading | undefined {
    const end = src.length <= MAX_HEADING_CHARS ? src.length : src.lastIndexOf("\n", MAX_HEADING_CHARS);
    if (end <= 0 || end > this.#budget.headings) return undefined;
    this.#budget.headings -= end;
    return super.lheading(src.slice(0, end));
  }

  override list(src: string): Tokens.List | undefined {
    return super.list(cutAtItem(src));
  }

  override inlineText(src: string): Tokens.Text | undefined {
    return super.inlineText(cutAtSpace(src));
  }

  override url(src: string): Tokens.Link | undefined {
    return super.url(src.slice(0, MAX_ADDRESS_CHARS));
  }

  /**
   * Limits cells, because each row is filled up to the width of the header, so wide headers above many rows are costly.
   */
  override table(src: string): Tokens.Table | undefined {
    const [, header = "", , rows = ""] = this.rules.block.table.exec(src) ?? [];
    const cells = (header.split("|").length + 1) * (rows.split("\n").length + 1);
    if (cells > this.#budget.cells) return undefined;
    if (header !== "") this.#budget.cells -= cells;
    return super.table(src);
  }
}

/** Marked's lexer with a limit on its work. Text that exceeds the remaining budget is read as plain text. */
export class BoundedLexer extends Lexer {
  readonly #budget: ParseBudget;

  constructor(options: MarkedOptions, budget: ParseBudget) {
    super({ ...options, tokenizer: new BoundedTokenizer(budget) });
    this.#budget = budget;
  }

  /** Limits the delimiters, because the work grows with the square of their number in one text. */
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const text = source.replaceAll(LONG_SPACES, SPACES);
    const delimiters = countDelimiters(text);
    if (delimiters <= ALWAYS_PARSED) return super.inlineTokens(text, tokens);
    const work = delimiters ** 2;
    if (work <= this.#budget.inline) {
      this.#budget.inline -= work;
      return super.inlineTokens(text, tokens);
    }
    tokens.push({ type: "text", raw: text, text });
    return tokens;
  }
}

/** The tokens of one text, with bounded nesting and within the budget of a text. */
export const lexText = (parser: Marked, text: string): Token[] =>
  new BoundedLexer(parser.defaults, textBudget()).lex(limitNesting(text));
