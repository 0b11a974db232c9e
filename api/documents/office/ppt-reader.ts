import { find, read } from "cfb";
import type { FlowBlock } from "#shared/pdf/flow/sections.ts";
import { DocumentError } from "../process/parser-messages.ts";

/** Record types of the PowerPoint 97 format, from [MS-PPT] 2.13.24. */
const TYPES = {
  slide: 0x03ee,
  notes: 0x03f0,
  notesAtom: 0x03f1,
  slidePersist: 0x03f3,
  slideList: 0x0ff0,
  textHeader: 0x0f9f,
  textChars: 0x0fa0,
  textBytes: 0x0fa8,
  persistDirectory: 0x1772,
} as const;

const HEADER_BYTES = 8;
const CONTAINER = 0xf;
const MAX_RECORDS = 400_000;
const MAX_DEPTH = 40;
const MAX_SLIDES = 5_000;
const NOTES_HEADING = "Speaker notes";

interface Atom {
  type: number;
  instance: number;
  /** Offset of the body in the stream, and its length in bytes. */
  offset: number;
  size: number;
  children: Atom[] | undefined;
}

/** A PowerPoint 97–2003 file: titles, text and notes by slide; formatting and tables are not read. */
export function readPpt(bytes: Uint8Array): FlowBlock[][] {
  const stream = openStream(bytes);
  const records = new RecordReader(stream);
  const top = records.readAll();
  const lists = top.flatMap((record) => findRecords(record, TYPES.slideList));
  const slides = (lists.find(({ instance }) => instance === 0)?.children ?? []) as readonly Atom[];
  const offsets = readPersistOffsets(top, stream);
  const slideRecords = top.flatMap((record) => findRecords(record, TYPES.slide));
  const notes = readNotesBySlide(top, stream);
  const outlines = splitBySlide(slides, stream);
  if (outlines.length === 0)
    return slideRecords.slice(0, MAX_SLIDES).map((slide) => toBlocks(readTexts(slide, stream)));
  return outlines.slice(0, MAX_SLIDES).map(({ persistId, slideId, texts }, index) => {
    const slide =
      slideRecords.find(({ offset }) => offset - HEADER_BYTES === offsets.get(persistId)) ?? slideRecords[index];
    const boxes = slide ? readTexts(slide, stream) : [];
    // Some programs write a title both to the slide list and to the slide.
    const listed = new Set(texts.flatMap(({ text }) => splitLines(text)));
    const unlistedBoxes = boxes.filter(({ text }) => !splitLines(text).every((line) => listed.has(line)));
    return [...toBlocks([...texts, ...unlistedBoxes]), ...toNotes(notes.get(slideId) ?? [])];
  });
}

function openStream(bytes: Uint8Array): DataView {
  try {
    const container = read(Buffer.from(bytes), { type: "buffer" });
    if (find(container, "EncryptedPackage") || find(container, "EncryptedSummary"))
      throw new DocumentError("encrypted");
    const entry = find(container, "PowerPoint Document");
    if (!entry) throw new DocumentError("corrupt");
    const content = Uint8Array.from(entry.content);
    return new DataView(content.buffer);
  } catch (error) {
    throw error instanceof DocumentError ? error : new DocumentError("corrupt");
  }
}

/**
 * Reads a stream of records: an eight-byte header and a body, which is truncated if it claims to exceed its container.
 */
class RecordReader {
  readonly #view: DataView;
  #left = MAX_RECORDS;

  constructor(view: DataView) {
    this.#view = view;
  }

  readAll(): Atom[] {
    return this.#read(0, this.#view.byteLength, 0);
  }

  #read(from: number, to: number, depth: number): Atom[] {
    const records: Atom[] = [];
    let offset = from;
    while (offset + HEADER_BYTES <= to && this.#left-- > 0) {
      const head = this.#view.getUint16(offset, true);
      const type = this.#view.getUint16(offset + 2, true);
      const size = Math.min(this.#view.getUint32(offset + 4, true), to - offset - HEADER_BYTES);
      const body = offset + HEADER_BYTES;
      const isContainer = (head & 0xf) === CONTAINER && depth < MAX_DEPTH;
      const children = isContainer ? this.#read(body, body + size, depth + 1) : undefined;
      records.push({ type, instance: head >> 4, offset: body, size, children });
      offset = body + size;
    }
    return records;
  }
}

function findRecords(record: Atom, type: number): Atom[] {
  if (record.type === type) return [record];
  return (record.children ?? []).flatMap((child) => findRecords(child, type));
}

