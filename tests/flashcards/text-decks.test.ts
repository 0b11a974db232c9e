import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseCardText } from "#shared/flashcards/card-text.ts";
import { findDuplicates, cardMatches, moveCards, splitSearchWords, toggleTag } from "#shared/flashcards/deck-edits.ts";
import { readTextDeck, writeTextDeck } from "#shared/flashcards/text-decks.ts";
import { aCard } from "#tests/store/changes.ts";

const cards = [
  { question: 'say "hello", twice', answer: "line one\nline two" },
  { question: "a | b; c", answer: "tab\there" },
  { question: "naïve Ω 漢字 🙂", answer: "ﬁ" },
];

test.each(["csv", "tsv", "markdown"] as const)("a deck exported as %s imports unchanged", (format) => {
  expect(readTextDeck(writeTextDeck(cards, format))).toEqual({ cards, leftOut: 0 });
});

const side = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
  .filter(
    (text) =>
      text.trim() === text &&
      !/[\r\t|\\<]/.test(text) &&
      !/^[=+\-@]/.test(text) &&
      !/^(question|front|term|word)$/i.test(text),
  );

test("any card content survives a CSV round trip", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ question: side, answer: side }), { minLength: 1, maxLength: 8 }), (made) => {
      expect(readTextDeck(writeTextDeck(made, "csv")).cards).toEqual(made);
    }),
  );
});

test("imports text from Quizlet, spreadsheets and Markdown, and counts rows without an answer", () => {
  expect(readTextDeck("cell\tsmallest unit\nnucleus\tholds DNA\nlonely\n")).toEqual({
    cards: [
      { question: "cell", answer: "smallest unit" },
      { question: "nucleus", answer: "holds DNA" },
    ],
    leftOut: 1,
  });
  expect(readTextDeck("cell - smallest unit\nnucleus - holds - DNA").cards[1]).toEqual({
    question: "nucleus",
    answer: "holds - DNA",
  });
  expect(readTextDeck("\uFEFFFront;Back;Tags\r\ncell;unit;bio exam\r\n").cards).toEqual([
    { question: "cell", answer: "unit", tags: ["bio", "exam"] },
  ]);
  expect(readTextDeck("| Question | Answer |\n|---|:--|\n| a \\| b | c<br>d |\n").cards).toEqual([
    { question: "a | b", answer: "c\nd" },
  ]);
  expect(readTextDeck("")).toEqual({ cards: [], leftOut: 0 });
});

test("a deck exported for Quizlet has one card a line with a tab between its sides", () => {
  const text = writeTextDeck(
    [
      { question: "cell", answer: "smallest\nunit", tags: ["bio"] },
      { question: 'the "nucleus"', answer: "holds\tDNA" },
    ],
    "quizlet",
  );
  expect(text).toBe('cell\tsmallest unit\nthe "nucleus"\tholds DNA\n');
  expect(readTextDeck(text).cards).toEqual([
    { question: "cell", answer: "smallest unit" },
    { question: 'the "nucleus"', answer: "holds DNA" },
  ]);
});

test("text that a spreadsheet would run as a formula is exported as text", () => {
  const csv = writeTextDeck([{ question: '=HYPERLINK("http://evil.example")', answer: "-3" }], "csv");
  expect(csv).toContain('" =HYPERLINK(""http://evil.example"")",-3');
  // German Excel also splits cells at semicolons, and Excel reads full-width characters like plain ones.
  const german = writeTextDeck([{ question: "a;=cmd()", answer: "＝cmd()" }], "csv");
  expect(german).toContain("a; =cmd(), ＝cmd()");
});

test.each(["a;=cmd()", "x; -y", "for (;;  -i)", "int a;\nint b;", "=1+1"])(
  "%j is the same after export and import",
  (answer) => {
    const card = { question: "What does it do?", answer };
    for (const format of ["csv", "tsv"] as const)
      expect(readTextDeck(writeTextDeck([card], format)).cards).toEqual([card]);
  },
);

const kinds = (text: string) => parseCardText(text).map((piece) => `${piece.kind}:${piece.text}`);

test("a card side is parsed into text, blanks, code, formulas and pictures", () => {
  expect(kinds("The ____ of `x` is $x^2$")).toEqual([
    "text:The ",
    "blank:____",
    "text: of ",
    "code:x",
    "text: is ",
    "math:x^2",
  ]);
  expect(kinds("costs $5 and $6")).toEqual(["text:costs $5 and $6"]);
  expect(kinds("![cell](/v1/files/01a.png)")).toEqual(["image:cell"]);
  expect(kinds("![x](https://evil.example/a.png) <img src=x>")).toEqual([
    "text:![x](https://evil.example/a.png) <img src=x>",
  ]);
  expect(kinds("```js\nlet a;\n```")).toEqual(["code_block:let a;"]);
});

test("duplicate questions are found regardless of punctuation and case, the most complete first", () => {
  const [a, b, c] = [
    aCard("a", "What is ATP?"),
    { ...aCard("b", "what is  atp"), answer: "a much longer answer than that one" },
    aCard("c", "Else"),
  ];
  expect(findDuplicates([a, b, c]).map((group) => group.map(({ id }) => id))).toEqual([["b", "a"]]);
});

const ask = (id: string, questionImage: string | null) => ({ ...aCard(id, "What is this?"), questionImage });

test("cards that ask the same about different pictures are no duplicates", () => {
  const cardsWithPictures = [ask("a", "/v1/files/a.png"), ask("b", "/v1/files/b.png"), ask("c", null), ask("d", null)];
  expect(findDuplicates(cardsWithPictures).map((group) => group.map(({ id }) => id))).toEqual([["c", "d"]]);
});

test("cards can be searched by words and tags, and tagged and moved together", () => {
  const deck = ["a", "b", "c", "d"].map((id) => aCard(id, `Question ${id}`));
  const ids = new Set(["a", "c"]);
  const tagged = toggleTag(deck, ids, "exam");
  expect(tagged.filter((card) => cardMatches(card, splitSearchWords("#ex question"))).map(({ id }) => id)).toEqual([
    "a",
    "c",
  ]);
  expect(toggleTag(tagged, ids, "exam")).toEqual(deck);
  expect(moveCards(deck, ids, 99).map(({ id }) => id)).toEqual(["b", "d", "a", "c"]);
});
