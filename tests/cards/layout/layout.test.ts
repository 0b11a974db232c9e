import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readLayout } from "#shared/cards/layout/block-classes.ts";
import { isUnderstandableAlone } from "#shared/cards/generate/other-languages.ts";
import { applyStep } from "#shared/cards/source/apply-cleaning.ts";
import { stepsAfterOpening, stepsBeforeOpening } from "#shared/cards/source/cleaning-steps.ts";
import { cleanSentence } from "#shared/cards/source/cleaning.ts";
import { isEnglish, splitByLanguage } from "#shared/text/language.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { cardsOf, cardTexts } from "../card-texts.ts";

type Example = { kind: Passage["kind"]; text: string; class: string };
const examples = JSON.parse(readFileSync(join(import.meta.dirname, "blocks.json"), "utf8")) as Example[];

const passage = ({ kind, text }: Pick<Example, "kind" | "text">, i: number): Passage => ({
  id: `p${i}`,
  kind,
  text,
  bold: [],
  italic: [],
  locator: {},
});

test("each block of a source is classified as its label says", () => {
  const found = readLayout(examples.map(passage)).map(({ blockClass }, i) => [examples[i]?.text, blockClass]);
  expect(found).toEqual(examples.map((example) => [example.text, example.class]));
});

const head = (page: number, top: number): Passage => ({
  ...passage({ kind: "heading", text: `Lamps of the coast ${page}` }, page),
  locator: { page, rect: [40, top, 100, 10] },
});

test("headings at the same height on several pages are classified as page headers", () => {
  expect(readLayout([head(1, 20), head(2, 21), head(3, 300)]).map(({ blockClass }) => blockClass)).toEqual([
    "running_head",
    "running_head",
    "heading",
  ]);
});

const LISTING = [
  "Algorithm 1: How a keeper lights the lamp",
  "1 Function Light(lamp) /* at dusk */ Data: the hour of the day and the state of every single lamp of the tower.",
  "2\tif the sun is down then",
  "3\tturn the lamp on;",
  "4\telse",
  "Result: a lamp",
  "5\twait;",
];
const classesOf = (texts: readonly string[]) =>
  readLayout(texts.map((text, i) => passage({ kind: "paragraph", text }, i))).map(({ blockClass }) => blockClass);

test("numbered lines with code characters are classified as a listing, and the text after them is not", () => {
  expect(
    classesOf([...LISTING, "A keeper lights the lamp at dusk and puts it out at dawn, every day of the year in turn."]),
  ).toEqual(["caption", "code", "code", "code", "code", "code", "code", "prose"]);
});

test("a numbered list without any code stays a list", () => {
  expect(classesOf(["1 The lamp burns oil", "2 The bell rings", "3 The horn blows", "4 The keeper sleeps"])).toEqual([
    "prose",
    "prose",
    "prose",
    "prose",
  ]);
});

test("a backslash is part of a command on a printed page, and an escape in Markdown", () => {
  const text = String.raw`In a table, \\ starts a new line and \- allows a break.`;
  expect(cleanSentence(text, true)).toBe(text);
  expect(cleanSentence(String.raw`The keeper\'s lamp is old.`, true)).toBe("The keeper's lamp is old.");
  expect(cleanSentence(String.raw`The lamp costs 5\* francs in every harbour.`)).toBe(
    "The lamp costs 5* francs in every harbour.",
  );
});

describe("Markdown is read without its markup", () => {
  const source = [
    "---\ntitle: Tables\n---\n\n# Tables\n\n!!! abstract\n\n    A <u>hash table</u> is a `table` of&nbsp;pairs.",
    '=== "Python"\n\n    ```python\n    a = {}\n    ```\n\n::: note\n<!-- hidden -->',
    '<p align="center"> Table <id> &nbsp; Cost of a query </p>\n\n![A bucket](bucket.png)',
  ].join("\n\n");

  test("tags give emphasis, directives give nothing, and captions are captions", () => {
    const passages = passagesFromText(source);
    expect(passages.map((p) => [p.kind, p.text])).toEqual([
      ["heading", "Tables"],
      ["paragraph", "A hash table is a table of pairs."],
      ["code", "    a = {}"],
      ["caption", "Cost of a query"],
      ["caption", "A bucket"],
    ]);
    expect(passages[1]?.bold).toEqual([[2, 12]]);
  });
});

