import { expect, test } from "vitest";
import { stringifyPaced } from "#api/http/paced-json.ts";

const long = Array.from({ length: 200 }, (_, index) => ({ index, text: '"\u2028é', nothing: undefined }));

test.each([
  ["a long list", long],
  ["a long list inside an answer", { page: { a: 1 }, components: long, missing: undefined }],
  ["a long list two levels down", { content: { pages: [], components: long }, at: new Date(0) }],
  ["holes and functions", { list: [...long, undefined, () => 1, null], call: () => 1 }],
  ["a short answer", { success: true }],
  ["no answer", null],
])("serialises %s exactly like JSON.stringify", async (_, value) => {
  expect(await stringifyPaced(value)).toBe(JSON.stringify(value));
});

test("other work runs while a long list is serialised", async () => {
  const many = Array.from({ length: 200_000 }, (_, index) => ({ index, text: "A paragraph of a lecture. ".repeat(4) }));
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  await stringifyPaced({ components: many });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(2);
});
