import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { closeParsers } from "#api/documents/process/parser-pool.ts";
import { readDocument } from "#api/documents/document-reader.ts";
import { toLogicalText } from "#shared/pdf/layout/right-to-left.ts";

describe("text of right-to-left runs", () => {
  test.each([
    ["shapes of Arabic letters become letters", "ﻏﻴﺮ", "غير"],
    ["an Arabic ligature becomes its letters", "ﻻ", "لا"],
    ["shapes of Hebrew letters become letters", "שּׁלום", "שּׁלום".normalize("NFKC")],
    ["the letters of a ligature are in the order in which they are written", "اإلنتاجية", "الإنتاجية"],
    ["the full stop of a line comes last", ".تمت المراجعة", "تمت المراجعة."],
    ["the colon of a line comes last", ":שלום לכולם", "שלום לכולם:"],
    ["a line that ends already keeps its beginning", ".تمت المراجعة.", ".تمت المراجعة."],
  ])("%s", (_, text, logical) => {
    expect(toLogicalText(text)).toBe(logical);
  });
});

const sheet = join(
  process.env["CORPUS_DIR"] ?? "../shared/corpus",
  "subjects/notes-ar-cheatsheet-unsupervised-learning.pdf",
);
afterAll(closeParsers);

test.skipIf(!existsSync(sheet))("an Arabic sheet is read in letters that can be searched", async () => {
  const texts: string[] = [];
  for await (const { passages } of readDocument("pdf", sheet)) texts.push(...passages.map(({ text }) => text));
  expect(texts[0]).toContain("مرجع سريع");
  expect(texts.join("\n")).not.toMatch(/[\uFB50-\uFDFF\uFE70-\uFEFE]/u);
});