describe("the language is detected from sentences only", () => {
  const prose = "The tide is the rise and fall of the sea, and it is a result of the pull of the moon.";

  test("code and formulas are ignored", () => {
    const code = "```\nfor (let lamp = 0; lamp < lamps; lamp++) turn(lamp);\n```\n\n";
    expect(isEnglish(passagesFromText(`${code.repeat(40)}${prose}`))).toBe(true);
  });

  test("each passage has its own language", () => {
    const german = "Die Gezeiten sind das Steigen und Fallen des Meeres, und sie entstehen durch den Mond.";
    const { english, other } = splitByLanguage(passagesFromText(`${prose}\n\n${german}`));
    expect([english.length, other.length]).toEqual([1, 1]);
  });
});

describe("tables, lists and formulas", () => {
  test("the cells of a table are asked by row and column, with the rows as quote", () => {
    const table =
      "# Tides\n\nThe tides of a coast differ in their height and in how often they come.\n\n" +
      "| Tide | Height | Cause |\n|---|---|---|\n| Spring tide | 4 m | aligned sun |\n| Neap tide | 2 m | sun at right angles |";
    const card = cardsOf(passagesFromText(table), "AUTO").find(({ answer }) => answer === "2 m");
    expect(card?.question).toBe("Tides: What is listed under “Height” for “Neap tide”?");
    expect(card?.quote).toContain("Neap tide");
  });

  test("a table whose rows and columns are code makes no questions", () => {
    const table =
      "# Commands\n\nThe commands of a harbour differ in their height and in how often they come.\n\n" +
      "| lim \\lim | gcd \\gcd | arg \\arg |\n|---|---|---|\n| sin \\sin | cos \\cos | tan \\tan |\n| max \\max | min \\min | sup \\sup |";
    expect(cardTexts(table).filter((face) => face.includes("listed under"))).toEqual([]);
  });

  test("a formula is asked as a whole after the sentence that introduces it", () => {
    const text =
      "The height of a tide falls with the distance of the moon from the coast.\n\n" +
      "The load factor of a hash table is defined as:\n\n$$ load = size / capacity $$\n\nA table with a high load factor is slow to search.";
    const found = cardTexts(text, "AUTO").filter((face) => face.includes("$"));
    expect(found).toEqual(["The load factor of a hash table is defined as: ____ → $load = size / capacity$"]);
  });

  test("a formula keeps the text in its brackets", () => {
    const text =
      "The **time complexity** of a lookup in a hash table is $O(1)$ on average for all tables.\n\n" +
      "A **lookup** is a search for the value that belongs to a key in a hash table.";
    for (const face of cardTexts(text)) expect(face).not.toContain("$O$");
  });

  test("a list after a sentence without a suitable verb makes no question", () => {
    const text =
      "Separate chaining has the following limitations:\n\n- More space\n- Slower lookups\n\n" +
      "Computing an index involves the following two steps:\n\n- Hash the key\n- Take the remainder";
    const found = cardTexts(text).filter((face) => face.includes(";"));
    expect(found).toEqual(["What are the limitations of separate chaining? → More space; Slower lookups"]);
  });
});

const asked = (text: string) => cardsOf(passagesFromText(text), "AUTO").map((c) => `${c.question} → ${c.answer}`);

