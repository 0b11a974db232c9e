import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { closeParsers } from "#api/documents/process/parser-pool.ts";
import { readDocument } from "#api/documents/document-reader.ts";
import { toReadingOrder } from "#shared/pdf/layout/visual-order.ts";
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

const run = (text: string, u: number, isRightToLeft: boolean, hasSpaceBefore = false) => ({
  text,
  u,
  v: 100,
  width: 10,
  size: 10,
  isBold: false,
  isItalic: false,
  isMono: false,
  isRightToLeft,
  hasSpaceBefore,
});
const joined = (items: readonly { text: string; hasSpaceBefore: boolean }[]) =>
  items.map(({ text, hasSpaceBefore }) => `${hasSpaceBefore ? " " : ""}${text}`).join("");

describe("runs of a right-to-left line", () => {
  test("in visual order are read from the right, with numbers and Latin words from the left", () => {
    const line = [
      run(".", 10, false),
      run("בכיתה", 20, true),
      run("{", 70, false, true),
      run("x", 80, false),
      run("2", 90, false, true),
      run("}", 100, false),
      run("התלמיד", 110, true, true),
    ];
    expect(joined(toReadingOrder(line))).toBe("התלמיד {x 2} בכיתה.");
  });

  test("in reading order keep their order", () => {
    const line = [run("התלמיד", 110, true), run("בכיתה", 20, true, true), run(".", 10, false)];
    expect(joined(toReadingOrder(line))).toBe("התלמיד בכיתה.");
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
  expect(texts.some((text) => text.startsWith("ما ترمز بالحرف z. في مايلي"))).toBe(true);
  expect(texts.join("\n")).not.toMatch(/[\uFB50-\uFDFF\uFE70-\uFEFE]/u);
});
