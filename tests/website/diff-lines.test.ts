import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import { diffLines, toHunks } from "#shared/website/diff-lines.ts";

const numbered = (name: string) => Array.from({ length: 3000 }, (_, index) => `${name} ${index}`).join("\n");
const textOf = (lines: readonly { text: string }[]) => lines.map(({ text }) => text).join("\n");

test("the lines of a comparison give both texts back", () => {
  const text = array(constantFrom("a", "b", "c", "d", ""), { maxLength: 30 });
  assert(
    property(text, text, (earlier, later) => {
      const lines = diffLines(`${earlier.join("\n")}\n`, `${later.join("\n")}\n`);
      const [before, after] = [earlier, later].map((one) => (one.length === 0 ? [] : one));
      const nonEmpty = (one: string[] | undefined) =>
        (one ?? []).length === 0 ? "" : textOf((one ?? []).map((t) => ({ text: t })));
      expect(textOf(lines.filter(({ kind }) => kind !== "added"))).toBe(nonEmpty(before));
      expect(textOf(lines.filter(({ kind }) => kind !== "removed"))).toBe(nonEmpty(after));
    }),
  );
});

test("a changed line is shown with three lines around it, and nothing else", () => {
  const before = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  const after = before.with(19, "changed");
  const [hunk, ...more] = toHunks(diffLines(before.join("\n"), after.join("\n")));
  expect(more).toEqual([]);
  expect(hunk?.line).toBe(17);
  expect(hunk?.lines.map(({ kind }) => kind[0]).join("")).toBe("sssrasss");
});

test("texts without a common line are one replacement, however long they are", () => {
  const found = diffLines(numbered("a"), numbered("b"));
  expect(found).toHaveLength(6000);
  expect(found[0]?.kind).toBe("removed");
});
