import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitFormulas } from "#shared/text/formulas.ts";
import { readTable } from "./document.ts";
import { lexInline, parseInline } from "./markdown-inline.ts";
import { flatRuns, type FlatRun } from "./runs.ts";
import type { Component, FileContent, Run, TextContent, TextSubType } from "./schema.ts";
import { writeTable } from "./tables.ts";

/** Escapes characters that would be read as markup. */
function escapeWords(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>~$|&]|(?<=\])\(/g, String.raw`\$&`)
    .replaceAll(/:(?=\/\/)/g, String.raw`\:`)
    .replaceAll("@", String.raw`\@`)
    .replaceAll(/\bwww\./gi, (found) => `${found.slice(0, -1)}\\.`)
    .replaceAll("!\\[", String.raw`\!\[`);
}

/** Escapes characters that would start a heading, a list or a rule at the start of a line. */
const escapeStart = (line: string) =>
  line.replace(/^(\s*)([#+=-])/, String.raw`$1\$2`).replace(/^(\s*\d{1,9})([.)])/, String.raw`$1\$2`);

/** `formulas` writes formulas unchanged; the other styles escape their dollars. `tags` writes HTML. */
type Style = "formulas" | "marks" | "tags";

const marks = {
  bold: ["**", "**"],
  italic: ["*", "*"],
  strikethrough: ["~~", "~~"],
  underline: ["<u>", "</u>"],
} as const;
const pairs = {
  formulas: marks,
  marks,
  tags: {
    bold: ["<strong>", "</strong>"],
    italic: ["<em>", "</em>"],
    strikethrough: ["<s>", "</s>"],
    underline: ["<u>", "</u>"],
  },
} as const;

function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${text}${fence}`;
}

/** A closing bracket before a colon could be read as a link reference definition. */
const isPlainCode = (text: string) =>
  /^[^`\n]+$/.test(text) && text.trim() === text && text !== "" && !text.includes("]:");

function writeRunText({ content, attributes = {} }: FlatRun, style: Style): string {
  // A hard line break at the end of a style is not recognised as Markdown, so it is written as a tag.
  const escape = (text: string) => escapeWords(text).replaceAll("\n", style === "tags" ? "<br>" : "\\\n");
  if (attributes.inline_code !== true)
    return style === "formulas"
      ? splitFormulas(content)
          .map(({ text, isFormula }) => (isFormula ? `$${text}$` : escape(text)))
          .join("")
      : escape(content);
  return isPlainCode(content) ? codeSpan(content) : `<code>${escapeWords(content).replaceAll("\n", "<br>")}</code>`;
}

const TARGET = /[()<>\s\\|]/g;
const targetOf = ({ kind, target }: NonNullable<FlatRun["reference"]>) =>
  kind === "link"
    ? target.replaceAll(TARGET, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`)
    : `lamplight:${kind}/${encodeURIComponent(target)}`;

function writeRun(run: FlatRun, style: Style): string {
  const { attributes = {}, reference } = run;
  const { content } = run;
  // Spaces at the edges must be outside the delimiters, or Markdown does not recognise them.
  const coreAt = style === "tags" ? 0 : content.length - content.trimStart().length;
  const coreEnd = style === "tags" ? content.length : Math.max(coreAt, content.trimEnd().length);
  const core = content.slice(coreAt, coreEnd);
  if (core === "" && style !== "tags") return content.replaceAll("\n", "\\\n");
  let text = writeRunText({ ...run, content: core }, style);
  for (const name of ["bold", "italic", "strikethrough", "underline"] as const) {
    const [open, close] = pairs[style][name];
    if (attributes[name] === true) text = `${open}${text}${close}`;
  }
  if (attributes.color !== undefined) text = `<span style="color:${attributes.color}">${text}</span>`;
  if (reference) text = `[${text}](${targetOf(reference)})`;
  return content.slice(0, coreAt) + text + content.slice(coreEnd);
}

const isSameText = (a: readonly Run[], b: readonly Run[]) =>
  JSON.stringify(flatRuns(a)) === JSON.stringify(flatRuns(b));

/** Runs as Markdown; if it would not be parsed back to the same runs, as HTML tags. */
export function writeInline(runs: readonly Run[]): string {
  const flat = flatRuns(runs);
  const written = (style: Style) => flat.map((run) => writeRun(run, style)).join("");
  for (const style of ["formulas", "marks"] as const) {
    const asMarkdown = written(style);
    if (isSameText(parseInline(lexInline(asMarkdown)), flat)) return asMarkdown;
  }
  return written("tags");
}

const escapeLineStarts = (text: string) => text.split("\n").map(escapeStart).join("\n");

const linePrefixes: Readonly<Record<TextSubType, string>> = {
  normal: "",
  heading_1: "# ",
  heading_2: "## ",
  heading_3: "### ",
  block_quote: "> ",
  list_unordered: "- ",
  list_ordered: "",
  list_checkbox_checked: "- [x] ",
  list_checkbox_unchecked: "- [ ] ",
};

const cell = (text: string) => escapeWords(text.trim()).replaceAll(/\r\n?|\n/g, "<br>");

export function deckTable(title: string, cards: readonly Pick<Flashcard, "question" | "answer">[]): string {
  const name = title.replaceAll(/\s+/g, " ").replaceAll("--", "– ").trim();
  const heading = name === "" ? "" : `<!-- flashcards: ${name} -->\n\n`;
  const rows = cards.map(({ question, answer }) => `| ${cell(question)} | ${cell(answer)} |`);
  return `${heading}${["| Question | Answer |", "| --- | --- |", ...rows].join("\n")}`;
}

function codeFence(code: string, language: string): string {
  const longest = Math.max(2, ...(code.match(/^ {0,3}`+/gm) ?? []).map((ticks) => ticks.trim().length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language.replaceAll(/[\s`]/g, "")}\n${code}\n${fence}`;
}

interface Level {
  subType: TextSubType;
  count: number;
  /** Indentation of nested content, in columns. */
  width: number;
}

export interface WriteOptions {
  /** The link target of a file: a relative path or an address. */
  addressOf: (component: Component) => string;
}

/** Writes blocks in order and tracks the indentation and numbering of lists. */
export class MarkdownWriter {
  readonly #levels: Level[] = [];
  readonly #options: WriteOptions;
  #text = "";
  #last = "";

  constructor(options: WriteOptions) {
    this.#options = options;
  }

  add(component: Component): void {
    if (component.type === "text" && component.content.subType.startsWith("list_")) return this.#item(component);
    this.#levels.length = 0;
    const block = this.#blockOf(component);
    if (block !== undefined) this.#put(block, component.type === "text" ? component.content.subType : component.type);
  }

  toString(): string {
    return this.#text === "" ? "" : `${this.#text}\n`;
  }

  #put(block: string, kind: string): void {
    const isTight = kind.startsWith("list_") && this.#last.startsWith("list_");
    // A blank line separates blocks; items of one list and lines of one quote stay together.
    this.#text += (this.#text === "" ? "" : isTight ? "\n" : "\n\n") + block;
    this.#last = kind;
  }

  #item({ content }: Extract<Component, { type: "text" }>): void {
    const { subType, text, metadata } = content;
    const depth = Math.min(metadata.indents, this.#levels.length);
    this.#levels.length = Math.min(this.#levels.length, depth + 1);
    const openLevel = this.#levels[depth];
    const isNext = openLevel?.subType === subType;
    const count = isNext ? openLevel.count + 1 : 1;
    const prefix = subType === "list_ordered" ? `${count}. ` : linePrefixes[subType];
    const indentColumns = this.#levels.slice(0, depth).reduce((sum, level) => sum + level.width, 0);
    this.#levels[depth] = { subType, count, width: subType === "list_ordered" ? prefix.length : 2 };
    const words = escapeLineStarts(writeInline(text)).replaceAll(
      "\n",
      `\n${" ".repeat(indentColumns + prefix.length)}`,
    );
    this.#put(`${" ".repeat(indentColumns)}${prefix}${words}`, subType);
  }

  #blockOf(component: Component): string | undefined {
    switch (component.type) {
      case "text":
        return writeText(component.content);
      case "code_block":
        return codeFence(component.content.code, component.content.language);
      case "equation":
        return writeEquation(component.content.latex);
      case "divider":
        return "---";
      case "flash_cards":
        return deckTable(component.content.title, component.content.cards);
      case "assistant_message":
        return component.content.text.trim() || undefined;
      case "chat":
        return undefined;
      case "image":
      case "video":
        return component.content.isArchived
          ? undefined
          : writeFile(component.content, this.#options.addressOf(component));
      default:
        return component satisfies never;
    }
  }
}

/** A formula that contains its own delimiter is written as a fenced block. */
function writeEquation(latex: string): string | undefined {
  const source = latex.trim();
  if (/\$|\n\s*\n/.test(source)) return codeFence(source, "math");
  return source === "" ? undefined : `$$\n${source}\n$$`;
}

/** A heading must be on one line. */
const withoutLineBreaks = (runs: readonly Run[]): Run[] =>
  flatRuns(runs).map((run) => ({ ...run, content: run.content.replaceAll("\n", " ") }));

function writeText(content: TextContent): string | undefined {
  const table = readTable(content);
  if (table) return writeTable(table);
  const { subType, text } = content;
  const prefix = linePrefixes[subType];
  // Number signs at the end of a heading would close it.
  if (prefix.startsWith("#"))
    return prefix + writeInline(withoutLineBreaks(text)).replace(/(^|\s)(#+\s*)$/, String.raw`$1\$2`);
  const written = writeInline(text);
  if (subType === "normal") return escapeLineStarts(written) || undefined;
  return escapeLineStarts(written).replaceAll(/^/gm, prefix);
}

const writeFile = ({ title, file }: FileContent, target: string) =>
  `![${escapeWords(title || file.name)}](${targetOf({ kind: "link", target })})`;

/** A page as Markdown; `parseMarkdownBlocks` restores everything that Markdown can represent. */
export function writeMarkdown(components: readonly Component[], options: WriteOptions): string {
  const writer = new MarkdownWriter(options);
  for (const component of components) writer.add(component);
  return writer.toString();
}
