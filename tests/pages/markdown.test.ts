import { array, assert, constant, constantFrom, oneof, option, property, record, string } from "fast-check";
import { expect, test } from "vitest";
import { parseMarkdownBlocks, type NewBlock } from "#shared/pages/markdown-read.ts";
import { writeMarkdown } from "#shared/pages/markdown-write.ts";
import { readTable } from "#shared/pages/document.ts";
import { flatRuns, plainText } from "#shared/pages/runs.ts";
import { tableContent } from "#shared/pages/tables.ts";
import { Component, type Run } from "#shared/pages/schema.ts";

const options = { addressOf: (component: Component) => `files/${component._id}` };

/** Turns blocks into components of a page, as an import does. */
function asComponents(blocks: readonly NewBlock[]): Component[] {
  return blocks.flatMap((block, at) => {
    const base = { _id: `c${at}`, pageId: "p", createdAt: 1, modifiedAt: 1, createdBy: "ada", version: 1 };
    if (block.type === "file") return [];
    if (block.type === "flash_cards") {
      const cards = block.content.cards.map((card, i) => ({ ...card, id: `k${i}` }));
      return Component.parse({ ...base, type: block.type, content: { ...block.content, cards } });
    }
    return Component.parse({ ...base, ...block });
  });
}

const write = (blocks: readonly NewBlock[]) => writeMarkdown(asComponents(blocks), options);
/**
 * The same cases in every run, so that a random failure does not stop an unrelated change. Set `MARKDOWN_SEED` and
 * `MARKDOWN_RUNS` to search for new failures.
 */
const SAME_CASES = {
  numRuns: Number(process.env["MARKDOWN_RUNS"] ?? 400),
  seed: Number(process.env["MARKDOWN_SEED"] ?? 2026),
};

const roundTrip = (markdown: string) => write(parseMarkdownBlocks(markdown));

const words = (block: NewBlock | undefined) => (block?.type === "text" ? flatRuns(block.content.text) : []);

test("parses headings, lists, checkboxes, quotes, code, equations, rules and pictures", () => {
  const blocks = parseMarkdownBlocks(
    [
      "# One\n\n## Two\n\n### Three\n\n#### Four",
      "- a\n    1. b\n    2. c\n- [x] done\n- [ ] open",
      "> said",
      "```ts\nconst a = 1;\n```",
      "$$\nE = mc^2\n$$",
      "$a^2$",
      "---",
      "![a cell](https://a.example/cell.png)",
    ].join("\n\n"),
  );
  const shown = blocks.map((block) => {
    if (block.type !== "text") return [block.type, ...Object.values(block.content)];
    const { subType, metadata, text } = block.content;
    return [subType, plainText(text), metadata.indents];
  });
  expect(shown).toEqual([
    ["heading_1", "One", 0],
    ["heading_2", "Two", 0],
    ["heading_3", "Three", 0],
    ["normal", "Four", 0],
    ["list_unordered", "a", 0],
    ["list_ordered", "b", 1],
    ["list_ordered", "c", 1],
    ["list_checkbox_checked", "done", 0],
    ["list_checkbox_unchecked", "open", 0],
    ["block_quote", "said", 0],
    ["code_block", "const a = 1;", "ts"],
    ["equation", "E = mc^2"],
    ["equation", "a^2"],
    ["divider"],
    ["file", "https://a.example/cell.png", "a cell"],
  ]);
  expect(words(blocks[3])).toEqual([{ content: "Four", attributes: { bold: true } }]);
});

test("drops an answer's citation markers, in any brackets", () => {
  const [block] = parseMarkdownBlocks(
    "Genes are units [pdf_citation:01C:3:a%20quote] of heredity (web_citation:a.example/b), they say flashcard_citation:01D.",
  );
  expect(words(block)).toEqual([{ content: "Genes are units of heredity, they say" }]);
});

test("a deck is written as a table headed Question and Answer, with its title, and parsed back", () => {
  const cards = [
    { question: "What | does a\ncodon name?", answer: "*One* amino acid" },
    { question: "2 < 3?", answer: "yes" },
  ];
  const markdown = write([{ type: "flash_cards", content: { title: "Genes", cards } }]);
  expect(markdown).toContain("| Question | Answer |");
  expect(parseMarkdownBlocks(markdown)).toEqual([{ type: "flash_cards", content: { title: "Genes", cards } }]);
});

