import type { FlowBlock } from "#shared/pdf/flow/sections.ts";
import { StyledBuilder } from "#shared/pdf/flow/styled-builder.ts";
import { joinStyled, type StyledText } from "#shared/pdf/layout/styled-text.ts";
import { DocumentError } from "../process/parser-messages.ts";
import { openArchive } from "./office-archive.ts";
import { findAt, findChildren, descendants, getLocalName, parseXml, type XmlElement } from "./xml.ts";

const PARTS = /^ppt\/(?:presentation\.xml|_rels\/|slides\/|notesSlides\/|diagrams\/(?:data|_rels\/))/iu;
const MAX_SLIDES = 5_000;
const NOTES_HEADING = "Speaker notes";
/** Date, footer and number placeholders, which repeat on every slide. */
const REPEATED_PLACEHOLDERS = new Set(["dt", "ftr", "hdr", "sldNum", "sldImg"]);

type Parts = ReadonlyMap<string, Uint8Array>;

/** A PowerPoint file slide by slide: title, text, bullets, tables and diagrams, then speaker notes. */
export function readPptx(bytes: Uint8Array): FlowBlock[][] {
  const parts = openArchive(bytes, (name) => PARTS.test(name) && /\.(?:xml|rels)$/iu.test(name));
  const slides = listSlides(parts).slice(0, MAX_SLIDES);
  if (slides.length === 0 && !parts.has("ppt/presentation.xml")) throw new DocumentError("corrupt");
  return slides.map((name) => readSlide(parts, name));
}

/** In presentation order, or by file number if that is missing. */
function listSlides(parts: Parts): string[] {
  const targets = readRelations(parts, "ppt/presentation.xml");
  const list = findAt(parseXml(parts.get("ppt/presentation.xml")), "sldIdLst");
  const slideTargets = findChildren(list, "sldId").flatMap((slide) => {
    const target = targets.get(slide.getAttribute("r:id") ?? "")?.target;
    return target !== undefined && parts.has(target) ? [target] : [];
  });
  if (slideTargets.length > 0) return slideTargets;
  const all = [...parts.keys()].filter((name) => /^ppt\/slides\/slide\d+\.xml$/u.test(name));
  return all.toSorted((a, b) => extractNumber(a) - extractNumber(b));
}

function extractNumber(name: string): number {
  return Number(/\d+/u.exec(name)?.[0] ?? 0);
}

interface Relation {
  type: string;
  target: string;
}

function readRelations(parts: Parts, name: string): Map<string, Relation> {
  const folderEnd = name.lastIndexOf("/") + 1;
  const root = parseXml(parts.get(`${name.slice(0, folderEnd)}_rels/${name.slice(folderEnd)}.rels`));
  const relations = new Map<string, Relation>();
  for (const relation of findChildren(root, "Relationship")) {
    // External targets are not fetched.
    if (relation.getAttribute("TargetMode") === "External") continue;
    const target = resolvePath(name.slice(0, folderEnd), relation.getAttribute("Target") ?? "");
    const type = (relation.getAttribute("Type") ?? "").split("/").at(-1) ?? "";
    relations.set(relation.getAttribute("Id") ?? "", { type, target });
  }
  return relations;
}

function resolvePath(folder: string, target: string): string {
  const path = target.startsWith("/") ? target.slice(1) : folder + target;
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "." && name !== "") names.push(name);
  }
  return names.join("/");
}

function readSlide(parts: Parts, name: string): FlowBlock[] {
  const relations = readRelations(parts, name);
  const slide = new SlideReader(parts, relations);
  slide.readTree(findAt(parseXml(parts.get(name)), "cSld", "spTree"));
  const notes = [...relations.values()].find(({ type }) => type === "notesSlide");
  return [...withTitle(slide), ...(notes ? readNotes(parts, notes.target) : [])];
}

const MAX_TITLE_CHARS = 80;

/** Without a title placeholder, a short first line becomes the title. */
function withTitle({ titles, blocks }: SlideReader): FlowBlock[] {
  const [first, ...rest] = blocks;
  const isTitle = first?.kind === "paragraph" && first.text.length <= MAX_TITLE_CHARS && !/[.,;:]$/u.test(first.text);
  if (titles.length > 0 || !isTitle || rest.length === 0) return [...titles, ...blocks];
  return [{ ...first, kind: "heading", level: 2 }, ...rest];
}

function readNotes(parts: Parts, name: string): FlowBlock[] {
  const notes = new SlideReader(parts, new Map());
  for (const shape of descendants(findAt(parseXml(parts.get(name)), "cSld", "spTree"), "sp"))
    if (getPlaceholder(shape) === "body") notes.readShape(shape);
  // Notes are running text, although their placeholder type is "body".
  return notes.blocks.map((block) => ({ ...block, kind: "paragraph", notesHeading: NOTES_HEADING }));
}

/** The placeholder type of a shape; undefined for a custom text box. */
function getPlaceholder(shape: XmlElement): string | undefined {
  const shapeProperties = findChildren(shape, "nvSpPr")[0];
  const placeholder = findAt(shapeProperties, "nvPr", "ph");
  return placeholder && (placeholder.getAttribute("type") ?? "obj");
}

const MAX_DEPTH = 60;

class SlideReader {
  readonly titles: FlowBlock[] = [];
  readonly blocks: FlowBlock[] = [];
  readonly #parts: Parts;
  readonly #relations: ReadonlyMap<string, Relation>;

