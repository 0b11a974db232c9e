import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "puppeteer";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestUser } from "#tests/kit/api.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aPage } from "#tests/store/changes.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { madeDocx, madePptx, wordParagraph } from "#tests/pdf/made-office.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const WORDS = "A codon names one amino acid.";

/** A photo of a board with the words. */
const aPhoto = () =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="240">
    <rect width="900" height="240" fill="white"/>
    <text x="40" y="140" font-family="DejaVu Sans, sans-serif" font-size="52" fill="black">${WORDS}</text></svg>`),
  )
    .png()
    .toBuffer();

/** A file from the corpus; undefined if the corpus is missing. */
function readCorpusFile(name: string): Uint8Array | undefined {
  const folder = corpusFolder("office");
  const path = folder && join(folder, name);
  return path && existsSync(path) ? readFileSync(path) : undefined;
}

/** Files of each kind. Those made here contain `WORDS`; `page` is the page or slide that has them. */
async function listFiles(): Promise<{ name: string; bytes: Uint8Array | undefined; quote?: string; page?: number }[]> {
  return [
    { name: "chapter.pdf", bytes: await tinyPdf([["Before it."], [WORDS]]).bytes(), page: 2 },
    { name: "essay.docx", bytes: madeDocx(wordParagraph("Codons", { style: "Heading1" }) + wordParagraph(WORDS)) },
    {
      name: "slides.pptx",
      bytes: madePptx([
        { title: "First", bullets: ["Before it"] },
        { title: "Codons", bullets: [WORDS] },
      ]),
      page: 2,
    },
    { name: "legacy_sample.ppt", bytes: readCorpusFile("legacy_sample.ppt") },
    { name: "good_footnotes.docx", bytes: readCorpusFile("good_footnotes.docx") },
    { name: "good_with_japanese.pptx", bytes: readCorpusFile("good_with_japanese.pptx") },
  ];
}

async function upload({ client }: TestUser, pageId: string, name: string, bytes: Uint8Array): Promise<string> {
  const files = [{ field: "file", file: new Blob([new Uint8Array(bytes)]), name }];
  return (await client.uploads.uploadImageComponent({ pageId }, files)).component._id;
}

/** Words of a document and their page: the quote if the document contains it, or else the first long passage. */
async function findWords({ client }: TestUser, id: string, quote: string): Promise<{ words: string; page: number }> {
  const { passages } = await client.pdf.getPassages({ id });
  const ours = passages.find(({ text }) => text.includes(quote));
  const found = ours ?? passages.find(({ text }) => text.length > 20);
  return { words: ours ? quote : (found?.text.slice(0, 200) ?? ""), page: found?.locator.page ?? 1 };
}

test("a file of each kind can be opened and read, and its quotes are highlighted", async () => {
  const server = await startServerProcess({ DEFAULT_PLAN: "PLUS" });
  const { student, user } = await registerStudent(browser, server.origin);
  const { page } = student;
  const faults: string[] = [];
  try {
    const pageId = await aPage(user, "Genetics");
    for (const { name, bytes, quote = WORDS, page: expectedPage = 1 } of await listFiles()) {
      if (!bytes) continue;
      const id = await upload(user, pageId, name, bytes);
      const { words, page: foundPage } = await findWords(user, id, quote);
      if (words === quote) expect([name, foundPage]).toEqual([name, expectedPage]);
      await student.open(`/pdf/${id}?page=${foundPage}&quote=${encodeURIComponent(words)}`);
      await page.waitForSelector(".pdf-lit, .lit");
      faults.push(...(await student.checkScreen(`kind-${name}`)));
    }
    const photo = await upload(user, pageId, "board.png", await aPhoto());
    await user.client.pdf.recogniseText({ id: photo });
    const read = async () => {
      const { passages } = await user.client.pdf.getPassages({ id: photo });
      return passages.map(({ text }) => text).join(" ");
    };
    await expect.poll(read, { timeout: 90_000 }).toContain("codon names one amino acid");
    await student.open("/knowledge");
    await student.waitForText("Ready");
    expect(faults).toEqual([]);
  } finally {
    await student.close();
    await server.dispose();
  }
});
