import { PDFDocument, PDFHexString, type PDFPage, type PDFRef } from "@cantoo/pdf-lib";
import type { Annotation, AnnotationColor } from "#shared/pdf/annotations.ts";
import type { PageRect } from "#shared/pdf/text-rects.ts";
import { unrotateRect, type Rotation } from "../viewer/page-layout.ts";

/** Highlight colours for other PDF readers, as RGB from 0 to 1. */
const colors: Record<AnnotationColor, [number, number, number]> = {
  red: [1, 0.72, 0.7],
  yellow: [1, 0.95, 0.45],
  green: [0.72, 0.9, 0.72],
  blue: [0.7, 0.83, 1],
};

/** Annotation flag 3, Print (PDF 32000-1, 12.5.3): the annotation is printed with the page. */
const PRINT_FLAG = 4;
const NOTE_ICON_SIZE = 18;

interface PdfBox {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** Converts points from the top left of the displayed page to PDF user space. */
function toPdfBox(page: PDFPage, rect: PageRect): PdfBox {
  const crop = page.getCropBox();
  const turn = (((page.getRotation().angle % 360) + 360) % 360) as Rotation;
  const [x, y, width, height] = unrotateRect(rect, { width: crop.width, height: crop.height }, turn);
  const top = crop.y + crop.height - y;
  return { left: crop.x + x, right: crop.x + x + width, top, bottom: top - height };
}

const getBoundingRect = (boxes: readonly PdfBox[]): number[] => [
  Math.min(...boxes.map(({ left }) => left)),
  Math.min(...boxes.map(({ bottom }) => bottom)),
  Math.max(...boxes.map(({ right }) => right)),
  Math.max(...boxes.map(({ top }) => top)),
];

/** Date format of PDF 32000-1, 7.9.4. */
function formatPdfDate(timestamp: number): string {
  const digits = new Date(timestamp).toISOString().replaceAll(/\D/g, "").slice(0, 14);
  return `D:${digits}Z`;
}

interface AnnotationContext {
  document: PDFDocument;
  page: PDFPage;
  annotation: Annotation;
  author: string;
}

function addHighlight({ document, page, annotation, author }: AnnotationContext, boxes: readonly PdfBox[]): PDFRef {
  const quads = boxes.flatMap(({ left, right, top, bottom }) => [left, top, right, top, left, bottom, right, bottom]);
  const highlight = document.context.obj({
    Type: "Annot",
    Subtype: "Highlight",
    Rect: getBoundingRect(boxes),
    QuadPoints: quads,
    C: colors[annotation.color],
    CA: 1,
    F: PRINT_FLAG,
    NM: PDFHexString.fromText(annotation._id),
    T: PDFHexString.fromText(author),
    M: PDFHexString.fromText(formatPdfDate(annotation.modifiedAt)),
    AP: { N: createAppearance(document, boxes, annotation.color) },
  });
  const reference = document.context.register(highlight);
  page.node.addAnnot(reference);
  return reference;
}

/**
 * Appearance stream for readers that do not draw highlights themselves: filled boxes, blended with Multiply so that the
 * text stays visible.
 */
function createAppearance(document: PDFDocument, boxes: readonly PdfBox[], color: AnnotationColor): PDFRef {
  const filled = boxes.map(({ left, bottom, right, top }) => `${left} ${bottom} ${right - left} ${top - bottom} re f`);
  const stream = document.context.stream(`/M gs ${colors[color].join(" ")} rg\n${filled.join("\n")}`, {
    Type: "XObject",
    Subtype: "Form",
    BBox: getBoundingRect(boxes),
    Resources: { ExtGState: { M: { Type: "ExtGState", BM: "Multiply", ca: 1 } } },
  });
  return document.context.register(stream);
}

function addNote({ document, page, annotation, author }: AnnotationContext, { right, top }: PdfBox): void {
  const note = document.context.obj({
    Type: "Annot",
    Subtype: "Text",
    Name: "Note",
    Rect: [right, top - NOTE_ICON_SIZE, right + NOTE_ICON_SIZE, top],
    Contents: PDFHexString.fromText(annotation.note),
    C: colors[annotation.color],
    F: PRINT_FLAG,
    Open: false,
    NM: PDFHexString.fromText(`${annotation._id}-note`),
    T: PDFHexString.fromText(author),
    M: PDFHexString.fromText(formatPdfDate(annotation.modifiedAt)),
  });
  page.node.addAnnot(document.context.register(note));
}

/**
 * Returns a copy of the PDF with highlights and notes as standard annotations. Throws `EncryptedPDFError` if the file
 * is protected, and pdf-lib's errors if it is damaged.
 */
export async function annotatePdf(
  bytes: Uint8Array,
  annotations: readonly Annotation[],
  author: string,
): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const pages = document.getPages();
  for (const annotation of annotations) {
    const notePosition = annotation.places.find(({ rects }) => rects.length > 0);
    for (const position of annotation.places) {
      const page = pages[position.page - 1];
      if (!page || position.rects.length === 0) continue;
      const boxes = position.rects.map((rect) => toPdfBox(page, rect));
      addHighlight({ document, page, annotation, author }, boxes);
      const [first] = boxes;
      if (annotation.note !== "" && position === notePosition && first)
        addNote({ document, page, annotation, author }, first);
    }
  }
  return document.save();
}