  constructor(parts: Parts, relations: ReadonlyMap<string, Relation>) {
    this.#parts = parts;
    this.#relations = relations;
  }

  readTree(tree: XmlElement | undefined, depth = 0): void {
    if (!tree || depth > MAX_DEPTH) return;
    for (const child of Array.from(tree.children)) {
      const name = getLocalName(child);
      if (name === "sp") this.readShape(child);
      else if (name === "graphicFrame") this.#readFrame(child);
      else if (name === "grpSp") this.readTree(child, depth + 1);
      // Alternatives for the same content: the newer one is read, the fallback is for older programs.
      else if (name === "AlternateContent")
        this.readTree(findAt(child, "Choice") ?? findAt(child, "Fallback"), depth + 1);
    }
  }

  readShape(shape: XmlElement): void {
    const placeholderType = getPlaceholder(shape);
    if (placeholderType !== undefined && REPEATED_PLACEHOLDERS.has(placeholderType)) return;
    const paragraphs = findChildren(findAt(shape, "txBody"), "p");
    if (placeholderType === "title" || placeholderType === "ctrTitle")
      this.#readTitle(paragraphs, placeholderType === "ctrTitle" ? 1 : 2);
    else this.#readText(paragraphs, placeholderType);
  }

  #readTitle(paragraphs: readonly XmlElement[], level: number): void {
    const text = paragraphs
      .map((paragraph) => writeParagraph(paragraph).text)
      .join(" ")
      .trim();
    if (text !== "") this.titles.push({ kind: "heading", level, text, bold: [], italic: [] });
  }

  #readText(paragraphs: readonly XmlElement[], placeholderType: string | undefined): void {
    let last: FlowBlock | undefined;
    for (const paragraph of paragraphs) {
      const styled = writeParagraph(paragraph);
      if (styled.text === "") continue;
      const kind = isItem(paragraph, placeholderType) ? ("list_item" as const) : ("paragraph" as const);
      // Some authors start a new paragraph without a bullet to continue a bullet's line.
      if (last?.kind === "list_item" && kind === "paragraph" && /^\p{Ll}/u.test(styled.text)) {
        Object.assign(last, joinStyled(last, " ", styled));
        continue;
      }
      last = { kind, ...styled };
      this.blocks.push(last);
    }
  }

  #readFrame(frame: XmlElement): void {
    const data = findAt(frame, "graphic", "graphicData");
    for (const row of descendants(findAt(data, "tbl"), "tr")) this.#readRow(row);
    const diagram = findAt(data, "relIds")?.getAttribute("r:dm");
    if (diagram) this.#readDiagram(this.#relations.get(diagram)?.target);
  }

  #readRow(row: XmlElement): void {
    const styled = new StyledBuilder();
    findChildren(row, "tc").forEach((cell, index) => {
      if (index > 0) styled.add("\t");
      styled.append(writeCell(cell));
    });
    if (!styled.isBlank) this.blocks.push({ kind: "table_row", ...styled.finish() });
  }

  #readDiagram(name: string | undefined): void {
    if (name === undefined) return;
    for (const paragraph of descendants(parseXml(this.#parts.get(name)), "p")) {
      const styled = writeParagraph(paragraph);
      if (styled.text !== "") this.blocks.push({ kind: "list_item", ...styled });
    }
  }
}

function writeCell(cell: XmlElement): StyledText {
  const styled = new StyledBuilder();
  for (const paragraph of findChildren(findAt(cell, "txBody"), "p")) {
    addRuns(styled, paragraph);
    styled.add(" ");
  }
  return styled.finish();
}

function isItem(paragraph: XmlElement, placeholderType: string | undefined): boolean {
  const properties = findAt(paragraph, "pPr");
  const bullets = Array.from(properties?.children ?? []).map(getLocalName);
  if (bullets.includes("buNone")) return false;
  return (
    bullets.some((bullet) => /^bu(?:Char|AutoNum|Blip)$/u.test(bullet)) ||
    placeholderType === "body" ||
    placeholderType === "obj"
  );
}

function writeParagraph(paragraph: XmlElement): StyledText {
  const styled = new StyledBuilder();
  addRuns(styled, paragraph);
  return styled.finish();
}

function addRuns(styled: StyledBuilder, paragraph: XmlElement): void {
  for (const child of Array.from(paragraph.children)) {
    const name = getLocalName(child);
    if (name === "r" || name === "fld") addRun(styled, child);
    else if (name === "br") styled.add(" ");
    // Formulas become their characters.
    else if (name === "m" || name === "AlternateContent") for (const sign of readMaths(child)) styled.add(sign);
  }
}

function addRun(styled: StyledBuilder, run: XmlElement): void {
  const properties = findAt(run, "rPr");
  const emphasis = { isBold: isTrue(properties?.getAttribute("b")), isItalic: isTrue(properties?.getAttribute("i")) };
  styled.add((findAt(run, "t")?.textContent ?? "").replaceAll(/[\t\n\v]/gu, " "), emphasis);
}

function isTrue(value: string | null | undefined): boolean {
  return value === "1" || value === "true";
}

function* readMaths(element: XmlElement): Generator<string> {
  const formula = getLocalName(element) === "m" ? element : findAt(element, "Choice");
  for (const text of descendants(formula, "t")) yield text.textContent ?? "";
}