/** Stream offsets by persist id; later directories override earlier ones. */
function readPersistOffsets(top: readonly Atom[], view: DataView): Map<number, number> {
  const offsets = new Map<number, number>();
  for (const { offset, size } of top.filter(({ type }) => type === TYPES.persistDirectory)) {
    for (let position = offset; position + 4 <= offset + size;) {
      const entry = view.getUint32(position, true);
      const count = entry >>> 20;
      const first = entry & 0xfffff;
      position += 4;
      for (let index = 0; index < count && position + 4 <= offset + size; index++, position += 4)
        offsets.set(first + index, view.getUint32(position, true));
    }
  }
  return offsets;
}

interface SlideText {
  isTitle: boolean;
  isList: boolean;
  text: string;
}

interface Outline {
  persistId: number;
  slideId: number;
  texts: SlideText[];
}

/** The slide list contains titles and bodies, each slide's after the record that names it. */
function splitBySlide(records: readonly Atom[], view: DataView): Outline[] {
  const outlines: Outline[] = [];
  let kind = 0;
  for (const record of records) {
    if (record.type === TYPES.slidePersist && record.size >= 16) {
      const persistId = view.getUint32(record.offset, true);
      outlines.push({ persistId, slideId: view.getUint32(record.offset + 12, true), texts: [] });
    } else if (record.type === TYPES.textHeader && record.size >= 4) {
      kind = view.getUint32(record.offset, true);
    } else {
      const text = decodeText(record, view);
      if (text !== undefined) outlines.at(-1)?.texts.push(toSlideText(text, kind));
    }
  }
  return outlines;
}

/** Text types: 0 and 6 are titles; 1, 5, 7 and 8 bodies; 4 is a custom text box. */
function toSlideText(text: string, kind: number): SlideText {
  return { text, isTitle: kind === 0 || kind === 6, isList: kind === 1 || kind === 7 || kind === 8 };
}

function decodeText({ type, offset, size }: Atom, view: DataView): string | undefined {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + offset, size);
  if (type === TYPES.textChars) return new TextDecoder("utf-16le").decode(bytes);
  return type === TYPES.textBytes ? new TextDecoder("latin1").decode(bytes) : undefined;
}

/** The text boxes in a slide's drawing. */
function readTexts(container: Atom, view: DataView): SlideText[] {
  const texts: SlideText[] = [];
  let kind = 4;
  const walk = (record: Atom): void => {
    if (record.type === TYPES.textHeader && record.size >= 4) kind = view.getUint32(record.offset, true);
    const text = decodeText(record, view);
    if (text !== undefined) texts.push(toSlideText(text, kind));
    for (const child of record.children ?? []) walk(child);
  };
  walk(container);
  return texts;
}

function readNotesBySlide(top: readonly Atom[], view: DataView): Map<number, SlideText[]> {
  const notes = new Map<number, SlideText[]>();
  for (const container of top.flatMap((record) => findRecords(record, TYPES.notes))) {
    const atom = (container.children ?? []).find(({ type }) => type === TYPES.notesAtom);
    if (atom && atom.size >= 4) notes.set(view.getUint32(atom.offset, true), readTexts(container, view));
  }
  return notes;
}

// oxlint-disable-next-line no-control-regex -- these characters are replaced by spaces
const CONTROL = /[\u0000-\u0008\u000B-\u000C\u000E-\u001F\uFFFC-\uFFFF]/gu;

function splitLines(text: string): string[] {
  const lines = text.replaceAll(CONTROL, " ").split(/[\r\n]/u);
  return lines.map((line) => line.replaceAll(/\s+/gu, " ").trim()).filter((line) => line !== "" && line !== "*");
}

function toBlocks(texts: readonly SlideText[]): FlowBlock[] {
  const plain = { bold: [], italic: [] };
  const titles = texts.filter(({ isTitle }) => isTitle).map(({ text }) => splitLines(text).join(" "));
  const rest = texts
    .filter(({ isTitle }) => !isTitle)
    .flatMap(({ text, isList }) =>
      splitLines(text).map((line) => ({ kind: isList ? ("list_item" as const) : ("paragraph" as const), text: line })),
    );
  const headings = titles.filter((text) => text !== "").map((text) => ({ kind: "heading" as const, level: 2, text }));
  return [...headings, ...rest].map((block) => ({ ...block, ...plain }));
}

function toNotes(texts: readonly SlideText[]): FlowBlock[] {
  const lines = texts.flatMap(({ text }) => splitLines(text)).filter((line) => !/^\d{1,4}$/u.test(line));
  return lines.map((text) => ({ kind: "paragraph", text, bold: [], italic: [], notesHeading: NOTES_HEADING }));
}
