import { Marked, type Token, type Tokens } from "marked";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { limitNesting } from "#shared/text/markdown-markup.ts";
import { BoundedLexer, documentBudget, type ParseBudget } from "./bounded-lexer.ts";
import {
  formulaSyntax,
  lexInline,
  parseInline,
  type ResolveLink,
  removeCitationReferences,
} from "./markdown-inline.ts";
import { plainText } from "./runs.ts";
import { stripHtml } from "./strip-html.ts";
import { tableContent } from "./tables.ts";
import type { Run, TextContent, TextSubType } from "./schema.ts";

/** A component to be created; the caller assigns ids. A file is given by its address and must be fetched first. */
export type NewBlock =
  | { type: "text"; content: TextContent }
  | { type: "code_block"; content: { code: string; language: string } }
  | { type: "equation"; content: { latex: string } }
  | { type: "divider"; content: Record<string, never> }
  | { type: "flash_cards"; content: { title: string; cards: Pick<Flashcard, "question" | "answer">[] } }
  | { type: "file"; content: { address: string; name: string } };

const MAX_INDENT = 20;
/** Lines indented by more spaces than this are code. */
const MAX_LEADING = 3;
const EQUATION = /^\$([^$]+)\$$/;
const DISPLAY = /^ {0,3}\$\$((?:[^$\n]|\n(?!\s*\n))+)\$\$ *(?:\n+|$)/;

/** How far ahead of a line an equation may begin without an empty line before it. */
const MAX_LOOKAHEAD = 4000;

/**
 * The start of the next line that begins with `$$`. It is called for every block, so it reads only the next
 * characters and scans only for dollars. Otherwise a long page would take minutes.
 */
function startOfEquation(rest: string): number | undefined {
  const text = rest.slice(0, MAX_LOOKAHEAD);
  for (let at = text.indexOf("$$"); at !== -1; at = text.indexOf("$$", at + 2)) {
    const line = text.lastIndexOf("\n", at) + 1;
    // Marked leaves out the first character, so the text before the first line break is not the start of a line.
    if (line > 0 && at - line <= MAX_LEADING && !/[^ ]/.test(text.slice(line, at))) return line;
  }
  return undefined;
}

/** Markdown is not parsed between two `$$`, so that a minus at the start of a line does not start a list. */
const markdownParser = new Marked({
  gfm: true,
  extensions: [
    formulaSyntax,
    {
      name: "equation",
      level: "block",
      start: startOfEquation,
      tokenizer(text) {
        const [raw, latex = ""] = DISPLAY.exec(text) ?? [];
        return raw === undefined || latex.trim() === "" ? undefined : { type: "equation", raw, text: latex.trim() };
      },
    },
  ],
});
const DECK_TITLE = /^<!-- flashcards: (.*) -->\s*$/;

const textBlock = (text: Run[], subType: TextSubType, indents = 0): NewBlock => ({
  type: "text",
  content: { text, subType, metadata: { indents: Math.min(indents, MAX_INDENT), highlightColor: null } },
});

const readCells = (cells: readonly Tokens.TableCell[]) =>
  cells.map(({ text }) => removeCitationReferences(text).replaceAll(/<br\s*\/?>/gi, "\n"));

class BlockParser {
  readonly blocks: NewBlock[] = [];
  readonly #resolve: ResolveLink | undefined;
  readonly #budget: ParseBudget;
  #deckTitle = "";

  constructor(resolve: ResolveLink | undefined, budget: ParseBudget) {
    this.#resolve = resolve;
    this.#budget = budget;
  }

  read(tokens: readonly Token[], subType: TextSubType = "normal", indents = 0): void {
    for (const token of tokens) this.#readToken(token, subType, indents);
  }

