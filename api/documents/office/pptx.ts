import type { FlowBlock } from "#shared/pdf/flow/sections.ts";
import { StyledBuilder } from "#shared/pdf/flow/styled-builder.ts";
import { join, type StyledText } from "#shared/pdf/styled-text.ts";
import { DocumentFault } from "../process/parser-messages.ts";
import { openArchive } from "./archive.ts";
import { at, childrenNamed, descendants, nameOf, parseXml, type Xml } from "./xml.ts";

const PARTS = /^ppt\/(?:presentation\.xml|_rels\/|slides\/|notesSlides\/|diagrams\/(?:data|_rels\/))/iu;
const MAX_SLIDES = 5_000;
const NOTES_HEADING = "Speaker notes";
/** Date, footer and number placeholders, which repeat on every slide. */
const FURNITURE = new Set(["dt", "ftr", "hdr", "sldNum", "sldImg"]);

type Parts = ReadonlyMap<string, Uint8Array>;

/** A PowerPoint file slide by slide: title, text, bullets, tables and diagrams, then speaker notes. */
export function readPptx(bytes: Uint8Array): FlowBlock[][] {
  const parts = openArchive(bytes, (name) => PARTS.test(name) && /\.(?:xml|rels)$/iu.test(name));
  const slides = slideNames(parts).slice(0, MAX_SLIDES);
  if (slides.length === 0 && !parts.has("ppt/presentation.xml")) throw new DocumentFault("corrupt");
  return slides.map((name) => readSlide(parts, name));
}

/** In presentation order, or by file number if that is missing. */
function slideNames(parts: Parts): string[] {
  const targets = relationsOf(parts, "ppt/presentation.xml");
  const list = at(parseXml(parts.get("ppt/presentation.xml")), "sldIdLst");
  const shown = childrenNamed(list, "sldId").flatMap((slide) => {
    const target = targets.get(slide.getAttribute("r:id") ?? "")?.target;
    return target !== undefined && parts.has(target) ? [target] : [];
  });
  if (shown.length > 0) return shown;
  const all = [...parts.keys()].filter((name) => /^ppt\/slides\/slide\d+\.xml$/u.test(name));
  return all.toSorted((a, b) => numberIn(a) - numberIn(b));
}

function numberIn(name: string): number {
  return Number(/\d+/u.exec(name)?.[0] ?? 0);
}

interface Relation {
  type: string;
  target: string;
}

function relationsOf(parts: Parts, name: string): Map<string, Relation> {
  const cut = name.lastIndexOf("/") + 1;
  const root = parseXml(parts.get(`${name.slice(0, cut)}_rels/${name.slice(cut)}.rels`));
  const relations = new Map<string, Relation>();
  for (const relation of childrenNamed(root, "Relationship")) {
    // External targets are not fetched.
    if (relation.getAttribute("TargetMode") === "External") continue;
    const target = resolve(name.slice(0, cut), relation.getAttribute("Target") ?? "");
    const type = (relation.getAttribute("Type") ?? "").split("/").at(-1) ?? "";
    relations.set(relation.getAttribute("Id") ?? "", { type, target });
  }
  return relations;
}

function resolve(folder: string, target: string): string {
  const path = target.startsWith("/") ? target.slice(1) : folder + target;
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "." && name !== "") names.push(name);
  }
  return names.join("/");
}

function readSlide(parts: Parts, name: string): FlowBlock[] {
  const relations = relationsOf(parts, name);
  const slide = new SlideReader(parts, relations);
  slide.readTree(at(parseXml(parts.get(name)), "cSld", "spTree"));
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
  for (const shape of descendants(at(parseXml(parts.get(name)), "cSld", "spTree"), "sp"))
    if (placeholderOf(shape) === "body") notes.readShape(shape);
  // Notes are running text, although their placeholder type is "body".
  return notes.blocks.map((block) => ({ ...block, kind: "paragraph", aside: NOTES_HEADING }));
}

