import { readFileSync } from "node:fs";
import citeproc from "citeproc";
import { expect, test } from "vitest";
import {
  findIdentifier,
  isDoi,
  isIsbn,
  sourceTypes,
  type Reference,
  type SourceField,
} from "#shared/marketing/references.ts";
import { fieldsOf, toCslItem, type CslItem } from "#webapp/marketing/citations/csl-item.ts";
import { readStyle } from "#webapp/marketing/citations/own-style.ts";
import { isReferenceFile, readReferences } from "#webapp/marketing/citations/formats/read-references.ts";
import { readTex } from "#webapp/marketing/citations/formats/tex.ts";
import { cleanMarkup } from "#webapp/marketing/citations/use-citations.ts";
import { writeReferences } from "#webapp/marketing/citations/formats/write-references.ts";
import { CHARS, fill, MAX_GROWTH, measureGrowth } from "#tests/kit/timing/growth.ts";

const folder = "webapp/marketing/citations/styles";
const locale = readFileSync(`${folder}/locales-en-US.xml`, "utf8");

const article: Reference = {
  id: "a",
  type: "article-journal",
  authors: "Watson, James D.\nCrick, Francis H. C.",
  title: "Molecular structure of nucleic acids",
  "container-title": "Nature",
  date: "1953-04-25",
  volume: "171",
  issue: "4356",
  page: "737-738",
  DOI: "https://doi.org/10.1038/171737a0",
};

const plain = (html: string) =>
  cleanMarkup(html)
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

function format(style: string, reference: Reference): { entry: string; inText: string } {
  const items = new Map<string, CslItem>([[reference.id, toCslItem(reference)]]);
  const system = { retrieveLocale: () => locale, retrieveItem: (id: string) => items.get(id) };
  const engine = new citeproc.Engine(system, readFileSync(`${folder}/${style}.csl`, "utf8"), "en-US", false);
  engine.updateItems([reference.id]);
  const inText = engine.makeCitationCluster([{ id: reference.id }]);
  const made = engine.makeBibliography();
  return { entry: plain(made === false ? "" : (made[1][0] ?? "")), inText: plain(inText) };
}

test.each([
  [
    "apa",
    "Watson, J. D., & Crick, F. H. C. (1953). Molecular structure of nucleic acids. Nature, 171(4356), 737–738. https://doi.org/10.1038/171737a0",
    "(Watson & Crick, 1953)",
  ],
  [
    "modern-language-association",
    "Watson, James D., and Francis H. C. Crick. “Molecular Structure of Nucleic Acids.” Nature, vol. 171, no. 4356, Apr. 1953, pp. 737–38, https://doi.org/10.1038/171737a0.",
    "(Watson and Crick)",
  ],
  [
    "ieee",
    "[1] J. D. Watson and F. H. C. Crick, “Molecular structure of nucleic acids,” Nature, vol. 171, no. 4356, pp. 737–738, Apr. 1953, doi: 10.1038/171737a0.",
    "[1]",
  ],
])("an article in %s is formatted as the style requires", (style, entry, inText) => {
  const made = format(style, article);
  expect(made.entry.replaceAll("&#38;", "&")).toBe(entry);
  expect(made.inText.replaceAll("&#38;", "&")).toBe(inText);
});

test.each([
  "chicago-author-date",
  "chicago-notes-bibliography",
  "harvard-cite-them-right",
  "nlm-citation-sequence",
  "american-medical-association",
])("the style %s formats an article", (style) => {
  const { entry } = format(style, article);
  for (const words of ["Watson", "Crick", "Nature", "1953", "171"]) expect(entry).toContain(words);
});

test("BibTeX is read with its accents, names and pages", () => {
  const [found] = readReferences(String.raw`
@comment{nothing}
@article{goedel,
  author = {G{\"o}del, Kurt and {European Space Agency} and Ludwig van Beethoven},
  title = "{\"U}ber formal unentscheidbare S\"atze",
  journal = {Monatshefte f{\"u}r Mathematik}, year = 1931, month = dec, pages = {173--198}
}`);
  expect(found).toEqual({
    type: "article-journal",
    authors: "Gödel, Kurt\nEuropean Space Agency\nvan Beethoven, Ludwig",
    title: "Über formal unentscheidbare Sätze",
    "container-title": "Monatshefte für Mathematik",
    date: "1931-12",
    page: "173--198",
  });
  expect(readTex(String.raw`Stra{\ss}e \& caf\'e`)).toBe("Straße & café");
});