test.each([String.raw`\text{cost $5$}`, "a\n\nb", "- b\n+ c", "# d"])(
  "the equation %j survives a round trip",
  (latex) => {
    const blocks: NewBlock[] = [{ type: "equation", content: { latex } }];
    expect(parseMarkdownBlocks(write(blocks))).toEqual(blocks);
  },
);

test.each(["", "\n", "\n\n", "a\n", " "])("the code %j survives a round trip", (code) => {
  const blocks: NewBlock[] = [{ type: "code_block", content: { code, language: "" } }];
  expect(parseMarkdownBlocks(write(blocks))).toEqual(blocks);
});

test("a link whose text looks like a link survives a round trip", () => {
  const reference = { kind: "page_tag" as const, target: "01PAGE" };
  const text = [{ content: "see " }, { content: "[a](b)", reference }];
  const content = { text, subType: "normal" as const, metadata: { indents: 0, highlightColor: null } };
  const blocks: NewBlock[] = [{ type: "text", content }];
  expect(parseMarkdownBlocks(write(blocks))).toEqual(blocks);
});

test("a link whose text is code resembling a link definition survives a round trip", () => {
  const reference = { kind: "link" as const, target: "https://a.example/b" };
  const text = [{ content: "]:", attributes: { inline_code: true }, reference }];
  const content = { text, subType: "normal" as const, metadata: { indents: 0, highlightColor: null } };
  const blocks: NewBlock[] = [{ type: "text", content }];
  expect(parseMarkdownBlocks(write(blocks))).toEqual(blocks);
});

test("a heading of several lines is written as one line and parsed back", () => {
  const once = roundTrip("~a~\\\na*b*c\n---");
  expect(roundTrip(once)).toBe(once);
});

test("any other table becomes a table and is written the same again", () => {
  const table = "| Organ | *Weight* |\n| --- | --- |\n| Heart | 300 g \\| a lot |";
  const [block] = parseMarkdownBlocks(table);
  expect(block).toEqual({
    type: "text",
    content: tableContent([
      ["Organ", "*Weight*"],
      ["Heart", "300 g | a lot"],
    ]),
  });
  expect(block?.type === "text" && readTable(block.content)).toEqual([
    ["Organ", "*Weight*"],
    ["Heart", "300 g | a lot"],
  ]);
  expect(roundTrip(table)).toBe(`${table}\n`);
});

test("import and export keep a formula within a line, whatever markup its source resembles", () => {
  const line = String.raw`Energy is $E_k = \frac{1}{2} m_1 * v_1^2 * x$ and **$a_1$ is bold**, but \$5 and 10\$ is money.`;
  const [block] = parseMarkdownBlocks(line);
  expect(words(block)).toEqual([
    { content: String.raw`Energy is $E_k = \frac{1}{2} m_1 * v_1^2 * x$ and ` },
    { content: "$a_1$ is bold", attributes: { bold: true } },
    { content: ", but $5 and 10$ is money." },
  ]);
  expect(roundTrip(line)).toBe(`${line}\n`);
});

test.each([
  ["<script>alert(1)</script>", []],
  ["<div onclick=x()>Hello <b>you</b></div>", ["Hello you"]],
  ["[a](javascript:alert(1))", ["a"]],
  ['<img src=x onerror="alert(1)">', []],
  ["\u0000\u0001 x", ["\uFFFD\u0001 x"]],
])("markup of other pages is reduced to its text: %s", (markdown, texts) => {
  const blocks = parseMarkdownBlocks(markdown);
  expect(
    blocks.map((block) =>
      words(block)
        .map(({ content }) => content)
        .join(""),
    ),
  ).toEqual(texts.map((text) => expect.stringContaining(text.replace("\uFFFD", ""))));
  expect(JSON.stringify(blocks)).not.toMatch(/javascript:|onerror|onclick|<script/);
});

test("ten thousand markers in a line, or as many list levels, neither hang nor overflow the parser", () => {
  for (const bomb of [
    ">".repeat(10_000),
    "- ".repeat(10_000),
    "*".repeat(50_000),
    "[".repeat(20_000),
    "`".repeat(20_000),
  ])
    expect(() => parseMarkdownBlocks(`${bomb} a\n`)).not.toThrow();
});

