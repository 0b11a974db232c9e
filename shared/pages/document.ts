import { splitFormulas } from "#shared/text/formulas.ts";
import type { Run, TextContent } from "./schema.ts";
import { parseTable, type TableRows } from "./tables.ts";

/** The parts of a component that the editor needs; times, owner and version never enter the document. */
export interface Block {
  _id: string;
  type: string;
  content: Record<string, unknown>;
}

export interface DocMark {
  type: string;
  attrs?: Record<string, unknown>;
}
export type InlineNode =
  | { type: "text"; text: string; marks?: DocMark[] }
  | { type: "formula"; attrs: { latex: string }; marks?: DocMark[] }
  | { type: "hard_break"; marks?: DocMark[] };
export type BlockNode =
  | {
      type: "text_block";
      attrs: { id: string | null; subType: string; indents: number; highlightColor: string | null };
      content?: InlineNode[];
    }
  | { type: "component_block"; attrs: { id: string | null; type: string; content: Record<string, unknown> } };
export interface PageDocument {
  type: "doc";
  content: { type: "chunk"; content: BlockNode[] }[];
}

/** Blocks per chunk of a newly opened page. Chunks exist only on screen and are never stored. */
export const CHUNK_SIZE = 25;

const flags = ["bold", "italic", "underline", "strikethrough", "inline_code"] as const;

/** The marks of a run. An inner run overrides the run around it. */
function marksOf(run: Run, outer: readonly DocMark[]): DocMark[] {
  const marks = new Map(outer.map((mark) => [mark.type, mark]));
  for (const flag of flags) {
    const value = run.attributes?.[flag];
    if (value === true) marks.set(flag, { type: flag });
    if (value === false) marks.delete(flag);
  }
  const color = run.attributes?.color;
  if (color) marks.set("color", { type: "color", attrs: { color } });
  if (run.reference) marks.set("reference", { type: "reference", attrs: { ...run.reference } });
  return [...marks.values()];
}

/** Splits a line into text and formulas. Code has no formulas, so its dollars stay. */
function inlineOfLine(line: string, withMarks: { marks?: DocMark[] }): InlineNode[] {
  if (line === "") return [];
  if (withMarks.marks?.some(({ type }) => type === "inline_code")) return [{ type: "text", text: line, ...withMarks }];
  return splitFormulas(line).map(({ text, isFormula }) =>
    isFormula ? { type: "formula", attrs: { latex: text }, ...withMarks } : { type: "text", text, ...withMarks },
  );
}

function inlineOfText(text: string, marks: DocMark[]): InlineNode[] {
  const withMarks = marks.length > 0 ? { marks } : {};
  return text
    .split("\n")
    .flatMap((line, i): InlineNode[] => [
      ...(i > 0 ? [{ type: "hard_break" as const, ...withMarks }] : []),
      ...inlineOfLine(line, withMarks),
    ]);
}

function inlineOfRuns(runs: readonly Run[], outer: readonly DocMark[]): InlineNode[] {
  return runs.flatMap((run) => {
    const marks = marksOf(run, outer);
    return typeof run.content === "string" ? inlineOfText(run.content, marks) : inlineOfRuns(run.content, marks);
  });
}

const isTextContent = (content: Record<string, unknown>): content is TextContent =>
  Array.isArray(content["text"]) && typeof content["subType"] === "string";

/** The rows of a text component that contains a table, which is one plain run of GitHub-style Markdown. */
export function readTable(content: Record<string, unknown>): TableRows | undefined {
  if (!isTextContent(content) || content.subType !== "normal") return undefined;
  const [only, ...others] = content.text;
  if (!only || others.length > 0 || typeof only.content !== "string" || only.attributes || only.reference)
    return undefined;
  return parseTable(only.content);
}

/** A block that the editor cannot read as text is put into the document unchanged, so that nothing is lost. */
export function toBlockNode(block: Block): BlockNode {
  const { _id: id, type, content } = block;
  if (type !== "text" || !isTextContent(content) || readTable(content))
    return { type: "component_block", attrs: { id, type, content } };
  const inline = inlineOfRuns(content.text, []);
  const { indents = 0, highlightColor = null } = (content as { metadata?: TextContent["metadata"] }).metadata ?? {};
  return {
    type: "text_block",
    attrs: { id, subType: content.subType, indents, highlightColor },
    ...(inline.length > 0 ? { content: inline } : {}),
  };
}

/** The empty last line of a page that does not end with text. It has no id, so it is not stored. */
export const emptyLine = (): BlockNode => ({
  type: "text_block",
  attrs: { id: null, subType: "normal", indents: 0, highlightColor: null },
});

export function toDoc(blocks: readonly Block[]): PageDocument {
  const nodes = blocks.map(toBlockNode);
  if (nodes.at(-1)?.type !== "text_block") nodes.push(emptyLine());
  const content: PageDocument["content"] = [];
  for (let at = 0; at < nodes.length; at += CHUNK_SIZE)
    content.push({ type: "chunk", content: nodes.slice(at, at + CHUNK_SIZE) });
  return { type: "doc", content };
}

function runOf(text: string, marks: readonly DocMark[]): Run {
  const attributes: NonNullable<Run["attributes"]> = {};
  let reference: Run["reference"];
  for (const { type, attrs } of marks) {
    if (type === "reference") reference = attrs as Run["reference"];
    else if (type === "color") attributes.color = String(attrs?.["color"]);
    else if ((flags as readonly string[]).includes(type)) attributes[type as (typeof flags)[number]] = true;
  }
  return {
    content: text,
    ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
    ...(reference ? { reference } : {}),
  };
}

const markKey = (marks: readonly DocMark[]) =>
  marks
    .map((mark) => JSON.stringify([mark.type, mark.attrs?.["color"], mark.attrs?.["kind"], mark.attrs?.["target"]]))
    .toSorted()
    .join("");

function textOfInline(node: InlineNode): string {
  if (node.type === "text") return node.text;
  return node.type === "formula" ? `$${node.attrs.latex}$` : "\n";
}

function runsOf(inline: readonly InlineNode[]): Run[] {
  const runs: { key: string; text: string; marks: readonly DocMark[] }[] = [];
  for (const node of inline) {
    const marks = node.marks ?? [];
    const key = markKey(marks);
    const text = textOfInline(node);
    const last = runs.at(-1);
    if (last?.key === key) last.text += text;
    else runs.push({ key, text, marks });
  }
  return runs.map(({ text, marks }) => runOf(text, marks));
}

/** Undefined for the line without an id, which is not stored. */
export function fromBlockNode(node: BlockNode): Block | undefined {
  const { id } = node.attrs;
  if (id === null) return undefined;
  if (node.type === "component_block") return { _id: id, type: node.attrs.type, content: node.attrs.content };
  const { subType, indents, highlightColor } = node.attrs;
  const content = { text: runsOf(node.content ?? []), subType, metadata: { indents, highlightColor } };
  return { _id: id, type: "text", content };
}

export const fromDoc = (doc: PageDocument): Block[] =>
  doc.content.flatMap((chunk) => chunk.content.flatMap((node) => fromBlockNode(node) ?? []));
