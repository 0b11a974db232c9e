import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import type { CslItem } from "#webapp/marketing/citations/csl-item.ts";
import { createFormatter, formatReferences, type Formatter } from "#webapp/marketing/citations/format-references.ts";

/**
 * A case of the test suite of the Citation Style Language, as the sources of the Haskell package citeproc 0.6.0.1 have it
 * (BSD 2-Clause, `LICENSE-fixtures`).
 */
interface Fixture {
  name: string;
  mode: "citation" | "bibliography";
  style: string;
  items: (Record<string, unknown> & { id: string | number; type: string })[];
  /** Items that are cited together; all of them where the fixture has none. */
  clusters?: { id: string }[][];
  /** Citations that depend on those before them in a text; the tool makes a list of sources. */
  hasHistory?: true;
  result: string;
}

const folder = "webapp/marketing/citations/styles";
const readLocale = (language: string) => readFileSync(`${folder}/locales-${language}.xml`, "utf8");
const locales = { "en-US": readLocale("en-US"), "de-DE": readLocale("de-DE") };

const fixtures = JSON.parse(
  brotliDecompressSync(readFileSync("tests/long/citations/fixtures.json.br")).toString(),
) as Fixture[];

const languageOf = ({ style }: Fixture) => /default-locale="([^"]*)"/.exec(style)?.[1] ?? "en-US";
/** The tool has English and German terms. */
const applies = (fixture: Fixture) => !fixture.hasHistory && /^(?:en|de)/.test(languageOf(fixture));

/** What the tool's own code makes of a fixture. */
function formatFixture(fixture: Fixture): string {
  const locale = locales[languageOf(fixture).startsWith("de") ? "de-DE" : "en-US"];
  const formatter = createFormatter({ style: fixture.style, locale, language: "en-US" });
  const items = fixture.items.map((item) => ({ ...item, id: String(item.id) }));
  if (fixture.mode === "citation") return cite(formatter, items, fixture);
  const entries = formatReferences(formatter, items).map(({ html }) => html);
  return `<div class="csl-bib-body">\n${entries.join("")}</div>`;
}

function cite(formatter: Formatter, items: readonly CslItem[], { clusters }: Fixture): string {
  const [first, ...others] = formatReferences(formatter, items);
  if (clusters === undefined && others.length === 0) return first?.inText.trim() ?? "";
  const together = clusters ?? [[...new Set(items.map(({ id }) => id))].map((id) => ({ id }))];
  return together
    .map((cluster) => formatter.engine.makeCitationCluster(cluster))
    .join("\n")
    .trim();
}

/** Fixtures that read otherwise here, by reason. */
const known = {
  "the present English terms are “June”, “trans.”, “499 AD” and “No.”, and a quotation inside none has double marks": [
    "bugreports_SortedIeeeItalicsFail",
    "collapse_AuthorCollapseNoDateSorted",
    "date_DateAD",
    "date_DateBC",
    "date_NegativeDateSort",
    "date_NegativeDateSortViaMacro",
    "date_NegativeDateSortViaMacroOnYearMonthOnly",
    "label_EditorTranslator1",
    "label_MissingReturnsEmpty",
    "magic_SubsequentAuthorSubstituteNotFooled",
    "name_EditorTranslatorSameWithTerm",
    "name_SubsequentAuthorSubstituteMultipleNames",
    "punctuation_DateStripPeriods",
    "quotes_QuotesUnderQuotesFalse",
  ],
  "the order of sources that are cited together; the tool cites each by itself": [
    "bugreports_ChicagoAuthorDateLooping",
    "disambiguate_InitializeWithButNoDisambiguation",
    "sort_CitationNumberSecondaryAscendingViaMacroCitation",
  ],
};

test("the tool formats the fixtures of citeproc's test suite as they ask", () => {
  const applicable = fixtures.filter(applies);
  const differing = applicable.filter((fixture) => formatFixture(fixture) !== fixture.result).map(({ name }) => name);
  expect(applicable.length).toBe(776);
  expect(differing.toSorted()).toEqual(Object.values(known).flat().toSorted());
});