/** The placeholder type of a shape; undefined for a custom text box. */
function placeholderOf(shape: Xml): string | undefined {
  const holder = childrenNamed(shape, "nvSpPr")[0];
  const placeholder = at(holder, "nvPr", "ph");
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

  readTree(tree: Xml | undefined, depth = 0): void {
    if (!tree || depth > MAX_DEPTH) return;
    for (const child of Array.from(tree.children)) {
      const name = nameOf(child);
      if (name === "sp") this.readShape(child);
      else if (name === "graphicFrame") this.#readFrame(child);
      else if (name === "grpSp") this.readTree(child, depth + 1);
      // Alternatives for the same content: the newer one is read, the fallback is for older programs.
      else if (name === "AlternateContent") this.readTree(at(child, "Choice") ?? at(child, "Fallback"), depth + 1);
    }
  }

  readShape(shape: Xml): void {
    const holds = placeholderOf(shape);
    if (holds !== undefined && FURNITURE.has(holds)) return;
    const paragraphs = childrenNamed(at(shape, "txBody"), "p");
    if (holds === "title" || holds === "ctrTitle") this.#readTitle(paragraphs, holds === "ctrTitle" ? 1 : 2);
    else this.#readText(paragraphs, holds);
  }

  #readTitle(paragraphs: readonly Xml[], level: number): void {
    const text = paragraphs
      .map((paragraph) => writeParagraph(paragraph).text)
      .join(" ")
      .trim();
    if (text !== "") this.titles.push({ kind: "heading", level, text, bold: [], italic: [] });
  }

  #readText(paragraphs: readonly Xml[], holds: string | undefined): void {
    let last: FlowBlock | undefined;
    for (const paragraph of paragraphs) {
      const styled = writeParagraph(paragraph);
      if (styled.text === "") continue;
      const kind = isItem(paragraph, holds) ? ("list_item" as const) : ("paragraph" as const);
      // Some authors start a new paragraph without a bullet to continue a bullet's line.
      if (last?.kind === "list_item" && kind === "paragraph" && /^\p{Ll}/u.test(styled.text)) {
        Object.assign(last, join(last, " ", styled));
        continue;
      }
      last = { kind, ...styled };
      this.blocks.push(last);
    }
  }

  #readFrame(frame: Xml): void {
    const data = at(frame, "graphic", "graphicData");
    for (const row of descendants(at(data, "tbl"), "tr")) this.#readRow(row);
    const diagram = at(data, "relIds")?.getAttribute("r:dm");
    if (diagram) this.#readDiagram(this.#relations.get(diagram)?.target);
  }

  #readRow(row: Xml): void {
    const styled = new StyledBuilder();
    childrenNamed(row, "tc").forEach((cell, index) => {
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

function writeCell(cell: Xml): StyledText {
  const styled = new StyledBuilder();
  for (const paragraph of childrenNamed(at(cell, "txBody"), "p")) {
    addRuns(styled, paragraph);
    styled.add(" ");
  }
  return styled.finish();
}

function isItem(paragraph: Xml, holds: string | undefined): boolean {
  const looks = at(paragraph, "pPr");
  const marks = Array.from(looks?.children ?? []).map(nameOf);
  if (marks.includes("buNone")) return false;
  return marks.some((mark) => /^bu(?:Char|AutoNum|Blip)$/u.test(mark)) || holds === "body" || holds === "obj";
}

function writeParagraph(paragraph: Xml): StyledText {
  const styled = new StyledBuilder();
  addRuns(styled, paragraph);
  return styled.finish();
}

function addRuns(styled: StyledBuilder, paragraph: Xml): void {
  for (const child of Array.from(paragraph.children)) {
    const name = nameOf(child);
    if (name === "r" || name === "fld") addRun(styled, child);
    else if (name === "br") styled.add(" ");
    // Formulas become their characters.
    else if (name === "m" || name === "AlternateContent") for (const sign of mathsOf(child)) styled.add(sign);
  }
}

function addRun(styled: StyledBuilder, run: Xml): void {
  const looks = at(run, "rPr");
  const emphasis = { isBold: isOn(looks?.getAttribute("b")), isItalic: isOn(looks?.getAttribute("i")) };
  styled.add((at(run, "t")?.textContent ?? "").replaceAll(/[\t\n\v]/gu, " "), emphasis);
}

function isOn(value: string | null | undefined): boolean {
  return value === "1" || value === "true";
}

function* mathsOf(element: Xml): Generator<string> {
  const formula = nameOf(element) === "m" ? element : at(element, "Choice");
  for (const text of descendants(formula, "t")) yield text.textContent ?? "";
}
