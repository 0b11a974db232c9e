import type { FlowBlock } from "#shared/pdf/flow/sections.ts";
import { type Emphasis, PLAIN, StyledBuilder } from "#shared/pdf/flow/styled-builder.ts";
import type { PassageKind } from "#shared/pdf/schema.ts";
import { getLocalName, type XmlElement } from "./xml.ts";

const SKIPPED = new Set(
  "script style noscript template iframe object embed svg canvas audio video head title nav form button select input textarea dialog".split(
    " ",
  ),
);
const BLOCKS = new Set(
  "p div section article main header footer aside blockquote ul ol dl dt dd figure hgroup address details summary body center fieldset".split(
    " ",
  ),
);
const BOLD = new Set(["b", "strong", "dfn", "mark", "th"]);
const ITALIC = new Set(["i", "em", "cite", "var"]);
const TEXT_NODE = 3;
const ELEMENT_NODE = 1;
/** Deeper nesting is an accident or an attack; its content is omitted. */
const MAX_DEPTH = 400;

interface Setting extends Emphasis {
  kind: PassageKind;
  level?: number;
  depth: number;
}

/** The text blocks of a page in reading order; notes follow the block that refers to them. */
export function readBlocks(body: XmlElement): FlowBlock[] {
  const reader = new BlockReader(findNotes(body));
  reader.walk(body, { ...PLAIN, kind: "paragraph", depth: 0 });
  reader.flush();
  return reader.blocks;
}

const NOTE_ID = /^(?:footnote|endnote)-\d+$/u;

/** Notes as the Word converter writes them: items of a final list, each with an id. */
function findNotes(body: XmlElement): Map<string, XmlElement> {
  const notes = new Map<string, XmlElement>();
  const last = Array.from(body.children).at(-1);
  if (!last || getLocalName(last) !== "ol") return notes;
  for (const item of Array.from(last.children)) {
    const id = item.getAttribute("id") ?? "";
    if (NOTE_ID.test(id)) notes.set(id, item);
  }
  return notes;
}

class BlockReader {
  readonly blocks: FlowBlock[] = [];
  readonly #notes: Map<string, XmlElement>;
  readonly #noteItems: ReadonlySet<XmlElement>;
  #open = new StyledBuilder();
  #setting: Pick<FlowBlock, "kind" | "level"> = { kind: "paragraph" };
  #referencedNotes: XmlElement[] = [];

  constructor(notes: Map<string, XmlElement>) {
    this.#notes = notes;
    this.#noteItems = new Set(notes.values());
  }

  walk(node: XmlElement, setting: Setting): void {
    for (const child of Array.from(node.childNodes)) {
      if (child.nodeType === TEXT_NODE) this.#addText(child.textContent ?? "", setting);
      else if (child.nodeType === ELEMENT_NODE) this.#readElement(child, { ...setting, depth: setting.depth + 1 });
    }
  }