  #readToken(token: Tokens.Generic, subType: TextSubType, indents: number): void {
    switch (token.type) {
      case "heading":
        return this.#heading(token as Tokens.Heading);
      case "paragraph":
      case "text":
        return this.#paragraph(token, subType, indents);
      case "equation":
        return this.#push({ type: "equation", content: { latex: String(token["text"]) } });
      case "code":
        return this.#code(token as Tokens.Code);
      case "hr":
        return this.#push({ type: "divider", content: {} });
      case "blockquote":
        return this.read(token.tokens ?? [], "block_quote", indents);
      case "list":
        return this.#list(token as Tokens.List, indents);
      case "table":
        return this.#table(token as Tokens.Table);
      case "html":
        return this.#html(token.raw, subType, indents);
      default:
        return undefined;
    }
  }

  #push(block: NewBlock): void {
    this.blocks.push(block);
  }

  #text(runs: Run[], subType: TextSubType, indents = 0): void {
    if (plainText(runs) !== "") this.blocks.push(textBlock(runs, subType, indents));
  }

  /** Three heading levels are supported; deeper ones become bold text. */
  #heading({ depth, tokens }: Tokens.Heading): void {
    const runs = parseInline(tokens, this.#resolve);
    if (depth <= 3) return this.#text(runs, `heading_${depth as 1 | 2 | 3}`);
    this.#text(
      runs.map((run) => ({ ...run, attributes: { ...run.attributes, bold: true } })),
      "normal",
    );
  }

  #paragraph(token: Tokens.Generic, subType: TextSubType, indents: number): void {
    const tokens = token.tokens ?? [];
    const latex = EQUATION.exec(token.raw.trim())?.[1]?.trim();
    if (latex !== undefined && latex !== "") return this.#push({ type: "equation", content: { latex } });
    const inline: Token[] = [];
    const flushText = () => this.#text(parseInline(inline.splice(0), this.#resolve), subType, indents);
    const linked = tokens.filter((child) => child.type === "link" && this.#resolve?.(child.href) === "file");
    for (const child of tokens)
      if (child.type === "image" && !this.#isPage(child as Tokens.Image)) {
        flushText();
        this.#image(child as Tokens.Image);
      } else inline.push(child);
    flushText();
    // The text of a link to a file stays in place, and the file follows below.
    for (const child of linked) this.#image(child as Tokens.Link);
  }

  #isPage({ href }: Tokens.Image): boolean {
    const found = this.#resolve?.(href);
    return found !== undefined && found !== "file";
  }

  #image({ href, text }: Tokens.Image | Tokens.Link): void {
    this.blocks.push({ type: "file", content: { address: href, name: text } });
  }

  #code({ text: read, lang, codeBlockStyle }: Tokens.Code): void {
    // For fenced code that ends with an empty line, the parser includes the line break before the closing fence.
    const text = codeBlockStyle !== "indented" && read.endsWith("\n") ? read.slice(0, -1) : read;
    const language = (lang ?? "").split(/\s/)[0]?.slice(0, 40) ?? "";
    if (language === "math") this.blocks.push({ type: "equation", content: { latex: text.trim() } });
    else this.blocks.push({ type: "code_block", content: { code: text, language } });
  }

  #list({ ordered, items }: Tokens.List, indents: number): void {
    for (const item of items) {
      const box = item.checked === true ? "list_checkbox_checked" : "list_checkbox_unchecked";
      this.#item(item.tokens, item.task ? box : ordered ? "list_ordered" : "list_unordered", indents);
    }
  }

  /** A further paragraph of an item becomes text below it; a nested list is one level deeper. */
  #item(tokens: readonly Token[], subType: TextSubType, indents: number): void {
    let hasWords = false;
    for (const token of tokens) {
      if (token.type === "checkbox" || token.type === "space") continue;
      const isWords = token.type === "text" || token.type === "paragraph";
      this.#readToken(token, isWords && hasWords ? "normal" : subType, hasWords ? indents + 1 : indents);
      hasWords ||= token.type !== "list";
    }
  }

  /** A table headed Question and Answer becomes a deck. */
  #table({ header, rows }: Tokens.Table): void {
    const heads = header.map(({ text }) => text.trim().toLowerCase());
    if (heads.length !== 2 || heads[0] !== "question" || heads[1] !== "answer")
      return this.#push({ type: "text", content: tableContent([header, ...rows].map(readCells)) });
    const cards = rows.map(([question, answer]) => ({
      question: plainText(parseInline(question?.tokens ?? [])),
      answer: plainText(parseInline(answer?.tokens ?? [])),
    }));
    this.blocks.push({ type: "flash_cards", content: { title: this.#deckTitle, cards } });
    this.#deckTitle = "";
  }

  /** Reads the text of HTML and drops its markup. */
  #html(raw: string, subType: TextSubType, indents: number): void {
    const title = DECK_TITLE.exec(raw)?.[1];
    if (title !== undefined) {
      this.#deckTitle = title;
      return;
    }
    for (const line of stripHtml(raw).split("\n"))
      if (line.trim() !== "")
        this.#text(parseInline(lexInline(removeCitationReferences(line), this.#budget)), subType, indents);
  }
}

/**
 * Parses Markdown (CommonMark with GitHub's tables, task lists and strikethrough) into components, by the rules of
 * specification section 5. For notes imported together, `resolve` maps the links between them.
 */
export function parseMarkdownBlocks(text: string, resolve?: ResolveLink): NewBlock[] {
  const budget = documentBudget();
  const reader = new BlockParser(resolve, budget);
  reader.read(new BoundedLexer(markdownParser.defaults, budget).lex(limitNesting(text)));
  return reader.blocks;
}
