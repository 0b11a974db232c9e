import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import type { CslItem } from "#webapp/marketing/citations/csl-item.ts";
import { languageOf } from "#webapp/marketing/citations/own-style.ts";
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

/** The English locale with the terms of the suite's time. */
const earlierEnglish = changedTerms.reduce((text, [term, earlier]) => {
  expect(text).toMatch(term);
  return text.replace(term, earlier);
}, locales["en-US"]);

const fixtures = JSON.parse(
  brotliDecompressSync(readFileSync("tests/long/citations/fixtures.json.br")).toString(),
) as Fixture[];

/** The tool has English and German terms. */
const applies = ({ style, hasHistory }: Fixture) =>
  !hasHistory && /^(?:en|de)/.test(/default-locale="([^"]*)"/.exec(style)?.[1] ?? "en-US");

/** What the tool's own code makes of a fixture. */
function formatFixture(fixture: Fixture, english = locales["en-US"]): string {
  const language = languageOf(fixture.style);
  const locale = language === "de-DE" ? locales["de-DE"] : english;
  const formatter = createFormatter({ style: fixture.style, locale, language });
  const items = fixture.items.map((item) => ({ ...item, id: String(item.id) }));
  if (fixture.mode === "citation") return cite(formatter, items, fixture);
  const entries = formatReferences(formatter, items).map(({ html }) => html);
  return `<div class="csl-bib-body">\n${entries.join("")}</div>`;
}

/** Sources that a fixture cites together without naming an order have that of the list of sources. */
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

test("the tool formats the fixtures of citeproc's test suite as they ask", () => {
  const applicable = fixtures.filter(applies);
  const differing = applicable.filter((fixture) => formatFixture(fixture) !== fixture.result);
  expect(applicable.length).toBe(776);
  expect(differing.map(({ name }) => name).toSorted()).toEqual(withEarlierTerms.toSorted());
  // Their terms are all that differs.
  const others = differing.filter((fixture) => formatFixture(fixture, earlierEnglish) !== fixture.result);
  expect(others.map(({ name }) => name)).toEqual([]);
});
