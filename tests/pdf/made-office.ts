import { strToU8, zipSync } from "fflate";

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const rels = (entries: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join("")}</Relationships>`;

const zipOf = (parts: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';

/** A paragraph of a Word file, as XML; `style` is one of Word's own names. */
export const wordParagraph = (text: string, { style = "", bold = "", inner = "" } = {}) =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ""}${
    bold ? `<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${escape(bold)}</w:t></w:r>` : ""
  }<w:r><w:t xml:space="preserve">${escape(text)}</w:t></w:r>${inner}</w:p>`;

/** A paragraph of a Word file; text between double asterisks is bold. */
export const markedWordParagraph = (text: string) =>
  `<w:p>${text
    .split("**")
    .map(
      (part, i) =>
        `<w:r>${i % 2 === 1 ? "<w:rPr><w:b/></w:rPr>" : ""}<w:t xml:space="preserve">${escape(part)}</w:t></w:r>`,
    )
    .join("")}</w:p>`;

export const wordTable = (rows: readonly (readonly string[])[]) =>
  `<w:tbl>${rows
    .map((row) => `<w:tr>${row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join("")}</w:tr>`)
    .join("")}</w:tbl>`;

const style = (id: string, name: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;

/** A small Word file with these paragraphs, an optional note, and `extra` parts. */
export function madeDocx(body: string, { note = "", doctype = "", extra = {} } = {}): Uint8Array {
  return zipOf({
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "_rels/.rels": rels([["r1", "officeDocument", "word/document.xml"]]),
    "word/_rels/document.xml.rels": rels([
      ["r1", "styles", "styles.xml"],
      ["r2", "footnotes", "footnotes.xml"],
    ]),
    "word/styles.xml": `<w:styles ${W}>${style("Heading1", "heading 1")}${style("Heading2", "heading 2")}</w:styles>`,
    "word/footnotes.xml": `<w:footnotes ${W}><w:footnote w:id="2">${wordParagraph(note)}</w:footnote></w:footnotes>`,
    "word/document.xml": `<?xml version="1.0"?>${doctype}<w:document ${W} ${M}><w:body>${body}</w:body></w:document>`,
    ...extra,
  });
}

interface MadeSlide {
  title: string;
  bullets?: readonly string[];
  rows?: readonly (readonly string[])[];
  notes?: string;
}

const P =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
/** A paragraph of a slide; text between double asterisks is bold. */
const paragraph = (text: string) =>
  `<a:p>${text
    .split("**")
    .map((part, i) => `<a:r>${i % 2 === 1 ? '<a:rPr b="1"/>' : ""}<a:t>${escape(part)}</a:t></a:r>`)
    .join("")}</a:p>`;
const shape = (type: string, texts: readonly string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${texts.map(paragraph).join("")}</p:txBody></p:sp>`;
const frame = (rows: readonly (readonly string[])[]) =>
  `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows
    .map((row) => `<a:tr>${row.map((cell) => `<a:tc><a:txBody>${paragraph(cell)}</a:txBody></a:tc>`).join("")}</a:tr>`)
    .join("")}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
const tree = (root: string, shapes: string) =>
  `<p:${root} ${P}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${root}>`;

/** A small PowerPoint file; its archive has the slides in reverse order. */
export function madePptx(slides: readonly MadeSlide[]): Uint8Array {
  const parts: Record<string, string> = {
    "ppt/presentation.xml": `<p:presentation ${P}><p:sldIdLst>${slides
      .map((_, i) => `<p:sldId id="${256 + i}" r:id="r${i}"/>`)
      .join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": rels(
      slides.map((_, i) => [`r${i}`, "slide", `slides/slide${slides.length - i}.xml`] as const),
    ),
  };
  slides.forEach(({ title, bullets = [], rows = [], notes }, i) => {
    const name = `slide${slides.length - i}.xml`;
    const shapes = `${shape("sldNum", ["7"])}${shape("body", bullets)}${shape("title", [title])}${rows.length ? frame(rows) : ""}`;
    parts[`ppt/slides/${name}`] = tree("sld", shapes);
    if (notes === undefined) return;
    parts[`ppt/slides/_rels/${name}.rels`] = rels([["n", "notesSlide", `../notesSlides/notes-${name}`]]);
    parts[`ppt/notesSlides/notes-${name}`] = tree("notes", shape("body", [notes]));
  });
  return zipOf(parts);
}
