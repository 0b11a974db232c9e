import { describe, expect, test } from "vitest";
import { anchorQuote, type Anchor } from "#shared/pdf/anchoring/quote-anchoring.ts";
import { rectsOfRange, extractPageText } from "#shared/pdf/text-rects.ts";
import { sweepAbsent, sweepFound } from "./anchoring-sweep.ts";
import { goodPdfs, readFile } from "./quote-sample.ts";

const page = (number: number, text: string) => ({ page: number, text });
const source = page(
  1,
  "Each codon names one amino acid.\nThe di\uFB00erence between a well-known\nenzyme and a \u201Cri-\nbosome\u201D is 3.5 % at \u22125 \u00B0C.",
);

function readBack(anchor: Anchor | string, ...places: { page: number; text: string }[]): string | null {
  const all = places.length === 0 ? [source] : places;
  const found = anchorQuote(all, typeof anchor === "string" ? { quote: anchor } : anchor);
  return found && found.ranges.map(({ at, start, end }) => all[at]?.text.slice(start, end)).join(" | ");
}

describe("finding a quote", () => {
  test.each([
    ["exactly", "Each codon names one amino acid.", "Each codon names one amino acid"],
    ["in different case and white space", "EACH  codon\nnames", "Each codon names"],
    ["with a ligature spelt out", "difference between", "di\uFB00erence between"],
    ["with one hyphen missing and one added", "well known enzyme", "well-known\nenzyme"],
    ["across a hyphenated line break, with other quotation marks", 'a "ribosome"', "a \u201Cri-\nbosome"],
    ["with another minus sign", "3.5% at -5 \u00B0C", "3.5 % at \u22125 \u00B0C"],
  ])("%s", (_, quote, expected) => {
    expect(readBack(quote)).toBe(expected);
  });

  test("with a word missing", () => {
    expect(readBack("Each codon names amino acid")).toBe("Each codon names one amino acid");
  });

  test("at the occurrence with the given context, else on the given page", () => {
    const places = [page(1, "red: the cell divides. blue: the cell divides."), page(2, "the cell divides.")];
    const rangeOf = (anchor: Anchor) => anchorQuote(places, anchor)?.ranges[0];
    expect(rangeOf({ quote: "the cell divides", prefix: "blue: " })).toMatchObject({ at: 0, start: 29 });
    expect(rangeOf({ quote: "the cell divides", page: 2 })).toMatchObject({ at: 1, start: 0 });
  });

  test("across a page break, in two pieces, without headers and footers", () => {
    const places = [
      page(1, "It is said that the flow of information runs\nfrom the template strand\n12"),
      page(2, "GENES\nto the ribosome and on to the protein.\nMore follows."),
    ];
    const quote = "The flow of information runs from the template strand to the ribosome and on to the protein.";
    expect(readBack({ quote, page: 1 }, ...places)).toBe(
      "the flow of information runs\nfrom the template strand | to the ribosome and on to the protein",
    );
  });

  test("with its score: 1 for an exact match on its page, less with a word missing", () => {
    const whole = anchorQuote([source], { quote: "Each codon names one amino acid.", page: 1 });
    const less = anchorQuote([source], { quote: "Each codon names amino acid.", page: 1 });
    expect(whole).toMatchObject({ page: 1, score: 1, isExact: true });
    expect(less?.isExact).toBe(false);
    expect(less?.score).toBeLessThan(1);
  });
});

describe("not finding what isn't there", () => {
  test.each([
    ["a word that was changed", "Each codon names one nucleic acid"],
    ["a number that was changed", "is 3.4 % at -5 \u00B0C"],
    ["a sign that is missing", "3.5 % at 5 \u00B0C"],
    ["a negated sentence", "Each codon names not one amino acid"],
    ["words in another order", "One amino acid names each codon"],
    ["half a word", "ach codon names"],
    ["punctuation only", " \u2014 "],
  ])("%s", (_, quote) => {
    expect(readBack(quote)).toBeNull();
  });

  test("a quote that omits a negation", () => {
    const text = "In this case the second enzyme does not bind to the template strand at all.";
    expect(readBack("the second enzyme does bind to the template strand", page(1, text))).toBeNull();
  });

  test("a single word far from the page given", () => {
    const places = [page(1, "codon"), page(9, "gene")];
    expect(readBack({ quote: "codon", page: 9 }, ...places)).toBeNull();
    expect(readBack({ quote: "codon", page: 2 }, ...places)).toBe("codon");
  });

  test("anything in a document without text", () => {
    expect(anchorQuote([], { quote: "codon" })).toBeNull();
    expect(readBack("the codon names one amino acid", page(1, ""))).toBeNull();
  });
});

const aRun = (str: string, [x, y]: [number, number], width: number, more = {}) => ({
  str,
  dir: "ltr",
  transform: [10, 0, 0, 10, x, y],
  width,
  height: 10,
  hasEOL: false,
  ...more,
});

describe("the rectangles of a text range", () => {
  const view = [1, 0, 0, -1, 0, 800];

  test("are one per line, with parts of a line joined", () => {
    const text = extractPageText(
      1,
      [aRun("Each ", [50, 700], 25), aRun("codon", [75, 700], 25, { hasEOL: true }), aRun("names", [50, 685], 25)],
      view,
    );
    expect(text.text).toBe("Each codon\nnames");
    expect(rectsOfRange(text, 0, text.text.length)).toEqual([
      [50, 91, 50, 11.5],
      [50, 106, 25, 11.5],
    ]);
    const [codon] = rectsOfRange(text, 5, 10);
    expect(codon).toEqual([75, 91, 25, 11.5]);
  });

  test("start at the right in right-to-left scripts, and run down in vertical text", () => {
    const right = extractPageText(1, [aRun("abcd", [50, 700], 40, { dir: "rtl" })], view);
    expect(rectsOfRange(right, 0, 1)[0]?.[0]).toBeGreaterThan(75);
    const down = extractPageText(1, [{ ...aRun("abcd", [0, 0], 40), transform: [0, -10, 10, 0, 50, 700] }], view);
    expect(rectsOfRange(down, 0, 4)[0]).toEqual([47.5, 100, 11.5, 40]);
  });
});

const files = goodPdfs().filter((path) => /multi_page|15-genes|twocol_multi/.test(path));
test.skipIf(files.length === 0)(
  "sentences of real files are found despite small edits, and absent ones are not",
  async () => {
    const read = [];
    for (const path of files) read.push(await readFile(path));
    const { tried, missed } = sweepFound(read, 100, 3);
    expect(tried).toBe(100);
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(1);
    expect(sweepAbsent(read, 60, 3)).toEqual({ tried: 60, lit: [] });
  },
  60_000,
);
