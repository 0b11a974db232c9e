/** The kind of a file for the reader. Images have no text until their text is recognised. */
export type DocumentKind = "pdf" | "docx" | "doc" | "pptx" | "ppt" | "html" | "captions" | "text" | "image";

const kinds: Readonly<Record<string, DocumentKind>> = {
  pdf: "pdf",
  docx: "docx",
  doc: "doc",
  pptx: "pptx",
  ppt: "ppt",
  html: "html",
  htm: "html",
  xhtml: "html",
  vtt: "captions",
  srt: "captions",
  txt: "text",
  text: "text",
  md: "text",
  markdown: "text",
  jpg: "image",
  jpeg: "image",
  png: "image",
  gif: "image",
  bmp: "image",
  webp: "image",
  tif: "image",
  tiff: "image",
};

/** The kind of a document by the extension of its name or stored id; undefined if unsupported. */
export function documentKindOf(name: string): DocumentKind | undefined {
  const extension = /\.([a-z]{2,8})$/iu.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(kinds, extension) ? kinds[extension] : undefined;
}
