import citeproc from "citeproc";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readStylePack } from "#webapp/build/style-library.ts";
import { toCslItem } from "#webapp/marketing/citations/csl-item.ts";
import { readStyle } from "#webapp/marketing/citations/own-style.ts";
import { searchStyles } from "#webapp/marketing/citations/style-library.ts";
import { localeOf } from "#webapp/marketing/citations/styles.ts";
import { cleanMarkup } from "#webapp/marketing/citations/use-citations.ts";
import { labelledReferences } from "./labelled-references.ts";

const { names, texts } = readStylePack("webapp");
const findNames = (query: string) => searchStyles(names, query).map(([name]) => name);

test("styles are found by journal, university, style guide and short name, the best match first", () => {
  expect(names.length).toBeGreaterThan(9000);
  expect(findNames("nature genetics")[0]).toBe("Nature Genetics");
  expect(findNames("oscola")[0]).toContain("OSCOLA");
  expect(findNames("American Chemical")[0]).toBe("ACS Guide 2022 revision (American Chemical Society)");
  expect(findNames("universitat wien").length).toBeGreaterThan(0);
  expect(findNames("plos one")[0]).toBe("PLOS ONE");
  expect(findNames("no such journal at all")).toEqual([]);
  expect(findNames("a")).toEqual([]);
});

test("the tool can open every style of the library", () => {
  const unreadable = texts.filter((text) => typeof readStyle(text) === "string");
  expect(unreadable).toEqual([]);
  expect(names.every(([, position]) => texts[position] !== undefined)).toBe(true);
});

const folder = "webapp/marketing/citations/styles";

function formatIn(name: string): string {
  const [, position = -1] = names.find(([title]) => title === name) ?? [];
  const style = readStyle(texts[position] ?? "");
  if (typeof style === "string") throw new Error(`${name} is no style`);
  const { language } = localeOf("en", style);
  const terms = readFileSync(`${folder}/locales-${language === "de-DE" ? "de-DE" : "en-US"}.xml`, "utf8");
  const items = new Map(labelledReferences.map((reference) => [reference.id, toCslItem(reference)]));
  const system = { retrieveLocale: () => terms, retrieveItem: (id: string) => items.get(id) };
  const engine = new citeproc.Engine(system, style.text, language, language === "de-DE");
  engine.updateItems(["article"]);
  const made = engine.makeBibliography();
  return cleanMarkup(made === false ? "" : (made[1][0] ?? ""))
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

test("references are formatted as the journal's publisher requires", () => {
  expect(formatIn("Nature Genetics")).toBe(
    "1. Watson, J. D. &#38; Crick, F. H. C. Molecular structure of nucleic acids. Nature 171, 737–738 (1953).",
  );
  expect(formatIn("ACS Guide 2022 revision (American Chemical Society)")).toContain("Watson");
  expect(formatIn("Deutsche Gesellschaft für Psychologie 5. Auflage (Deutsch) (DGP 5. Auflage)")).toContain("Watson");
});
