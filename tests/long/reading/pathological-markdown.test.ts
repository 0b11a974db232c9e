import { expect, test } from "vitest";
import { parseCardText } from "#shared/flashcards/card-text.ts";
import { parseAnswerMarkdown } from "#shared/tutor/markdown.ts";
import { renderPost } from "#shared/marketing/post-markdown.ts";
import { writeInline } from "#shared/pages/markdown-write.ts";
import { parseMarkdownBlocks } from "#shared/pages/markdown-read.ts";
import { toCommonMarkdown } from "#api/documents/notes/rewrite-markdown.ts";
import { CHARS, fill, MAX_GROWTH, measureGrowth } from "#tests/kit/timing/growth.ts";

/** Texts that once took minutes to parse at a few megabytes, named by the repeated part. */
const SHAPES: Record<string, (chars: number) => string> = {
  "unclosed links on the lines of a list item": (chars) => `- ${fill("[a](\n", chars)}`,
  "lines of a list item, with a heading at their end": (chars) => `- ${fill("ab cd ef\n", chars)}===`,
  "unclosed comments": (chars) => fill("<!--", chars),
  "unclosed comments in paragraphs": (chars) => fill("<!-- \n\n", chars),
  "unclosed processing instructions": (chars) => fill("<?", chars),
  "unclosed CDATA sections": (chars) => fill("<![CDATA[", chars),
  "unclosed scripts": (chars) => fill("<script>a\n", chars),
  "styles that another tag closes": (chars) => `${fill("<style>a\n", chars)}</script>`,
  dollars: (chars) => fill("$", chars),
  "short paragraphs": (chars) => fill("a\n\n", chars),
  "a run of spaces in a heading": (chars) => `# a${fill(" ", chars)}b`,
  "a wide header above short rows": (chars) =>
    `${fill("|a", chars / 10)}\n${fill("|-", chars / 10)}\n${fill("|a|\n", chars * 0.8)}`,
  "quotes without words": (chars) => fill(">\n", chars),
  "empty lines": (chars) => fill("\n", chars),
  "unclosed callouts": (chars) => fill("<aside>", chars),
  "unclosed images": (chars) => fill("- ![a](\n", chars),
  "brackets of wiki links": (chars) => fill("[[a|", chars),
  emphasis: (chars) => fill("*a_b ", chars),
  "lists that are indented deeper at each line": (chars) => {
    const lines = Array.from({ length: Math.sqrt(chars * 2) }, (_, at) => `${"\t".repeat(at)}1. a\n`);
    return lines.join("").slice(0, chars);
  },
  "lists that are indented sixty levels deep, again and again": (chars) =>
    fill(Array.from({ length: 60 }, (_, at) => `${"  ".repeat(at)}- a\n`).join(""), 2 * chars),
  "lines that open dozens of lists": (chars) => fill(`${"- ".repeat(58)}a\n`, chars),
  "lists in quotes that are indented deeper at each line": (chars) =>
    fill(Array.from({ length: 300 }, (_, at) => `> ${"  ".repeat(at)}- a\n`).join(""), 4 * chars),
  "continuation lines of a list item": (chars) => `- a\n${fill("b\n", 4 * chars)}`,
  "a word that could be a mail address": (chars) => `${fill("a.", chars)}@`,
  "a run of tabs": (chars) => `a${fill("\t", chars)}b`,
  footnotes: (chars) => fill("[^1]: a\n", chars),
};

const parseNote = (text: string) => parseMarkdownBlocks(toCommonMarkdown(text));

test.each(Object.entries(SHAPES))("the work for %s grows linearly with the length", (_, shape) => {
  expect(measureGrowth(parseNote, shape)).toBeLessThan(MAX_GROWTH);
});

const exportText = (text: string) => writeInline([{ content: `a${text}b` }]);

test.each(["spaces", "line breaks"])("the work to export a text of %s grows with its length", (name) => {
  expect(measureGrowth(exportText, (chars) => fill(name === "spaces" ? " " : "\n", chars))).toBeLessThan(MAX_GROWTH);
});

