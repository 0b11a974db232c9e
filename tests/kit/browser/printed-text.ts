import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The text of a printed page, with single spaces. */
export async function readPrinted(paper: Uint8Array): Promise<string> {
  const printed = await getDocument({ data: new Uint8Array(paper), verbosity: 0 }).promise;
  const pages = Array.from({ length: printed.numPages }, async (_, i) =>
    (await (await printed.getPage(i + 1)).getTextContent()).items.map((item) =>
      "str" in item ? `${item.str}${item.hasEOL ? " " : ""}` : "",
    ),
  );
  return (await Promise.all(pages)).flat().join("").replaceAll(/\s+/g, " ");
}