test("RIS is read entry by entry, and exported references are read back unchanged", () => {
  const ris = "TY  - BOOK\r\nAU  - Curie, Marie\r\nTI  - Radioactivity\r\nPY  - 1910\r\nPB  - Gauthier\r\nER  - \r\n";
  expect(readReferences(ris)).toEqual([
    { type: "book", authors: "Curie, Marie", title: "Radioactivity", date: "1910", publisher: "Gauthier" },
  ]);
  for (const form of ["ris", "bibtex"] as const) {
    const [again] = readReferences(writeReferences([article], form));
    expect(again).toMatchObject({ type: article.type, authors: article.authors, title: article.title, volume: "171" });
  }
  expect(readReferences("just a sentence")).toEqual([]);
});

test("check digits of ISBNs and the form of DOIs are checked", () => {
  expect(["978-3-16-148410-0", "0-306-40615-2", "080442957X"].map(isIsbn)).toEqual([true, true, true]);
  expect(["978-3-16-148410-1", "12345"].map(isIsbn)).toEqual([false, false]);
  expect([isDoi("https://doi.org/10.1000/182"), isDoi("10.1000/182"), isDoi("doi")]).toEqual([true, true, false]);
});

test("a DOI, an ISBN and a web address are recognised", () => {
  expect(findIdentifier(" https://doi.org/10.1000/182 ")).toEqual({ kind: "doi", value: "10.1000/182" });
  expect(findIdentifier("0-8044-2957-x")).toEqual({ kind: "isbn", value: "080442957X" });
  expect(findIdentifier("example.org/a?b=c")).toEqual({ kind: "url", value: "https://example.org/a?b=c" });
  for (const other of ["", "two words.org", "moon", "mailto:a@example.org", "file:///etc/passwd", "978-3-16-148410-1"])
    expect(findIdentifier(other)).toBeUndefined();
});

test("markup in a pasted title is not shown as markup", () => {
  expect(cleanMarkup('<i>Good</i> <img src=x onerror="x()"><b onclick="x()">b</b><script>s</script>')).toBe(
    "<i>Good</i> b</b>s",
  );
});

const aStyle = (body: string, link = "") =>
  `<?xml version="1.0"?><style xmlns="http://purl.org/net/xbiblio/csl" class="in-text"><info><title>A journal</title>${link}</info>${body}</style>`;

test("a style file gets its title as name; dependent styles and files that are no styles are recognised", () => {
  const text = aStyle("<citation><layout/></citation>");
  expect(readStyle(text)).toEqual({ id: "own:A journal", name: "A journal", text, language: "en-US" });
  expect(readStyle(aStyle("", '<link rel="independent-parent" href="x"/>'))).toBe("dependent");
  expect(readStyle(aStyle(""))).toBe("no_style");
  expect(readStyle("<html><title>A page</title></html>")).toBe("no_style");
});

test.each<[string, (text: string) => unknown, (chars: number) => string]>([
  ["empty lines that may come before a reference", isReferenceFile, (chars) => fill("\n", chars)],
  ["lines of spaces before a reference", readReferences, (chars) => fill("  \n", chars)],
  ["spaces between the names of authors", readReferences, (chars) => `@a{b, author = {a${fill(" ", chars)}b}}`],
])("the work for %s grows with their length", (_, read, shape) => {
  expect(measureGrowth(read, shape, 4 * CHARS)).toBeLessThan(MAX_GROWTH);
});

test("references are recognised after empty lines and spaces, and names with several spaces between them are separated", () => {
  expect(isReferenceFile("\n\n  @book{a,\n title = {b}}")).toBe(true);
  expect(isReferenceFile("\n\n\t TY  - BOOK\nER  - ")).toBe(true);
  expect(isReferenceFile("mail me @ home {soon}")).toBe(false);
  expect(readReferences("@book{a, author = {Ada Byron   \n  AND Turing, Alan}}")).toMatchObject([
    { authors: "Byron, Ada\nTuring, Alan" },
  ]);
});

/** A value for every field, with what BibTeX and RIS treat specially. */
const everyField: Readonly<Record<SourceField, string>> = {
  authors: "Müller, Ana-Lucía\nJohnson & Johnson\nRock and Roll, Jo\nDepartment of Health and Care",
  title: String.raw`50% of {all} C# & "A_1" cost $5 --- ~x^2 \ or `.trim(),
  "container-title": "Salt & Light",
  editors: "van Beethoven, Ludwig\nInstitute #9",
  date: "1953-04-05",
  publisher: "Simon & Schuster",
  "publisher-place": "New York",
  genre: "Bachelor’s thesis",
  edition: "2nd",
  volume: "171",
  issue: "4356",
  page: "737–738",
  DOI: "10.1002/(SICI)1097_4571(1999)50:1<1::AID-ASI1>3.0.CO;2-#",
  ISBN: "978-3-16-148410-0",
  URL: "https://example.org/~ada/a_b--c?d=1&e=50%25#f",
  accessed: "2024-05-17",
};

