import { expect, test } from "vitest";
import { withoutFiller } from "#shared/podcasts/script/paragraphs.ts";

test.each([
  ["And so, you know, memory leaks.", "Memory leaks."],
  ["Okay so the cell divides.", "The cell divides."],
  ["Well, the pressure rises.", "The pressure rises."],
  ["Maybe it is a gene.", "Maybe it is a gene."],
  ["Right atrium pressure rises.", "Right atrium pressure rises."],
  ["Really small cells divide.", "Really small cells divide."],
  ["So far, we have seen two.", "So far, we have seen two."],
  ["Now that the cell is large, it divides.", "Now that the cell is large, it divides."],
])("of “%s” only filler words are left out", (spoken, plain) => {
  expect(withoutFiller(spoken)).toBe(plain);
});
