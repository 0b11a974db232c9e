import { readdirSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { readDocument, DocumentUnreadableError } from "#api/documents/document-reader.ts";
import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { madeDocx, madePptx, wordParagraph, wordTable } from "./made-office.ts";

type Kind = Parameters<typeof readDocument>[0];

async function read(kind: Kind, bytes: Uint8Array | string): Promise<Passage[]> {
  const source = kind === "text" || kind === "html" || kind === "captions" ? strToU8(String(bytes)) : bytes;
  const passages: Passage[] = [];
  for await (const page of readDocument(kind, source)) passages.push(...page.passages);
  return passages;
}

const faultOf = (reading: Promise<unknown>) =>
  reading.then(
    () => "read",
    (error: unknown) => (error instanceof DocumentUnreadableError ? error.fault : error),
  );

const short = ({ kind, text, locator: { page, heading } }: Passage) => [page, kind, text, heading];

async function upload(user: TestUser, bytes: Uint8Array, name: string) {
  const file = new Blob([new Uint8Array(bytes)]);
  const { component } = await user.client.uploads.uploadImageComponent({}, [{ field: "file", file, name }]);
  return component._id;
}

const sentence = "Ribosomes read messenger RNA and build a chain of amino acids. ";

const chapter = (title: string, sentences: number) =>
  wordParagraph(title, { style: "Heading1" }) +
  Array.from({ length: sentences }, () => wordParagraph(sentence)).join("");

describe("a Word file", () => {
  test("reads as headings, paragraphs, table rows and notes, with its bold terms and formulas", async () => {
    const note = '<w:r><w:footnoteReference w:id="2"/></w:r>';
    const maths = "<m:oMathPara><m:oMath><m:r><m:t>E=m</m:t></m:r><m:r><m:t>c²</m:t></m:r></m:oMath></m:oMathPara>";
    const body = [
      wordParagraph("Cells", { style: "Heading1" }),
      wordParagraph(" is where proteins are made.", { bold: "The ribosome", inner: note }),
      wordTable([
        ["Part", "Does"],
        ["Nucleus", "keeps the genome"],
      ]),
      wordParagraph("Energy: ", { inner: maths }),
    ].join("");

    const passages = await read("docx", madeDocx(body, { note: "First seen in 1955." }));

    expect(passages.map(short)).toEqual([
      [1, "heading", "Cells", undefined],
      [1, "paragraph", "The ribosome is where proteins are made.", "Cells"],
      [1, "footnote", "First seen in 1955.", "Cells"],
      [1, "table_row", "Part\tDoes", "Cells"],
      [1, "table_row", "Nucleus\tkeeps the genome", "Cells"],
      [1, "paragraph", "Energy: E=mc²", "Cells"],
    ]);
    expect(passages[0]?.level).toBe(1);
    expect(passages[1]?.bold).toEqual([[0, "The ribosome".length]]);
  });

  test("is counted in sections: a chapter starts one, and a long chapter has several", async () => {
    const passages = await read("docx", madeDocx(chapter("One", 20) + chapter("Two", 100)));

    const pages = passages.map(({ locator }) => locator.page ?? 0);
    expect(passages.find(({ text }) => text === "Two")?.locator.page).toBe(2);
    expect(Math.max(...pages)).toBe(4);
    expect(pages).toEqual(pages.toSorted((a, b) => a - b));
  });

  test("with recursive or external entities is read without them", async () => {
    const doctype = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`;
    const body = "<w:p><w:r><w:t>before &b; &f; after</w:t></w:r></w:p>";

    const [passage] = await read("docx", madeDocx(body, { doctype }));

    expect(passage?.text).toBe("before after");
  });

  test("that is a zip bomb, truncated or another kind of archive is refused before unpacking", async () => {
    const good = madeDocx(wordParagraph("Hello."));
    const bomb = zipSync({ "word/document.xml": new Uint8Array(12_000_000) }, { level: 6 });
    const many = zipSync(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`a${i}`, new Uint8Array()])));

    expect(await faultOf(read("docx", bomb))).toBe("too_large");
    expect(await faultOf(read("docx", many))).toBe("too_large");
    expect(await faultOf(read("docx", good.slice(0, good.length - 40)))).toBe("corrupt");
    expect(await faultOf(read("docx", zipSync({ "a.txt": strToU8("hello") })))).toBe("corrupt");
    expect(await faultOf(read("docx", good))).toBe("read");
  });
});

describe("a PowerPoint file", () => {
  test("is read slide by slide in presentation order: title, bullets, rows, then the speaker's notes", async () => {
    const passages = await read(
      "pptx",
      madePptx([
        { title: "Mitosis", bullets: ["Prophase", "Metaphase"], notes: "Ask about meiosis." },
        { title: "Counts", rows: [["Phase", "Minutes"]] },
      ]),
    );

    expect(passages.map(short)).toEqual([
      [1, "heading", "Mitosis", undefined],
      [1, "list_item", "Prophase", "Mitosis"],
      [1, "list_item", "Metaphase", "Mitosis"],
      [1, "paragraph", "Ask about meiosis.", "Speaker notes"],
      [2, "heading", "Counts", undefined],
      [2, "table_row", "Phase\tMinutes", "Counts"],
    ]);
  });

  test("in the old format is read with titles, bullets and notes", async () => {
    const folder = corpusFolder("office");
    if (!folder) return;
    const passages: Passage[] = [];
    for await (const page of readDocument("ppt", join(folder, "legacy_sample.ppt"))) passages.push(...page.passages);
    const rows = passages.map(short);

    expect(rows).toContainEqual([2, "heading", "Second slide title", undefined]);
    expect(rows).toContainEqual([2, "list_item", "And baz things", "Second slide title"]);
    expect(rows).toContainEqual([2, "paragraph", "Some notes on the second slide.", "Speaker notes"]);
  });
});

describe("other text", () => {
  test("captions become sentences with their times", async () => {
    const vtt =
      "WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ada>The cell is\n\n00:03.000 --> 00:05.500\n<v Ada><b>alive</b>.\n\n00:20.000 --> 00:21.000\n<v Bea>So\n<script>alert(1)</script>\n";
    const srt = "1\r\n00:00:01,000 --> 00:00:02,500\r\nHello &amp; welcome.\r\n";
    const [loose] = await read("captions", "WEBVTT\n00:11.000 --> 00:13.000line:40%\nNo empty line.");
    expect(loose).toMatchObject({ text: "No empty line.", locator: { startMs: 11_000, endMs: 13_000 } });

    const passages = await read("captions", vtt);
    const [plain] = await read("captions", srt);

    expect(passages[0]).toMatchObject({ text: "The cell is alive.", locator: { startMs: 1000, endMs: 5500 } });
    expect(passages[0]?.bold).toEqual([[12, 17]]);
    expect(passages).toHaveLength(2);
    expect(passages[1]?.text).not.toContain("<");
    expect(plain).toMatchObject({ text: "Hello & welcome.", locator: { startMs: 1000, endMs: 2500 } });
  });

  test("a web page is reduced to its article, without scripts and menus", async () => {
    const article = `<h2>Osmosis</h2><p>${sentence.repeat(6)}</p><ul><li>first</li><li>second</li></ul><p>${sentence.repeat(6)}</p>`;
    const html = `<html><head><title>Biology</title></head><body><nav><a href=/>Home</a></nav><article>${article}</article><script>document.write("<p>evil</p>")</script></body></html>`;

    const passages = await read("html", html);

    expect(passages.map(({ kind }) => kind)).toEqual([
      "heading",
      "heading",
      "paragraph",
      "list_item",
      "list_item",
      "paragraph",
    ]);
    expect(JSON.stringify(passages)).not.toMatch(/evil|Home/u);
  });

  test("text in a legacy encoding is decoded", async () => {
    const japanese = Uint8Array.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x95, 0xb6, 0x8f, 0xcd]);
    const passages: Passage[] = [];
    for await (const page of readDocument("text", japanese)) passages.push(...page.passages);

    expect(passages[0]?.text).toBe("日本語の文章");
  });
});

describe("an uploaded document", () => {
  test("from Office returns passages like a PDF, some pages or all, and only to its owner", async () => {
    const api = await startApi();
    const ada = await api.newUser();
    const eve = await api.newUser();
    const slides = ["One", "Two", "Three"].map((title) => ({ title, bullets: [sentence.trim()] }));
    const id = await upload(ada, madePptx(slides), "talk.pptx");

    const all = await ada.client.pdf.getPassages({ id });
    const second = await ada.client.pdf.getPassages({ id, from: 2, to: 2 });

    expect(all.pageCount).toBe(3);
    expect(second.passages.map(({ text }) => text)).toEqual(["Two", sentence.trim()]);
    await expect(eve.client.pdf.getPassages({ id })).rejects.toMatchObject({ code: "not_found" });
  });

  test("makes flashcards that cite its slides", async () => {
    const api = await startApi();
    const ada = await api.newUser();
    const bullets = [
      "Photosynthesis is the process by which plants turn light into sugar.",
      "Chlorophyll is a green pigment that absorbs light in the chloroplast.",
      "Osmosis is the movement of water across a membrane.",
    ];
    const componentId = await upload(ada, madePptx([{ title: "Plants", bullets }]), "plants.pptx");

    const { cards } = await ada.client.flashcards.generateCards({ pdfComponents: [{ componentId }] }, []);

    expect(cards.length).toBeGreaterThan(0);
    expect(cards[0]?.citation).toContain(`pdf_citation:${componentId}:1`);
  });

  test("that can't be read is refused with the specification's message, and not counted", async () => {
    const api = await startApi();
    const ada = await api.newUser({ plan: "FREE" });
    const broken = madeDocx(wordParagraph("Hello.")).slice(0, 200);

    await expect(upload(ada, broken, "a.docx")).rejects.toMatchObject({
      code: "invalid_file",
      message: "The file couldn't be processed. Please ensure it's a valid file and try again.",
    });
    expect((await ada.client.user.getUsage({})).fileUploads).toBe(0);
  });

  test("uploaded a second time isn't parsed again", async () => {
    const api = await startApi();
    const ada = await api.newUser();
    const bytes = madeDocx(wordParagraph(sentence));
    const first = await ada.client.pdf.getPassages({ id: await upload(ada, bytes, "a.docx") });

    const again = await ada.client.pdf.getPassages({ id: await upload(ada, bytes, "b.docx") });

    expect(again).toEqual(first);
    const own = api.deps.store.collection<{ _id: string; ownerId: string }>({
      name: "document_readings",
      shardKey: "ownerId",
      indexes: [],
    });
    expect(await own.count({ ownerId: ada.userId })).toBe(1);
  });
});

test("every good office file of the corpus yields text", async () => {
  const folder = corpusFolder("office");
  if (!folder) return;
  for (const name of readdirSync(folder).filter((file) => /^(?:good_|word_|powerpoint_)/u.test(file))) {
    // The handbook of 872 pages takes too long here and is read by the long sweep.
    if (name.includes("872p")) continue;
    const kind = documentKindOf(name);
    if (!kind || kind === "image") throw new Error(name);
    let chars = 0;
    for await (const page of readDocument(kind, join(folder, name)))
      chars += page.passages.reduce((sum, { text }) => sum + text.length, 0);
    expect(chars, name).toBeGreaterThan(30);
  }
});