describe("other languages", () => {
  test.each([
    [
      "Die Osmose ist ein Vorgang, bei dem Wasser durch eine dünne Wand wandert. Es ist ein wichtiger Vorgang.",
      ["Was ist die Osmose? → Ein Vorgang, bei dem Wasser durch eine dünne Wand wandert"],
    ],
    [
      "Le but de la respiration est de produire de l’énergie pour la cellule et pour le corps.",
      ["Quel est le but de la respiration ? → Produire de l’énergie pour la cellule et pour le corps"],
    ],
    [
      "Las mareas son movimientos del mar que la luna causa dos veces al día en las costas.",
      ["¿Qué son las mareas? → Movimientos del mar que la luna causa dos veces al día en las costas"],
    ],
    [
      "Estimador – Um estimador é uma função dos dados que é usada para inferir o valor de um parâmetro.",
      ["O que é um estimador? → Uma função dos dados que é usada para inferir o valor de um parâmetro"],
    ],
    [
      "El punto más alto de la marea en la costa se denomina pleamar y dura muy poco tiempo.",
      ["El punto más alto de la marea en la costa se denomina ____ y dura muy poco tiempo. → pleamar"],
    ],
    [
      "Der Nebel kommt am Morgen vom Meer. Eine Boje ist ein Zeichen, das im Wasser schwimmt, für die Schiffe der Küste.",
      ["Was ist eine Boje? → Ein Zeichen, das im Wasser schwimmt, für die Schiffe der Küste"],
    ],
    [
      "O farol guia os navios. Uma boia é um sinal flutuante que indica o caminho aos navios [12].",
      ["O que é uma boia? → Um sinal flutuante que indica o caminho aos navios"],
    ],
  ])("%s", (text, cards) => {
    expect(asked(text)).toEqual(cards);
  });

  test.each([
    [
      "a clause before its verb is no term",
      "Wenn der Wind fällt dann ist der Hafen ein sicherer Ort für kleine Schiffe.",
    ],
    [
      "nor is one that another passage names",
      "El principal peligro de esta costa es la corriente que arrastra los barcos.",
    ],
    ["a remark says no kind of thing", "Entrar neste porto é um pouco mais complicado do que parece aos pilotos."],
    [
      "a part of the source is no answer",
      "**Capitolo 3** descrive la struttura di base delle lampade del porto antico.",
    ],
    [
      "nor is a word that joins others",
      "Der Lotse muss das Licht gesehen haben **und** die Glocke gehört, bevor er einläuft.",
    ],
    [
      "the argument in the middle of a paragraph is the one that the text just spoke of",
      "Der Befehl öffnet das Tor des Hafens. Das Argument ist eine Zahl, die der Lotse am Morgen bekommt.",
    ],
    ["a term with a clause in it is torn", "La torre que guía es una torre de piedra para los barcos de la costa."],
    ["nor is one that only follows", "Os sinais que se seguem são luzes que o farol mostra aos navios da costa."],
    ["the letter of a footnote is no part of a term", "aEsto es una nota breve que explica la luz de un faro antiguo."],
    [
      "a word that opens its sentence is no name because of its capital",
      "Außerdem sind die Lampen der großen Türme die hellsten Lichter an der Küste.",
    ],
    [
      "a blank does not lean on the sentence before",
      "Der Lotse zählt die Schiffe vor der Einfahrt. Der Befehl **Ankern** macht diese Unterscheidung für die Schiffe nicht.",
    ],
    [
      "a point that goes on from the line above is half a sentence",
      "- **betonnen** wird die Einfahrt zu dem alten Hafen von den Lotsen der Stadt.",
    ],
    ["nor one that only calls", "**Attenzione**: la lampada va sempre spenta prima di lasciare la torre del porto."],
  ])("%s", (_, text) => {
    expect(asked(text)).toEqual([]);
  });

  test.each([
    ["ESPERE! ... antes de entrar no porto, tire alguns segundos para ver o farol.", false],
    ["Um Leuchtfeuer zu setzen, gibt es die in Tabelle 12 auf Seite 52 angeführten Befehle.", false],
    ["Ein Leuchtfeuer wird mit 52 Lampen gesetzt, die nicht gleich hell sind.", true],
  ])("whether a sentence is understandable alone: %s", (sentence, does) => {
    expect(isUnderstandableAlone(sentence, undefined)).toBe(does);
  });

  test("symbols, labels and parts of sentences make no cards", () => {
    const text =
      "**Algoritmo** – Este algoritmo encuentra la matriz **W** siguiendo los siguientes pasos de la lista:\n\n" +
      "La suma de las partes de la matriz es **x1**, ..., **xn** para todos los valores de la lista.";
    expect(asked(text)).toEqual([]);
  });
});

test.each([...stepsBeforeOpening, ...stepsAfterOpening])("cleaning a sentence, $name: $example", (step) => {
  const [before, after] = step.example;
  expect(applyStep(before, step)).toBe(after);
});
