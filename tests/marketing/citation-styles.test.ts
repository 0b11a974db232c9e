import { readFileSync } from "node:fs";
import citeproc from "citeproc";
import { expect, test } from "vitest";
import { toCslItem } from "#webapp/marketing/citations/csl-item.ts";
import { adaptLocale } from "#webapp/marketing/citations/style-locale.ts";
import { cleanMarkup } from "#webapp/marketing/citations/use-citations.ts";
import { labelledReferences } from "./labelled-references.ts";

const folder = "webapp/marketing/citations/styles";
const locale = readFileSync(`${folder}/locales-en-US.xml`, "utf8");
/** By style and reference: the entry of the list, and the citation in the text. */
type Labels = Readonly<Record<string, Readonly<Record<string, readonly [entry: string, inText: string]>>>>;
const labels = JSON.parse(readFileSync("tests/marketing/labelled-citations.json", "utf8")) as Labels;

const plain = (html: string) =>
  cleanMarkup(html)
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&#38;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();

const german = readFileSync(`${folder}/locales-de-DE.xml`, "utf8");
const inEnglish = (style: string) => {
  const language = style.startsWith("harvard") ? "en-GB" : "en-US";
  return { language, terms: adaptLocale(locale, language) } as const;
};
const inGerman = () => ({ language: "de-DE", terms: adaptLocale(german, "de-DE") }) as const;

function formatAll(style: string, termsOf: (style: string) => { language: string; terms: string } = inEnglish) {
  const { language, terms } = termsOf(style);
  const items = new Map(labelledReferences.map((reference) => [reference.id, toCslItem(reference)]));
  const system = { retrieveLocale: () => terms, retrieveItem: (id: string) => items.get(id) };
  const engine = new citeproc.Engine(
    system,
    readFileSync(`${folder}/${style}.csl`, "utf8"),
    language,
    language === "de-DE",
  );
  const formatOne = (id: string): [string, string] => {
    engine.updateItems([id]);
    const inText = plain(engine.makeCitationCluster([{ id }]));
    const made = engine.makeBibliography();
    return [plain(made === false ? "" : (made[1][0] ?? "")), inText];
  };
  return Object.fromEntries(labelledReferences.map(({ id }) => [id, formatOne(id)]));
}

test("eight styles have labels for each kind of source", () => {
  expect(Object.keys(labels).length).toBe(8);
  expect(Object.values(labels).flatMap((one) => Object.keys(one)).length).toBeGreaterThanOrEqual(60);
});

test.each(Object.keys(labels))(
  "every labelled source in %s reads as the style asks",
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
