import { PDFDocument, PDFHexString, type PDFPage, type PDFRef } from "@cantoo/pdf-lib";
import type { Annotation, MarkColour } from "#shared/pdf/annotations.ts";
import type { PageRect } from "#shared/pdf/text-rects.ts";
import { unturnRect, type Turn } from "../viewer/page-layout.ts";

/** Highlight colours for other PDF readers, as RGB from 0 to 1. */
const colours: Record<MarkColour, [number, number, number]> = {
  red: [1, 0.72, 0.7],
  yellow: [1, 0.95, 0.45],
  green: [0.72, 0.9, 0.72],
  blue: [0.7, 0.83, 1],
};

/** Annotation flag 3, Print (PDF 32000-1, 12.5.3): the annotation is printed with the page. */
const PRINT = 4;
const ICON = 18;

interface PdfBox {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** Converts points from the top left of the displayed page to PDF user space. */
function toPdf(page: PDFPage, rect: PageRect): PdfBox {
  const crop = page.getCropBox();
  const turn = (((page.getRotation().angle % 360) + 360) % 360) as Turn;
  const [x, y, width, height] = unturnRect(rect, { width: crop.width, height: crop.height }, turn);
  const top = crop.y + crop.height - y;
  return { left: crop.x + x, right: crop.x + x + width, top, bottom: top - height };
}

const around = (boxes: readonly PdfBox[]): number[] => [
  Math.min(...boxes.map(({ left }) => left)),
  Math.min(...boxes.map(({ bottom }) => bottom)),
  Math.max(...boxes.map(({ right }) => right)),
  Math.max(...boxes.map(({ top }) => top)),
];

/** Date format of PDF 32000-1, 7.9.4. */
function pdfDate(at: number): string {
  const digits = new Date(at).toISOString().replaceAll(/\D/g, "").slice(0, 14);
  return `D:${digits}Z`;
}

interface Writing {
  document: PDFDocument;
  page: PDFPage;
  mark: Annotation;
  author: string;
}

function addHighlight({ document, page, mark, author }: Writing, boxes: readonly PdfBox[]): PDFRef {
  const quads = boxes.flatMap(({ left, right, top, bottom }) => [left, top, right, top, left, bottom, right, bottom]);
  const highlight = document.context.obj({
    Type: "Annot",
    Subtype: "Highlight",
    Rect: around(boxes),
    QuadPoints: quads,
    C: colours[mark.color],
    CA: 1,
    F: PRINT,
    NM: PDFHexString.fromText(mark._id),
    T: PDFHexString.fromText(author),
    M: PDFHexString.fromText(pdfDate(mark.modifiedAt)),
    AP: { N: appearance(document, boxes, mark.color) },
  });
  const reference = document.context.register(highlight);
  page.node.addAnnot(reference);
  return reference;
}

/**
 * Appearance stream for readers that do not draw highlights themselves: filled boxes, blended with Multiply so that the
 * text stays visible.
 */
function appearance(document: PDFDocument, boxes: readonly PdfBox[], color: MarkColour): PDFRef {
  const filled = boxes.map(({ left, bottom, right, top }) => `${left} ${bottom} ${right - left} ${top - bottom} re f`);
  const stream = document.context.stream(`/M gs ${colours[color].join(" ")} rg\n${filled.join("\n")}`, {
    Type: "XObject",
    Subtype: "Form",
    BBox: around(boxes),
    Resources: { ExtGState: { M: { Type: "ExtGState", BM: "Multiply", ca: 1 } } },
  });
  return document.context.register(stream);
}

function addNote({ document, page, mark, author }: Writing, { right, top }: PdfBox): void {
  const note = document.context.obj({
    Type: "Annot",
    Subtype: "Text",
    Name: "Note",
    Rect: [right, top - ICON, right + ICON, top],
    Contents: PDFHexString.fromText(mark.note),
    C: colours[mark.color],
    F: PRINT,
    Open: false,
    NM: PDFHexString.fromText(`${mark._id}-note`),
    T: PDFHexString.fromText(author),
    M: PDFHexString.fromText(pdfDate(mark.modifiedAt)),
  });
  page.node.addAnnot(document.context.register(note));
}

/**
 * Returns a copy of the PDF with highlights and notes as standard annotations. Throws `EncryptedPDFError` if the file
 * is protected, and pdf-lib's errors if it is damaged.
 */
export async function annotatePdf(
  bytes: Uint8Array,
  marks: readonly Annotation[],
  author: string,
): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const pages = document.getPages();
  for (const mark of marks) {
    const noted = mark.places.find(({ rects }) => rects.length > 0);
    for (const place of mark.places) {
      const page = pages[place.page - 1];
      if (!page || place.rects.length === 0) continue;
      const boxes = place.rects.map((rect) => toPdf(page, rect));
      addHighlight({ document, page, mark, author }, boxes);
      const [first] = boxes;
      if (mark.note !== "" && place === noted && first) addNote({ document, page, mark, author }, first);
    }
  }
  return document.save();
}
