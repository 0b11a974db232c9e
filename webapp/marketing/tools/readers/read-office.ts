import { unzipSync } from "fflate";
import { splitIntoSections, toFlowPages, type FlowBlock } from "#shared/pdf/flow/sections.ts";
import { StyledBuilder } from "#shared/pdf/flow/styled-builder.ts";
import type { PassageKind } from "#shared/pdf/schema.ts";
import { ToolError, type Source } from "../use-cards.ts";
import { word } from "../words.ts";

const MAX_PART_BYTES = 50 * 1024 * 1024;
const PARTS =
  /^(?:ppt\/slides\/slide\d+\.xml|ppt\/_rels\/presentation\.xml\.rels|ppt\/presentation\.xml|word\/document\.xml)$/;

type Parts = ReadonlyMap<string, Document>;

/**
 * Reads PowerPoint by slides and Word by headings and paragraphs. Only the parts of the file with text are unpacked.
 */
export async function readOffice(file: File): Promise<Source> {
  const parts = openParts(new Uint8Array(await file.arrayBuffer()));
  const document = parts.get("word/document.xml");
  const pages = document ? splitIntoSections(readWord(document)) : readSlides(parts);
  if (pages.length === 0) throw new ToolError(word("error_read"));
  const passages = toFlowPages(pages, !document).flatMap((page) => page.passages);
  if (!passages.some(({ text }) => text.length > 20)) throw new ToolError(word("error_no_text_office"));
  return { passages };
}

function openParts(bytes: Uint8Array): Parts {
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => PARTS.test(name) && originalSize < MAX_PART_BYTES,
    });
    const decoder = new TextDecoder();
    return new Map(
      Object.entries(files).map(([name, part]) => [
        name,
        new DOMParser().parseFromString(decoder.decode(part), "text/xml"),
      ]),
    );
  } catch {
    throw new ToolError(word("error_read"));
  }
}

const elementsByName = (parent: Document | Element, name: string): Element[] => [
  ...parent.getElementsByTagNameNS("*", name),
];

const attribute = (element: Element | undefined, name: string): string =>
  [...(element?.attributes ?? [])].find(({ localName }) => localName === name)?.value ?? "";

const numberIn = (name: string) => Number(/\d+/.exec(name)?.[0] ?? 0);

/** Reads the slides in the order of the presentation, or by number if the file has no order. */
function readSlides(parts: Parts): FlowBlock[][] {
  const relations = parts.get("ppt/_rels/presentation.xml.rels");
  const targets = new Map(
    (relations ? elementsByName(relations, "Relationship") : []).map((relation) => [
      attribute(relation, "Id"),
      attribute(relation, "Target"),
    ]),
  );
  const presentation = parts.get("ppt/presentation.xml");
  const inOrder = (presentation ? elementsByName(presentation, "sldId") : []).map((slide) => {
    const id = [...slide.attributes].find(({ value }) => targets.has(value))?.value ?? "";
    return `ppt/${(targets.get(id) ?? "").replace(/^\/?(?:ppt\/)?/, "")}`;
  });
  const byNumber = [...parts.keys()]
    .filter((name) => name.startsWith("ppt/slides/"))
    .toSorted((a, b) => numberIn(a) - numberIn(b));
  const names = inOrder.some((name) => parts.has(name)) ? inOrder : byNumber;
  return names.flatMap((name) => {
    const slide = parts.get(name);
    return slide ? [readSlide(slide)] : [];
  });
}

/** Placeholder types that repeat on every slide, such as date, footer and number. */
const REPEATED = new Set(["dt", "ftr", "hdr", "sldNum", "sldImg"]);

const isTitle = (kind: string) => kind === "title" || kind === "ctrTitle";

function readSlide(slide: Document): FlowBlock[] {
  const shapes = elementsByName(slide, "sp").map((shape) => ({
    shape,
    kind: attribute(elementsByName(shape, "ph")[0], "type"),
  }));
  const titles = shapes.filter(({ kind }) => isTitle(kind)).flatMap(({ shape }) => blocksOf(shape, "heading"));
  const texts = shapes
    .filter(({ kind }) => !isTitle(kind) && !REPEATED.has(kind))
    .flatMap(({ shape }) => blocksOf(shape, "list_item"));
  const rows = elementsByName(slide, "tr").flatMap((row) => {
    const cells = elementsByName(row, "tc").map((cell) => (cell.textContent ?? "").trim());
    return cells.some(Boolean) ? [plainBlock(cells.join("\t"), "table_row")] : [];
  });
  return [...titles, ...texts, ...rows];
}

const plainBlock = (text: string, kind: PassageKind): FlowBlock => ({ text, bold: [], italic: [], kind });

function blocksOf(shape: Element, kind: PassageKind): FlowBlock[] {
  return elementsByName(shape, "p").flatMap((paragraph) => {
    const block = readRuns(paragraph, (run) => {
      const properties = elementsByName(run, "rPr")[0];
      return { isBold: attribute(properties, "b") === "1", isItalic: attribute(properties, "i") === "1" };
    });
    // A whole sentence is a paragraph, even if it has a bullet.
    const isSentence = kind === "list_item" && /[.!?]$/.test(block.text) && block.text.length > 60;
    return block.text === ""
      ? []
      : [{ ...block, kind: isSentence ? "paragraph" : kind, ...(kind === "heading" ? { level: 2 } : {}) }];
  });
}

function readRuns(paragraph: Element, styleOf: (run: Element) => { isBold: boolean; isItalic: boolean }) {
  const builder = new StyledBuilder();
  for (const run of elementsByName(paragraph, "r")) {
    const text = elementsByName(run, "t")
      .map(({ textContent }) => textContent ?? "")
      .join("");
    builder.add(text, styleOf(run));
  }
  return builder.finish();
}

const MAX_LEVEL = 6;

function readWord(document: Document): FlowBlock[] {
  return elementsByName(document, "p").flatMap((paragraph): FlowBlock[] => {
    const block = readRuns(paragraph, (run) => {
      const properties = elementsByName(run, "rPr")[0];
      const has = (name: string) =>
        properties !== undefined &&
        elementsByName(properties, name).some((element) => !/^(?:0|false)$/.test(attribute(element, "val")));
      return { isBold: has("b"), isItalic: has("i") };
    });
    if (block.text === "") return [];
    const style = attribute(elementsByName(paragraph, "pStyle")[0], "val");
    const level = /^(?:heading|berschrift|Überschrift|Heading)\s*(\d)/i.exec(style)?.[1];
    if (level !== undefined || /^title$/i.test(style))
      return [{ ...block, kind: "heading", level: Math.min(MAX_LEVEL, Number(level ?? 1)) }];
    return [{ ...block, kind: elementsByName(paragraph, "numPr").length > 0 ? "list_item" : "paragraph" }];
  });
}
