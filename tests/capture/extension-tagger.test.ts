import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { foldModel, withoutFolded, writeDeflated } from "#webapp/build/lean-tagger.ts";
import { type TaggerModel, unfoldModel } from "#shared/text/tagging/tagger-model.ts";

const home = createRequire(import.meta.url).resolve("wink-eng-lite-web-model");
const path = home.replace(/[^/]+$/, "languages/cur/models/eng-core-web-model.json");

test("the tagger packed into the extension unpacks to the original and is much smaller", () => {
  const text = readFileSync(path, "utf8");
  const model = JSON.parse(text) as TaggerModel;
  const folded = foldModel(model);
  expect(unfoldModel(withoutFolded(model), folded)).toEqual(model);
  expect(JSON.stringify([withoutFolded(model), folded]).length).toBeLessThan(text.length * 0.65);
  // The extension is installed unpacked and may take 4 MB.
  expect(writeDeflated(model).length).toBeLessThan(600_000);
});