const aText = oneof(
  string({ unit: "binary", maxLength: 20 }),
  string({ unit: constantFrom(..."ab *_`~[]()<>#+-.1!|$\\&:/@\n".split("")), maxLength: 20 }),
  constantFrom("www.a.example", "https://a.example/x", "ada@example.org", "&amp;", "1. x", "# y", "a*b*c", "~~", "==="),
).map((text) =>
  text
    .replaceAll(/[\r\uD800-\uDFFF]/gu, "")
    .replaceAll("\u0000", "")
    .replaceAll(/[^\S \n]/g, " "),
);

const anAttribute = option(constant(true), { nil: undefined });
const aRun = record({
  content: aText,
  attributes: record({
    bold: anAttribute,
    italic: anAttribute,
    underline: anAttribute,
    strikethrough: anAttribute,
    inline_code: option(constant(true), { nil: undefined, freq: 8 }),
    color: option(constantFrom("red", "#aabbcc"), { nil: undefined, freq: 8 }),
  }),
  reference: option(
    oneof(
      constant({ kind: "link" as const, target: "https://a.example/b?c=d" }),
      constant({ kind: "page_tag" as const, target: "01PAGE" }),
    ),
    { nil: undefined, freq: 6 },
  ),
});

test.each(["*a_", "~a", "$a", "<b>a", "[a]("])(
  "a long text of nothing but %s is read, and written, in seconds",
  (unit) => {
    const text = unit.repeat(40_000);
    const blocks = parseMarkdownBlocks(text);
    expect(blocks.map((block) => (block.type === "text" ? plainText(block.content.text) : block.type))).toEqual([text]);
    expect(write(blocks).length).toBeGreaterThan(text.length);
  },
);

test("a paragraph with hundreds of emphases, formulas and links keeps each of them", () => {
  const text = "**bold** and _italic_ with $x^2$, [a link](https://example.org/a) and snake\\_case; ".repeat(150);
  const runs = words(parseMarkdownBlocks(text)[0]);
  expect(runs.filter(({ attributes }) => attributes?.bold === true)).toHaveLength(150);
  expect(runs.filter(({ attributes }) => attributes?.italic === true)).toHaveLength(150);
  expect(runs.filter(({ reference }) => reference?.kind === "link")).toHaveLength(150);
});

test("blocks parsed from any Markdown are written as Markdown that parses to the same blocks", () => {
  assert(
    property(
      array(oneof(aText, constantFrom("- a", "  - b", "1. c", "> d", "```\ne\n```", "| f | g |", "---"))),
      (lines) => {
        const once = roundTrip(lines.join("\n"));
        expect(roundTrip(once)).toBe(once);
      },
    ),
    SAME_CASES,
  );
});

const shape = (list: readonly NewBlock[]) =>
  list.map((block) => [block.type === "text" && block.content.subType, words(block)]);

test("all kinds of text, with marks, links and chips, survive a round trip", () => {
  const subTypes = ["normal", "block_quote", "list_unordered", "list_ordered", "list_checkbox_checked"] as const;
  const aBlock = record({
    runs: array(aRun, { minLength: 1, maxLength: 4 }),
    kind: constantFrom(...subTypes),
  });
  assert(
    property(array(aBlock, { minLength: 1, maxLength: 5 }), (made) => {
      const blocks = made.map(({ runs, kind }): NewBlock => {
        const text = [{ content: "x" }, ...runs, { content: "y" }] as Run[];
        const content = { text: flatRuns(text), subType: kind, metadata: { indents: 0, highlightColor: null } };
        return { type: "text", content };
      });
      const back = parseMarkdownBlocks(write(blocks));
      expect(shape(back)).toEqual(shape(blocks));
    }),
    SAME_CASES,
  );
});

const kindsOf = (markdown: string) => parseMarkdownBlocks(markdown).map(({ type }) => type);

test("two dollar signs start an equation at the start of a line, and are literal inside one", () => {
  expect(kindsOf("It follows\n  $$\nx - 1\n$$\n\nand so on")).toEqual(["text", "equation", "text"]);
  expect(kindsOf("It costs $$ 5, or\nat most $$ 7.\n\n$$\ny\n$$")).toEqual(["text", "equation"]);
});
