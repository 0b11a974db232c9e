import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import type { CslItem } from "#webapp/marketing/citations/csl-item.ts";
import { languageOf } from "#webapp/marketing/citations/own-style.ts";
import { createFormatter, formatReferences, type Formatter } from "#webapp/marketing/citations/format-references.ts";

/**
 * A case of the test suite of the Citation Style Language, from the sources of the Haskell package citeproc 0.6.0.1 (BSD
 * 2-Clause, `LICENSE-fixtures`).
 */
interface Fixture {
  name: string;
  mode: "citation" | "bibliography";
  style: string;
  items: (Record<string, unknown> & { id: string | number; type: string })[];
  /** Groups of items that are cited together; without it, all items are one group. */
  clusters?: { id: string }[][];
  /** The citations depend on earlier citations in a text; the tool only makes a list of sources, so it skips these. */
  hasHistory?: true;
  result: string;
}

const folder = "webapp/marketing/citations/styles";
const readLocale = (language: string) => readFileSync(`${folder}/locales-${language}.xml`, "utf8");
const locales = { "en-US": readLocale("en-US"), "de-DE": readLocale("de-DE") };

/** Terms that have changed since the suite was written: [in the present locale, in the suite's]. */
const changedTerms = [
  [/(<term name="month-06" form="short">)[^<]*/, "$1Jun."],
  [/(<term name="ad">)[^<]*/, "$1AD"],
  [/(<term name="bc">)[^<]*/, "$1BC"],
  [/(<term name="translator" form="short">)[^<]*/, "$1<single>tran.</single><multiple>trans.</multiple>"],
  [/(<term name="editortranslator" form="short"><single>)[^<]*/, "$1ed. &amp; tran."],
  [/<term name="number">.*?<\/term>/, ""],
  [/<term name="number" form="short">.*?<\/term>/, ""],
  [/<term name="collection-number">.*?<\/term>/, ""],
  [/<term name="collection-number" form="short">.*?<\/term>/, ""],
] as const;

/** The English locale with the terms from when the suite was written. */
const earlierEnglish = changedTerms.reduce((text, [term, earlier]) => {
  expect(text).toMatch(term);
  return text.replace(term, earlier);
}, locales["en-US"]);

const fixtures = JSON.parse(
  brotliDecompressSync(readFileSync("tests/long/citations/fixtures.json.br")).toString(),
) as Fixture[];

/** Whether the tool supports the fixture: it has only English and German terms. */
const isSupported = ({ style, hasHistory }: Fixture) =>
  !hasHistory && /^(?:en|de)/.test(/default-locale="([^"]*)"/.exec(style)?.[1] ?? "en-US");

/** Formats a fixture with the tool's own code. */
function formatFixture(fixture: Fixture, english = locales["en-US"]): string {
  const language = languageOf(fixture.style);
  const locale = language === "de-DE" ? locales["de-DE"] : english;
  const formatter = createFormatter({ style: fixture.style, locale, language });
  const items = fixture.items.map((item) => ({ ...item, id: String(item.id) }));
  if (fixture.mode === "citation") return cite(formatter, items, fixture);
  const entries = formatReferences(formatter, items).map(({ html }) => html);
  return `<div class="csl-bib-body">\n${entries.join("")}</div>`;
}

/** Formats the citations of a fixture. Sources in one citation are in the order of the list of sources. */
function cite(formatter: Formatter, items: readonly CslItem[], { clusters }: Fixture): string {
  const listed = formatReferences(formatter, items);
  const [first, ...others] = listed;
  if (clusters === undefined && others.length === 0) return first?.inText.trim() ?? "";
  const together = clusters ?? [[...new Set(listed.map(({ itemId }) => itemId))].map((id) => ({ id }))];
  return together
    .map((cluster) => formatter.engine.makeCitationCluster(cluster))
    .join("\n")
    .trim();
}

/** Fixtures whose result has an earlier English term, such as “Jun.”, “499AD” or “tran.”. */
const withEarlierTerms = [
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
];

test("the tool formats the fixtures of citeproc's test suite as expected", () => {
  const applicable = fixtures.filter(isSupported);
  const differing = applicable.filter((fixture) => formatFixture(fixture) !== fixture.result);
  expect(applicable.length).toBe(776);
  expect(differing.map(({ name }) => name).toSorted()).toEqual(withEarlierTerms.toSorted());
  // The results differ only in these terms.
  const others = differing.filter((fixture) => formatFixture(fixture, earlierEnglish) !== fixture.result);
  expect(others.map(({ name }) => name)).toEqual([]);
});
