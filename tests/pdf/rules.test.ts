import { englishOf } from "#shared/messages/translate.ts";
import { assert, property, string, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { nestHeadings } from "#webapp/pdf/heading-outline.ts";
import { cleanFileName, classifyFile, titleOfFile, uploadTypes } from "#shared/uploads/rules.ts";

const latin = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const offered = (head: Uint8Array, name: string, type = "") => ({ name, type, head, sizeBytes: head.length });
const extensionOf = (head: Uint8Array, name: string, type = "") => {
  const verdict = classifyFile(offered(head, name, type));
  return verdict.ok ? verdict.type.extension : verdict.code;
};

const OLE = latin("\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\u001A\u00E1");
const zipOf = (entry: string) => latin(`PK\u0003\u0004${"\u0000".repeat(26)}${entry}`);

describe("the type of an uploaded file", () => {
  test.each([
    ["%PDF-1.7", "pdf"],
    ["\u00FF\u00D8\u00FF\u00E0", "jpg"],
    ["\u0089PNG\r\n\u001A\n", "png"],
    ["GIF89a", "gif"],
    ["RIFF\u0000\u0000\u0000\u0000WEBPVP8 ", "webp"],
    ["II*\u0000", "tiff"],
    ["MM\u0000*", "tiff"],
    [`BM${"\u0000".repeat(12)}\u0028\u0000\u0000\u0000`, "bmp"],
  ])("is detected from its content %j, whatever its name", (content, extension) => {
    for (const name of ["a", "a.txt", "a.pdf", "a.exe"]) expect(extensionOf(latin(content), name)).toBe(extension);
  });

  test("of the Office family is detected from its parts, or from its name if they can't be seen", () => {
    expect(extensionOf(zipOf("word/document.xml"), "a.zip")).toBe("docx");
    expect(extensionOf(zipOf("ppt/presentation.xml"), "a.docx")).toBe("pptx");
    expect(extensionOf(zipOf("[Content_Types].xml"), "a.docx")).toBe("docx");
    expect(extensionOf(zipOf("xl/workbook.xml"), "a.docx")).toBe("unsupported_file_type");
    expect(extensionOf(zipOf("readme.txt"), "a.zip")).toBe("unsupported_file_type");
    expect(extensionOf(OLE, "a.doc")).toBe("doc");
    expect(extensionOf(OLE, "a", "application/vnd.ms-powerpoint")).toBe("ppt");
    expect(extensionOf(OLE, "a.xls")).toBe("unsupported_file_type");
  });

  test("is refused by name if unsupported", () => {
    const html = latin("<script>alert(1)</script>");
    expect(classifyFile(offered(html, "a.html", "text/html"))).toMatchObject({
      ok: false,
      why: { reason: "file_type_unsupported", params: { type: "text/html" } },
    });
    expect(classifyFile(offered(html, "a.pdf", "text/html"))).toMatchObject({ code: "invalid_pdf" });
    expect(classifyFile(offered(html, "a.bin", "application/pdf"))).toMatchObject({ code: "invalid_pdf" });
  });

  test("a photo in a phone's own format is refused with advice", () => {
    const heic = latin("\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000");
    expect(classifyFile(offered(heic, "IMG_0001.HEIC"))).toMatchObject({
      code: "unsupported_file_type",
      why: { reason: "file_type_heic" },
    });
  });

  test("an AVIF picture is refused with advice", () => {
    const avif = latin("\u0000\u0000\u0000\u0020ftypavif\u0000\u0000\u0000\u0000");
    expect(classifyFile(offered(avif, "hopper.avif", "image/avif"))).toMatchObject({
      code: "unsupported_file_type",
      why: { reason: "file_type_avif" },
    });
  });

  test("never causes an error, whatever the bytes", () => {
    const bytes = uint8Array({ maxLength: 300 });
    assert(
      property(bytes, string(), string(), (head, name, type) => {
        const verdict = classifyFile(offered(head, name, type));
        expect(verdict.ok ? uploadTypes.includes(verdict.type) : englishOf(verdict.why).length > 0).toBe(true);
      }),
    );
  });
});

describe("the name of an uploaded file", () => {
  const [, png] = uploadTypes;

  test("contains no folder, no control character and no direction override", () => {
    if (!png) throw new Error("no type");
    expect(cleanFileName("../../etc/pass\u0000wd.png", png)).toBe("passwd.png");
    expect(cleanFileName("C:\\Users\\ada\\a.png", png)).toBe("a.png");
    expect(cleanFileName("gnp.\u202Eexe.png", png)).toBe("gnp.exe.png");
    expect(cleanFileName("", png)).toBe("file.png");
    expect(cleanFileName(".png", png)).toBe("file.png");
    expect(cleanFileName("x".repeat(500), png)).toHaveLength(200);
  });

  test("becomes a title without its extension", () => {
    expect(titleOfFile("15-genes_and_proteins.pdf")).toBe("15-genes and proteins");
    expect(titleOfFile("15-genes-and-proteins.pdf")).toBe("15 genes and proteins");
    expect(titleOfFile("Genes - a review.pdf")).toBe("Genes - a review");
    expect(titleOfFile("notes")).toBe("notes");
  });
});

const heading = (text: string, level: number, page: number) => ({
  id: text,
  kind: "heading" as const,
  text,
  level,
  locator: { page },
});

test("headings in capitals are sentences in the outline, with names and short forms as the text writes them", () => {
  const text = "Cells have ATP made by a gradient, an idea that came from Mitchell.";
  const outline = nestHeadings([
    heading("HOW ATP IS MADE", 1, 1),
    heading("THE IDEA OF MITCHELL", 2, 2),
    heading("DNA and RNA", 2, 3),
    { id: "x", kind: "paragraph", text, locator: { page: 1 } },
  ]);
  expect(outline).toMatchObject([
    { title: "How ATP is made", children: [{ title: "The idea of Mitchell" }, { title: "DNA and RNA" }] },
  ]);
});

test.each([
  ["HTTP与HTTPS的区别", "HTTP与HTTPS的区别 in der Übersicht."],
  ["GRUNDLAGEN DER ZELLBIOLOGIE", "Die Zelle hat Grundlagen."],
  ["THE NASA AND ESA MISSIONS", "Both agencies fly to space."],
])("the heading %s stays in capitals, because its source does not write all of its words", (title, text) => {
  const [entry] = nestHeadings([heading(title, 1, 1), { id: "x", kind: "paragraph", text, locator: { page: 1 } }]);
  expect(entry?.title).toBe(title);
});

test("the first word of a numbered heading in capitals begins with a capital", () => {
  const text = "There are two memory systems.";
  const [entry] = nestHeadings([
    heading("1.2 MEMORY SYSTEMS", 1, 1),
    { id: "x", kind: "paragraph", text, locator: { page: 1 } },
  ]);
  expect(entry?.title).toBe("1.2 Memory systems");
});

test("headings become a nested outline with page numbers", () => {
  const paragraph = { id: "x", kind: "paragraph" as const, text: "Words.", locator: { page: 1 } };
  const outline = nestHeadings([
    heading("The genetic code", 1, 1),
    paragraph,
    heading("The code is degenerate", 2, 3),
    heading("Transcription", 1, 5),
  ]);
  expect(outline).toMatchObject([
    { title: "The genetic code", page: 1, children: [{ title: "The code is degenerate", page: 3, children: [] }] },
    { title: "Transcription", page: 5, children: [] },
  ]);
});
