import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DocumentUnreadableError, readDocument } from "#api/documents/document-reader.ts";
import type { Passage } from "#shared/pdf/schema.ts";

const corpus = process.env["CORPUS_DIR"] ?? "../shared/corpus";
const hasCorpus = existsSync(join(corpus, "textbook"));
// oxlint-disable-next-line no-console -- Reports in the test output what is skipped.
if (!hasCorpus) console.log(`PDF reading: skipped, no corpus at ${corpus}`);

async function readAll(path: string, pages?: [number, number]): Promise<Passage[]> {
  const passages: Passage[] = [];
  for await (const page of readDocument("pdf", path, pages ? { pages } : {})) passages.push(...page.passages);
  return passages;
}

function boldTerms(passages: readonly Passage[]): string[] {
  return passages.flatMap((passage) => passage.bold.map(([from, to]) => passage.text.slice(from, to)));
}

describe.skipIf(!hasCorpus)("a textbook chapter", () => {
  const chapter = join(corpus, "textbook/15-genes-and-proteins.pdf");

  test("keeps headings with their levels, and complete bold terms", async () => {
    const passages = await readAll(chapter);
    const headings = passages.filter(({ kind }) => kind === "heading");

    expect(headings[0]).toMatchObject({ text: "Genes and Proteins", level: 1, locator: { page: 1 } });
    expect(headings.find(({ text }) => text === "The Genetic Code")?.level).toBe(2);
    expect(boldTerms(passages)).toEqual(expect.arrayContaining(["colinear", "nonsense codons", "reading frame"]));
  });

  test("joins ligatures, and paragraphs across a page break", async () => {
    const passages = await readAll(chapter);
    const text = passages.map((passage) => passage.text).join("\n");

    expect(text).toContain("each amino acid is defined by".replace("each", "Each"));
    expect(text).not.toMatch(/de fi ned|de fined|defi ned/u);
    expect(text).toMatch(/nucleotide read in the DNA strand/u);
  });

  test("reads a range of pages the same as the whole", async () => {
    const all = await readAll(chapter);
    const part = await readAll(chapter, [5, 8]);

    expect(part).toEqual(all.filter(({ locator: { page = 0 } }) => page >= 5 && page <= 8));
  });
});

describe.skipIf(!hasCorpus)("bad files", () => {
  const folder = join(corpus, "pdf");

  test.each(["password-example.pdf", "encrypted.pdf"])("%s is reported as encrypted", async (name) => {
    await expect(readAll(join(folder, name))).rejects.toMatchObject({ fault: "encrypted" });
  });

  test("a reader that stops early frees the parser for the next", async () => {
    for await (const page of readDocument("pdf", join(folder, "gen_2000_pages.pdf"))) if (page.page === 3) break;

    expect((await readAll(join(folder, "tiny_pdf.pdf"))).length).toBeGreaterThanOrEqual(0);
  });

  test("a damaged file is refused with an error, and the next file is read", async () => {
    const names = readdirSync(folder).filter((name) => name.startsWith("qpdf_bad"));
    for (const name of names.slice(0, 6)) {
      const outcome = await readAll(join(folder, name)).catch((error: unknown) => error);
      if (!Array.isArray(outcome)) expect(outcome).toBeInstanceOf(DocumentUnreadableError);
    }
  });
});
