// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { findLead, listPartsByTitle, findStandfirst } from "#extension/capture/article/extractor-agreement.ts";
import { splitMarkup } from "#extension/capture/article/article.ts";

const WORDS = "The ribosome slides along the messenger RNA one codon at a time. ".repeat(8);
const blocks = Array.from({ length: 1000 }, (_, n) => {
  if (n % 7 === 3) return `<h1>Part ${n}</h1>`;
  return n % 10 === 5 ? `<ul><li>${n} ${WORDS}</li></ul>` : `<p>${n} ${WORDS}</p>`;
});

test("a long article is read in parts that together contain everything, including every heading", () => {
  const article = `<div><article><h2>Codons</h2>Words by themselves ${blocks.join("")}</article></div>`;
  const parts = splitMarkup(article);
  expect(parts.length).toBeGreaterThan(3);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(102_000);
  expect(parts.join("") === article.slice("<div><article>".length, -"</article></div>".length)).toBe(true);
  expect(parts.slice(1).filter((part) => part.startsWith("<h1>"))).toEqual([]);
});

test("an article that is short or one large element is one part", () => {
  const list = `<ul>${blocks.join("")}</ul>`;
  expect(splitMarkup(`<main>${list}</main>`)).toEqual([list]);
  expect(splitMarkup("<p>Short.</p>")).toEqual(["<p>Short.</p>"]);
});

test("finds the sentences at which the other version of an article begins, up to the part both share", () => {
  const lead = "Every cell makes its proteins with the same few parts, and this chapter shows how they work together.";
  const menu =
    '<a href="/one">The weather of today</a>, <a href="/two">the weather of tomorrow and of all days after.</a>';
  const page = new DOMParser().parseFromString(
    `<p>By A. Writer</p><p>${lead}</p><p>${menu}</p><p>${WORDS}</p><p>${lead}</p>`,
    "text/html",
  );
  expect(findLead(page.body, WORDS).map(({ textContent }) => textContent)).toEqual([lead]);
  expect(findLead(page.body, "Another article altogether.")).toEqual([]);
});

const pageOf = (inside: string) => new DOMParser().parseFromString(`<body>${inside}</body>`, "text/html");

test("finds the sentence under the title if the article's text begins below it, and under no other title", () => {
  const lead = "Every cell makes its proteins with the same few parts, and this chapter shows how they work together.";
  const other = "Tomorrow it will rain in the north, and the day after in the south of the country as well.";
  const page = pageOf(
    `<h1>The weather</h1><p>${other}</p><header><h1>Codons</h1><div class="teaser">${lead}</div><p>By A. Writer</p>
     <nav><p>${other}</p></nav></header><main><p>${WORDS}</p></main><h1>More</h1><p>${other}</p>`,
  );
  expect(findStandfirst(listPartsByTitle(page), WORDS).map(({ textContent }) => textContent)).toEqual([lead]);
  expect(findStandfirst(listPartsByTitle(pageOf(`<h1>Codons</h1><p>${other}</p>`)), WORDS)).toEqual([]);
  expect(listPartsByTitle(pageOf(`<p>${other}</p>`))).toEqual([]);
});