test.each([
  ["brackets in an answer", parseAnswerMarkdown, "[", CHARS / 2],
  ["words in an answer that could be mail addresses", parseAnswerMarkdown, "a_b-", 2 * CHARS],
  ["unclosed pictures on a card", parseCardText, "![[a|", 4 * CHARS],
])("the work for %s grows linearly with the length", (_, parse, part, chars) => {
  expect(measureGrowth(parse, (length) => fill(part, length), chars)).toBeLessThan(MAX_GROWTH);
});

test("a border drawn with plus and minus signs is not read as list markers", () => {
  const border = `+${"-".repeat(70)}+${"-".repeat(10)}+`;
  expect(JSON.stringify(parseAnswerMarkdown(`Totals\n\n${border}`))).toContain(border);
});

test("deeply nested quotes in an answer do not overflow the parser", () => {
  expect(parseAnswerMarkdown(`${"> ".repeat(200_000)}a`)).toHaveLength(1);
});

test.each(["- ", "1. ", "> "])("a blog post that nests %j deeply does not overflow the parser", (marker) => {
  expect(renderPost(`${marker.repeat(50_000)}a`)).toContain("a</p>");
});

test("the work for unclosed links in a post grows linearly, and tags in a post stay text", () => {
  expect(measureGrowth(renderPost, (chars) => `- ${fill("[a](\n", chars)}`)).toBeLessThan(MAX_GROWTH);
  expect(renderPost(fill("*a <b> ", 20_000))).not.toContain("<b>");
});

test("citations and formulas of an answer are found after a long text", () => {
  for (const length of [990, 998, 999, 1000, 1001, 2500]) {
    const inline = parseAnswerMarkdown(`${"a".repeat(length)}[^3] and ${"b".repeat(length)}$x$`)[0];
    const tokens = inline && "tokens" in inline ? (inline.tokens ?? []) : [];
    expect(tokens.map(({ type }) => type)).toEqual(["text", "citation", "text", "maths"]);
  }
});

test("numbered lists nested a thousand deep do not overflow the parser", () => {
  expect(parseMarkdownBlocks(`${"1. ".repeat(1000)}a`)).toHaveLength(1);
});

test("a table whose short rows would be padded to millions of cells is read as text", () => {
  const wide = `${"|a".repeat(2000)}|\n${"|-".repeat(2000)}|\n${"|b|\n".repeat(2000)}`;
  const blocks = parseMarkdownBlocks(wide);
  expect(JSON.stringify(blocks).length).toBeLessThan(wide.length * 2);
  expect(JSON.stringify(blocks)).toContain("|b|");
});

test("HTML in a note keeps its text but loses scripts, styles and comments", () => {
  const html = "<div>One<br>two <!-- gone -->three<SCRIPT >gone</script ><style>gone</style> four</div>";
  expect(JSON.stringify(parseMarkdownBlocks(html))).not.toContain("gone");
  expect(JSON.stringify(parseMarkdownBlocks(html))).toMatch(/One.*two three four/);
});

test("a list of ten thousand items is read completely", () => {
  const items = Array.from({ length: 10_000 }, (_, at) => `- item number ${at}`);
  const blocks = parseMarkdownBlocks(items.join("\n"));
  expect(blocks).toHaveLength(items.length);
  expect(blocks.at(-1)).toMatchObject({
    content: { subType: "list_unordered", text: [{ content: "item number 9999" }] },
  });
});

test("in a very long list, details that are indented by two spaces stay below their items", () => {
  const items = Array.from({ length: 3000 }, (_, at) => `- Topic ${at}\n  - first detail of topic ${at}\n  - second`);
  const blocks = parseMarkdownBlocks(items.join("\n"));
  const texts = blocks.flatMap((block) => (block.type === "text" ? block.content : []));
  const levels = texts.map(({ text, metadata }) => `${JSON.stringify(text).includes("Topic")} ${metadata.indents}`);
  expect([levels.length, new Set(levels)]).toEqual([9000, new Set(["true 0", "false 1"])]);
});

test("a mail address and a link in a text of thousands of words are found", () => {
  const words = fill("plain words ", 10_000);
  const json = JSON.stringify(parseMarkdownBlocks(`${words} ada@example.org ${words} https://example.org/a ${words}`));
  expect(json).toContain('"target":"mailto:ada@example.org"');
  expect(json).toContain('"target":"https://example.org/a"');
});
