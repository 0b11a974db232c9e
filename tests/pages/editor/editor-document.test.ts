import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fromDoc, toDoc, type Block } from "#shared/pages/document.ts";
import { Run, TextContent, TextSubType, type Run as RunOf } from "#shared/pages/schema.ts";

const attributes = fc.record(
  {
    bold: fc.boolean(),
    italic: fc.boolean(),
    underline: fc.boolean(),
    strikethrough: fc.boolean(),
    inline_code: fc.boolean(),
    color: fc.constantFrom("red", "#00ff00", "rebeccapurple"),
  },
  { requiredKeys: [] },
);
const reference = fc.record({
  kind: fc.constantFrom("link" as const, "page_tag" as const, "flashcard_tag" as const, "pdf_tag" as const),
  target: fc.string({ minLength: 1 }),
});
const text = fc.string({ unit: "grapheme" }).map((s) => s.replaceAll("|", "\n"));
const { anyRun } = fc.letrec<{ anyRun: RunOf }>((tie) => ({
  anyRun: fc.record(
    {
      content: fc.oneof({ depthSize: "small", maxDepth: 4 }, text, fc.array(tie("anyRun"), { maxLength: 3 })),
      attributes,
      reference,
    },
    { requiredKeys: ["content"] },
  ),
}));
const textContent = fc.record({
  text: fc.array(anyRun, { maxLength: 5 }),
  subType: fc.constantFrom(...TextSubType.options),
  metadata: fc.record({
    indents: fc.nat({ max: 20 }),
    highlightColor: fc.constantFrom("red" as const, "yellow" as const, "green" as const, "blue" as const, null),
  }),
});
const other = fc.record({
  type: fc.constantFrom("flash_cards", "image", "divider", "code_block", "equation", "video", "chat", "hologram"),
  content: fc.dictionary(fc.string(), fc.jsonValue()),
});
const blocks: fc.Arbitrary<Block[]> = fc
  .array(
    fc.oneof(
      textContent.map((content) => ({ type: "text", content })),
      other,
    ),
    { maxLength: 130 },
  )
  .map((list) => list.map((block, i) => ({ ...block, _id: `block-${i}` })));

/** Every character with its formatting, however deeply its run is nested. */
function listFormattedCharacters(runs: readonly RunOf[], outer: Record<string, unknown> = {}): string[] {
  return runs.flatMap((run) => {
    const carried = { ...outer, ...run.attributes, ...(run.reference ? { reference: run.reference } : {}) };
    if (typeof run.content !== "string") return listFormattedCharacters(run.content, carried);
    const present = Object.entries(carried).filter(([, value]) => value !== false && value !== undefined);
    const key = JSON.stringify(present.toSorted(([a], [b]) => a.localeCompare(b)));
    return run.content.split("").map((char) => char + key);
  });
}

test("converting a page to the editor's document and back is a fixed point", () => {
  fc.assert(
    fc.property(blocks, (page) => {
      const once = fromDoc(toDoc(page));
      expect(fromDoc(toDoc(once))).toEqual(once);
    }),
  );
});

test("the conversion preserves ids, order, subtypes, indents, colours, marks and unreadable content", () => {
  fc.assert(
    fc.property(blocks, (page) => {
      const back = fromDoc(toDoc(page));
      expect(back.map((b) => b._id)).toEqual(page.map((b) => b._id));
      for (const [i, block] of page.entries()) {
        if (block.type !== "text") expect(back[i]).toEqual(block);
        else {
          const [was, is] = [block.content as TextContent, TextContent.parse(back[i]?.content)];
          expect([is.subType, is.metadata]).toEqual([was.subType, was.metadata]);
          expect(listFormattedCharacters(is.text)).toEqual(listFormattedCharacters(was.text));
        }
      }
    }),
  );
});

test("text runs are converted back flat, merged where equal, and within the schema", () => {
  const nested: RunOf = {
    content: [{ content: "a", attributes: { italic: true } }, { content: [{ content: "b" }] }, { content: "c" }],
    attributes: { bold: true },
  };
  const content = { text: [nested], subType: "normal", metadata: { indents: 0, highlightColor: null } };
  const [block] = fromDoc(toDoc([{ _id: "x", type: "text", content }]));
  expect(block?.content["text"]).toEqual([
    { content: "a", attributes: { bold: true, italic: true } },
    { content: "bc", attributes: { bold: true } },
  ]);
  expect(Run.safeParse(nested).success).toBe(true);
});

test("a text component with unreadable content is left unchanged", () => {
  const broken = { _id: "x", type: "text", content: { text: "not runs" } };
  expect(fromDoc(toDoc([broken]))).toEqual([broken]);
});

test("an empty page opens with an empty line, which isn't stored until it has content", () => {
  expect(toDoc([]).content[0]?.content).toHaveLength(1);
  expect(fromDoc(toDoc([]))).toEqual([]);
});
