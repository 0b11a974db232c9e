import { expect, test } from "vitest";
import { fillTemplate, plainText } from "#api/documents/anki/card-markup.ts";
import { readTextDeck } from "#shared/flashcards/text-decks.ts";
import { fill, MAX_GROWTH, measureGrowth } from "#tests/kit/timing/growth.ts";

const fillIn = (template: string) =>
  fillTemplate(template, { fields: new Map(), frontSide: "", special: new Map(), cloze: (text) => text });

test.each<[string, (text: string) => unknown, string]>([
  ["unclosed tags of an Anki card", plainText, "<a b="],
  ["unclosed quotes in tags of an Anki card", plainText, `<a '`],
  ["quotes of an Anki card that hide the end of each tag", plainText, `<a">"`],
  ["closing tags of an Anki card without an end", plainText, "</a"],
  ["elements without text on an Anki card", plainText, "<iframe "],
  ["formulas of an Anki card without an end", plainText, String.raw`\(`],
  ["LaTeX of an Anki card without an end", plainText, "[latex]"],
  ["comments of an Anki template without an end", fillIn, "<!--"],
  ["white space in a deck of text", readTextDeck, "\u00A0"],
])("the work for %s grows with their length", (_, read, part) => {
  expect(measureGrowth(read, (chars) => fill(part, chars))).toBeLessThan(MAX_GROWTH);
});

test("formulas and tags of an Anki card are read as they were written", () => {
  const formulas = String.raw`\(a\) \[ b \] [latex]$c$[/latex] [LATEX]d[/LATEX] [$]e[/$] [$$]f[/$$]`;
  expect(plainText(formulas)).toBe("$a$ $$b$$ $$c$$ $$d$$ $e$ $$f$$");
  expect(plainText(`<b title="a > b">x</b><br>y < z <i class='c">d`)).toBe(`x\ny < z d`);
  expect(plainText("<script>gone</script ><style>gone")).toBe("");
});

test("the delimiter row of a table is not read as a card, with or without outer bars", () => {
  for (const rule of ["| --- | :--: |", "---|---", "  :--- | ---:  |"])
    expect(readTextDeck(`| Front | Back |\n${rule}\n| a | b |`).cards).toEqual([{ question: "a", answer: "b" }]);
});
