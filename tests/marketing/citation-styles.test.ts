import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Reference } from "#shared/marketing/references.ts";
import { toCslItem } from "#webapp/marketing/citations/csl-item.ts";
import { createFormatter, formatReferences } from "#webapp/marketing/citations/format-references.ts";
import { cleanMarkup } from "#webapp/marketing/citations/use-citations.ts";
import { labelledReferences } from "./labelled-references.ts";

const folder = "webapp/marketing/citations/styles";
const locale = readFileSync(`${folder}/locales-en-US.xml`, "utf8");
/** The expected list entry and in-text citation, by style and reference. */
type Labels = Readonly<Record<string, Readonly<Record<string, readonly [entry: string, inText: string]>>>>;
const labels = JSON.parse(readFileSync("tests/marketing/labelled-citations.json", "utf8")) as Labels;

const plain = (html: string) =>
  cleanMarkup(html)
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&#38;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();

const german = readFileSync(`${folder}/locales-de-DE.xml`, "utf8");
const inEnglish = (style: string) => ({ language: style.startsWith("harvard") ? "en-GB" : "en-US", locale }) as const;
const inGerman = () => ({ language: "de-DE", locale: german }) as const;

function formatAll(
  name: string,
  termsOf: (style: string) => ReturnType<typeof inEnglish | typeof inGerman> = inEnglish,
) {
  const style = readFileSync(`${folder}/${name}.csl`, "utf8");
  const formatter = createFormatter({ style, ...termsOf(name) });
  const formatOne = (reference: Reference): [string, string] => {
    const [made] = formatReferences(formatter, [toCslItem(reference)]);
    return [plain(made?.html ?? ""), plain(made?.inText ?? "")];
  };
  return Object.fromEntries(labelledReferences.map((reference) => [reference.id, formatOne(reference)]));
}

test("eight styles have labels for each kind of source", () => {
  expect(Object.keys(labels).length).toBe(8);
  expect(Object.values(labels).flatMap((references) => Object.keys(references)).length).toBeGreaterThanOrEqual(60);
});

test.each(Object.keys(labels))(
  "every labelled source in %s is formatted as the style requires",
  (style) => {
    expect(formatAll(style)).toEqual(labels[style]);
  },
  60_000,
);

test("on the German page the terms and dates of a bibliography are German", () => {
  const apa = formatAll("apa", inGerman);
  expect(apa["chapter"]?.[0]).toContain("In T. Gilovich & D. Griffin (Hrsg.), Heuristics and biases (S. 49–81).");
  expect(Object.values(apa).map(([entry]) => entry)).toContainEqual(
    expect.stringContaining("Abgerufen 20. November 2026"),
  );
  const ieee = Object.values(formatAll("ieee", inGerman)).map(([entry]) => entry);
  expect(ieee).toContainEqual(expect.stringContaining("„Molecular structure of nucleic acids“, Nature, Bd. 171"));
});
