import type { Passage } from "#shared/pdf/schema.ts";
import { captionOf, frontMatterLines, isDirective, plainMarkdown } from "./markdown-markup.ts";

type Range = [number, number];
interface Styled {
  text: string;
  bold: Range[];
  italic: Range[];
}

const INLINE_MARKUP = /(\*\*\*|\*\*|__|\*|_|`)(?=\S)([^*_`\n]{1,200}?)(?<=\S)\1/g;
const LINK = /!?\[([^[\]\n]{0,200})\]\([^)\s]{0,500}\)/g;

/** Turns emphasis marks into ranges and removes them from the text. */
function readEmphasis(source: string): Styled {
  const plain = plainMarkdown(source).replace(LINK, "$1");
  const styled: Styled = { text: "", bold: [], italic: [] };
  let at = 0;
  for (const match of plain.matchAll(INLINE_MARKUP)) {
    const [whole, delimiter = "", inner = ""] = match;
    const insideWord = /[\p{L}\p{N}]/u.test(plain[match.index - 1] ?? "") && delimiter.startsWith("_");
    if (insideWord) continue;
    styled.text += plain.slice(at, match.index);
    const start = styled.text.length;
    styled.text += inner;
    const range: Range = [start, styled.text.length];
    if (delimiter === "**" || delimiter === "__" || delimiter === "***") styled.bold.push(range);
    else if (delimiter !== "`") styled.italic.push(range);
    at = match.index + whole.length;
  }
  styled.text += plain.slice(at);
  return styled;
}

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const BULLET = /^(?:[-*+•◦▪‣–]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/;
const RULE = /^(?:[-*_=]\s*){3,}$/;

/** A short capitalised line without an end mark above more text is a heading. */
function looksLikeHeading(line: string, next: string | undefined): boolean {
  if (line.length > 80 || /[.,;:!?]$/.test(line) || !/^[\p{Lu}\p{N}]/u.test(line)) return false;
  return line.split(/\s+/).length <= 9 && next !== undefined && next.trim().length > line.length;
}

class PlainTextReader {
  readonly passages: Passage[] = [];
  #lines: string[] = [];
  #open: "paragraph" | "list_item" = "paragraph";

  #push(styled: Styled, kind: Passage["kind"], level?: number) {
    if (styled.text.trim() === "") return;
    const id = `t${this.passages.length + 1}`;
    this.passages.push({ id, ...styled, kind, ...(level === undefined ? {} : { level }), locator: {} });
  }

  flush() {
    if (this.#lines.length > 0) this.#push(readEmphasis(this.#lines.join(" ")), this.#open);
    this.#lines = [];
    this.#open = "paragraph";
  }

  addHeading(text: string, level: number) {
    this.flush();
    const { text: plain } = readEmphasis(text);
    this.#push({ text: plain, bold: [], italic: [] }, "heading", level);
  }

  addItem(text: string) {
    this.flush();
    this.#open = "list_item";
    this.#lines.push(text);
  }

  addRow(text: string) {
    this.flush();
    this.#push(readEmphasis(text), "table_row");
  }

  addCaption(text: string) {
    this.flush();
    this.#push({ text, bold: [], italic: [] }, "caption");
  }

  addCode(text: string) {
    this.flush();
    this.#push({ text, bold: [], italic: [] }, "code");
  }

  addLine(text: string) {
    this.#lines.push(text);
  }

  get isBetweenBlocks() {
    return this.#lines.length === 0;
  }
}

/** Whether a line ends its block. Notes often have a sentence on each line, without blank lines between them. */
const isBlockEnd = (line: string) => /[.!?:;]["”’)]?$/.test(line) || line.length < 60;

/** For each line, the next one that is not blank. */
function followingLines(lines: readonly string[]): (string | undefined)[] {
  const nexts: (string | undefined)[] = [];
  let next: string | undefined;
  for (let i = lines.length - 1; i >= 0; i--) {
    nexts[i] = next;
    if (lines[i]?.trim() !== "") next = lines[i];
  }
  return nexts;
}

/** Parses pasted text, plain or in simple Markdown, into passages without pages. */
export function passagesFromText(text: string): Passage[] {
  const lines = text.replaceAll("\u0000", "").split(/\r\n|[\n\r\u2028\u2029]/);
  const isWrapped = lines.filter((l) => l.trim() === "").length > 0;
  const reader = new PlainTextReader();
  const nexts = followingLines(lines);
  let fence: string[] | undefined;
  const first = frontMatterLines(lines);
  for (const [i, raw] of lines.entries()) {
    if (i < first) continue;
    const line = raw.trim();
    if (/^(?:```|~~~)/.test(line)) {
      if (fence) reader.addCode(fence.join("\n"));
      fence = fence ? undefined : [];
    } else if (fence) fence.push(raw);
    else readLine(reader, line, { next: nexts[i], isWrapped });
  }
  if (fence) reader.addCode(fence.join("\n"));
  reader.flush();
  return reader.passages;
}

function readLine(reader: PlainTextReader, line: string, context: { next: string | undefined; isWrapped: boolean }) {
  if (line === "" || RULE.test(line.slice(0, 200)) || isDirective(line)) return reader.flush();
  const caption = captionOf(line);
  if (caption !== undefined) return reader.addCaption(caption);
  if (readMarkedLine(reader, line)) return;
  if (reader.isBetweenBlocks && looksLikeHeading(line, context.next)) return reader.addHeading(line, 2);
  reader.addLine(line.replace(/^>\s?/, ""));
  if (!context.isWrapped && isBlockEnd(line)) reader.flush();
}

function readMarkedLine(reader: PlainTextReader, line: string): boolean {
  const [, delimiters, title] = line.length < 300 ? (HEADING.exec(line) ?? []) : [];
  const item = BULLET.exec(line)?.[1];
  if (title !== undefined) reader.addHeading(title, delimiters?.length ?? 1);
  else if (item !== undefined) reader.addItem(item);
  else return readRow(reader, line);
  return true;
}

function readRow(reader: PlainTextReader, line: string): boolean {
  const isRow = line.startsWith("|") && line.endsWith("|");
  if (isRow && /[^|\s:-]/.test(line)) reader.addRow(line.slice(1, -1));
  return isRow;
}
