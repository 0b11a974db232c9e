import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDocument } from "#api/documents/document-reader.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";

/** A page labelled by a person: the beginnings of its sentences in reading order. */
interface LabelledPage {
  pdf: string;
  page: number;
  sentences: string[];
}

const labelled = JSON.parse(readFileSync(join(import.meta.dirname, "reading-order.json"), "utf8")) as LabelledPage[];

/** The next sentence starts within this distance; one that was skipped or in another column is farther away. */
const NEAR_CHARS = 900;

const plain = (text: string) => text.normalize("NFKC").replaceAll("’", "'").replaceAll(/\s+/gu, " ");

async function textOf(path: string, page: number): Promise<string> {
  const texts: string[] = [];
  // A paragraph that continues from the page before is read with that page.
  for await (const read of readDocument("pdf", path, { pages: [Math.max(1, page - 1), page] }))
    for (const { kind, text } of read.passages) if (kind !== "running_head") texts.push(plain(text));
  return texts.join(" ");
}

test("at least 95 of 100 labelled sentence pairs in two-column pages are in reading order", async () => {
  const folder = corpusFolder("pdf");
  if (!folder) return;
  const wrong: string[] = [];
  let pairs = 0;
  for (const { pdf, page, sentences } of labelled) {
    const text = await textOf(join(folder, pdf), page);
    let at = text.lastIndexOf(plain(sentences[0] ?? ""));
    for (const [index, next] of sentences.slice(1).entries()) {
      pairs++;
      const nextAt = text.indexOf(plain(next), Math.max(0, at));
      if (at === -1 || nextAt === -1 || nextAt - at > NEAR_CHARS)
        wrong.push(`${pdf} page ${page}: "${sentences[index]}" then "${next}"`);
      at = nextAt === -1 ? text.indexOf(plain(next)) : nextAt;
    }
  }
  expect(pairs).toBeGreaterThanOrEqual(100);
  process.stdout.write(
    `reading order: ${pairs - wrong.length} of ${pairs} pairs\n${wrong.map((w) => `  ${w}\n`).join("")}`,
  );
  expect(wrong.length / pairs, wrong.join("\n")).toBeLessThanOrEqual(0.05);
});