test.each(sourceTypes.flatMap((type) => (["bibtex", "ris"] as const).map((form) => [type, form] as const)))(
  "%s exported as %s is read back with its kind and all its fields",
  (type, form) => {
    const filled = Object.fromEntries(fieldsOf(type).map((field) => [field, everyField[field]]));
    const again = readReferences(writeReferences([{ id: "a", type, ...filled }], form));
    expect(again).toEqual([{ type, ...filled }]);
  },
);

test("years, months, text in place of dates, several ranges of pages and kinds of theses are read back after an export", () => {
  const thesis = { id: "a", type: "thesis", title: "Tides" } as const;
  const variants: Reference[] = [
    ...["1953", "1953-04", "n.d.", "spring 1953"].flatMap((date): Reference[] => [
      { ...thesis, type: "webpage", date, accessed: date },
    ]),
    { ...article, page: "1–3, 7–9", DOI: "10.1000/182" },
    { ...article, page: "e12", DOI: "10.1000/182" },
    ...["PhD thesis", "Master’s thesis", "Masterarbeit", "Habilitation"].map((genre) => ({ ...thesis, genre })),
    thesis,
  ];
  for (const form of ["bibtex", "ris"] as const)
    for (const { id, ...variant } of variants)
      expect(readReferences(writeReferences([{ id, ...variant }], form))).toEqual([
        form === "ris" && variant.page === "737-738" ? { ...variant, page: "737–738" } : variant,
      ]);
});

const writeBook = (part: Partial<Reference>) =>
  writeReferences([{ id: "a", type: "book", title: "T", ...part }], "bibtex");

test("an export escapes authors, and names the day, the kind of thesis, films, web pages and newspapers", () => {
  expect(writeBook({ authors: "Johnson & Johnson" })).toContain(String.raw`author = {{Johnson \& Johnson}}`);
  expect(writeBook({ date: "1953-04-25" })).toContain("year = {1953},\n  month = apr,\n  day = {25}");
  expect(writeBook({ type: "thesis", genre: "Master’s thesis" })).toMatch(
    /^@mastersthesis[^]*type = \{Master’s thesis\}/,
  );
  expect(writeBook({ type: "webpage", accessed: "2024-05-17" })).toMatch(/^@online[^]*urldate = \{2024-05-17\}/);
  expect(writeBook({ type: "motion_picture" })).toMatch(/^@misc[^]*howpublished = \{Film\}/);
  expect(writeBook({ type: "article-newspaper" })).toMatch(/^@article[^]*entrysubtype = \{newspaper\}/);
  const ris = writeReferences(
    [{ id: "a", type: "thesis", title: "T", genre: "PhD thesis", date: "1953-04-25", accessed: "2024-05-17" }],
    "ris",
  );
  for (const line of ["M3  - PhD thesis", "PY  - 1953", "DA  - 1953/04/25/", "Y2  - 2024/05/17/"])
    expect(ris.split("\r\n")).toContain(line);
});

test("BibTeX's and others is no author, and names and parts of @string are joined", () => {
  const found = readReferences(`
@string{nat = "Nature"} @STRING{ full = nat # { Physics} }
@article{a, author = {Ada Byron and others}, title = "Part " # "two", journal = full, year = 1953, month = apr # "~25" }
@book{b, editor = "Curie, Marie AND Others", title = {B}, publisher = nat, year = 1910, month = 3 }`);
  expect(found).toEqual([
    {
      type: "article-journal",
      authors: "Byron, Ada",
      title: "Part two",
      "container-title": "Nature Physics",
      date: "1953-04-25",
    },
    { type: "book", editors: "Curie, Marie", title: "B", publisher: "Nature", date: "1910-03" },
  ]);
});

test("@string names that double each time do not make a long text", () => {
  const names = Array.from({ length: 40 }, (_, index) => `@string{s${index + 1} = s${index} # s${index}}`);
  const [found] = readReferences(`@string{s0 = "ha"}\n${names.join("\n")}\n@book{a, title = s40}`);
  expect(found?.title?.length).toBe(2000);
});

test("a RIS record without its end is read, also when another record follows", () => {
  expect(readReferences("TY  - BOOK\nTI  - One\nTY  - JOUR\nTI  - Two\nSP  - 3\nEP  - 9")).toEqual([
    { type: "book", title: "One" },
    { type: "article-journal", title: "Two", page: "3–9" },
  ]);
});