  flush(): void {
    const open = this.#open;
    this.#open = new StyledBuilder();
    if (!open.isBlank) this.blocks.push(asHeading({ ...open.finish(), ...this.#setting }));
    const notes = this.#referencedNotes;
    this.#referencedNotes = [];
    for (const note of notes) this.#readNote(note);
  }

  #addText(text: string, setting: Setting): void {
    if (this.#open.isEmpty) this.#setting = toKind(setting);
    this.#open.add(setting.kind === "code" ? text : text.replaceAll("\n", " "), setting);
  }

  #readElement(element: XmlElement, setting: Setting): void {
    const name = getLocalName(element).toLowerCase();
    if (SKIPPED.has(name) || setting.depth > MAX_DEPTH || isHidden(element) || this.#noteItems.has(element)) return;
    if (name === "br") return this.#addText(setting.kind === "code" ? "\n" : " ", setting);
    if (this.#isReference(element, name)) return;
    const inner = settingInside(name, setting);
    if (name === "tr") return this.#readRow(element, setting);
    if (inner === undefined) return this.walk(element, withEmphasis(name, setting));
    this.flush();
    this.walk(element, inner);
    this.flush();
  }

  /** The number of a note reference is not part of the sentence. */
  #isReference(element: XmlElement, name: string): boolean {
    if (name !== "a") return false;
    const target = (element.getAttribute("href") ?? "").replace(/^#/u, "");
    if (/^(?:footnote|endnote)-ref-\d+$/u.test(target)) return true;
    const note = this.#notes.get(target);
    if (note) this.#referencedNotes.push(note);
    return note !== undefined;
  }

  #readNote(item: XmlElement): void {
    this.walk(item, { ...PLAIN, kind: "footnote", depth: 1 });
    this.flush();
  }

  /** A table row is one line with tabs between cells; a table with a single cell is only a frame. */
  #readRow(row: XmlElement, setting: Setting): void {
    const cells = Array.from(row.children).filter((cell) => /^t[dh]$/u.test(getLocalName(cell).toLowerCase()));
    const [only] = cells;
    this.flush();
    if (cells.length === 1 && only) {
      this.walk(only, setting);
      return this.flush();
    }
    this.#setting = { kind: "table_row" };
    cells.forEach((cell, index) => {
      if (index > 0) this.#open.add("\t");
      const styled = new StyledBuilder();
      this.#readCell(cell, { ...setting, depth: setting.depth + 1 }, styled);
      this.#open.append(styled.finish());
    });
    this.flush();
  }

  #readCell(cell: XmlElement, setting: Setting, styled: StyledBuilder): void {
    for (const child of Array.from(cell.childNodes)) {
      if (child.nodeType === TEXT_NODE) styled.add((child.textContent ?? "").replaceAll(/[\t\n]/gu, " "), setting);
      if (child.nodeType !== ELEMENT_NODE) continue;
      const name = getLocalName(child).toLowerCase();
      if (SKIPPED.has(name) || setting.depth > MAX_DEPTH || this.#isReference(child, name)) continue;
      this.#readCell(child, { ...withEmphasis(name, setting), depth: setting.depth + 1 }, styled);
      if (BLOCKS.has(name) || /^(?:li|tr|td|th|br)$/u.test(name)) styled.add(" ");
    }
  }
}

function toKind({ kind, level }: Setting): Pick<FlowBlock, "kind" | "level"> {
  return level === undefined ? { kind } : { kind, level };
}

/** The setting inside a block element; undefined for inline elements. */
function settingInside(name: string, setting: Setting): Setting | undefined {
  const { level: _level, ...plain } = setting;
  const heading = /^h([1-6])$/u.exec(name)?.[1];
  if (heading !== undefined) return { ...plain, ...PLAIN, kind: "heading", level: Number(heading) };
  if (setting.kind === "footnote" || setting.kind === "caption") return isBlock(name) ? plain : undefined;
  if (name === "li") return { ...plain, kind: "list_item" };
  if (name === "pre") return { ...plain, kind: "code" };
  if (name === "figcaption" || name === "caption") return { ...plain, kind: "caption" };
  return isBlock(name) ? setting : undefined;
}

function isBlock(name: string): boolean {
  return BLOCKS.has(name) || /^(?:li|pre|table|thead|tbody|tfoot|hr|caption|figcaption)$/u.test(name);
}

function withEmphasis(name: string, setting: Setting): Setting {
  if (BOLD.has(name)) return { ...setting, isBold: true };
  return ITALIC.has(name) ? { ...setting, isItalic: true } : setting;
}

function isHidden(element: XmlElement): boolean {
  if (element.getAttribute("hidden") !== null || element.getAttribute("aria-hidden") === "true") return true;
  return /display\s*:\s*none|visibility\s*:\s*hidden/iu.test(element.getAttribute("style") ?? "");
}

const MAX_HEADING_CHARS = 90;

/** A short paragraph that is entirely bold is treated as a heading. */
function asHeading(block: FlowBlock): FlowBlock {
  const { kind, text, bold } = block;
  const [range] = bold;
  const isBold = bold.length === 1 && range?.[0] === 0 && range[1] === text.length;
  const canBeHeading = kind === "paragraph" && text.length <= MAX_HEADING_CHARS && /\p{L}{2}/u.test(text);
  if (!isBold || !canBeHeading || /[.,;!?]$/u.test(text)) return kind === "heading" ? { ...block, bold: [] } : block;
  return { ...block, kind: "heading", level: 4, bold: [] };
}
