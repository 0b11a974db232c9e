import { Readability } from "@mozilla/readability";
import Defuddle, { createMarkdownContent } from "defuddle/full";
import { blocksFromMarkdown, type NewBlock } from "#shared/pages/markdown-read.ts";
import { holdText, leadOf, likeness, richer, titlesOf, underTitle, withoutSurroundings } from "./agreement.ts";
import { untilQuiet } from "../gestures/quiet.ts";

export interface Article {
  blocks: NewBlock[];
  /** Two extractors found different texts, or the page was too large for them: the student should look. */
  isDoubtful: boolean;
  /** It was longer than a note can be: its beginning is here. */
  isCut: boolean;
}

/** The extractors compare every part of a page with every other: on one larger than this they would take minutes. */
const MAX_CHARS = 6_000_000;

export const MAX_BLOCKS = 2000;
/** Below this the two were of different opinions in measurements, and one of them mostly wrong. */
const AGREEMENT = 0.6;
const bodyOf = (markup: string) => new DOMParser().parseFromString(markup, "text/html").body;

/** The captured page as a document without a window: nothing of it runs. */
function documentOf(html: string, address: string): Document {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  // Parts that stood in open shadow roots take their place in the text, those within others once these have.
  const next = () => parsed.querySelector<HTMLTemplateElement>("template[shadowrootmode]");
  for (let part = next(); part; part = next()) part.replaceWith(part.content);
  // Relative addresses are those of the page, not of this document.
  const base = parsed.createElement("base");
  base.href = address;
  parsed.head.prepend(base);
  return parsed;
}

const PARTS = "h1, h2, h3, h4, p, li, pre, blockquote";
const HEADINGS = new Map([
  ["H1", "# "],
  ["H2", "## "],
  ["H3", "### "],
  ["H4", "### "],
  ["LI", "- "],
]);

/** Of a page that is too large to be judged: its headings and paragraphs from the beginning on. */
function readPlainly(html: string, address: string): Article {
  const parsed = documentOf(html.slice(0, MAX_CHARS), address);
  const lines: string[] = [];
  for (const part of parsed.querySelectorAll(PARTS)) {
    const text = part.textContent.trim().replaceAll(/\s+/g, " ");
    if (text !== "") lines.push(`${HEADINGS.get(part.nodeName) ?? ""}${text}`);
    if (lines.length >= MAX_BLOCKS) break;
  }
  const isCut = lines.length >= MAX_BLOCKS || html.length > MAX_CHARS;
  return { blocks: blocksFromMarkdown(lines.join("\n\n")).slice(0, MAX_BLOCKS), isDoubtful: true, isCut };
}

/** Turning markup into Markdown takes the square of its length: of as much it is a moment's work. */
const PART = 100_000;
const WRAPPERS = new Set(["BODY", "MAIN", "ARTICLE", "SECTION", "DIV"]);

/** The element whose children are the article's own, below those that hold nothing but one other. */
function innermost(outer: Element): Element {
  let found = outer;
  for (let only = found.firstElementChild; only; only = found.firstElementChild) {
    const isAlone = found.childElementCount === 1 && found.textContent.length === only.textContent.length;
    if (!isAlone || !WRAPPERS.has(only.nodeName)) break;
    found = only;
  }
  return found;
}

/** The markup of an article in parts of about `PART` characters, cut between two elements; a short one is one part. */
export function partsOf(content: string): string[] {
  if (content.length <= 2 * PART) return [content];
  const root = innermost(new DOMParser().parseFromString(content, "text/html").body);
  const parts: string[] = [];
  let part = "";
  for (let node = root.firstChild; node; node = root.firstChild) {
    // A part that begins with the first heading would lose it: there it is held for the title.
    if (part.length > PART && node.nodeName !== "H1") {
      parts.push(part);
      part = "";
    }
    const holder = root.ownerDocument.createElement("div");
    holder.append(node);
    part += holder.innerHTML;
  }
  return [...parts, part];
}

/** The blocks of an article; of one that is longer than a note can be, no more than are needed to know it. */
async function blocksOf(content: string, address: string): Promise<NewBlock[]> {
  const blocks: NewBlock[] = [];
  for (const part of partsOf(content)) {
    await untilQuiet();
    blocks.push(...blocksFromMarkdown(createMarkdownContent(part, address)));
    // What stands before the article is left out later.
    if (blocks.length > MAX_BLOCKS * 1.5) break;
  }
  return blocks;
}

/** It takes its time, and shares its thread with the panel: each step waits until no gesture came for a moment. */
async function read(html: string, address: string): Promise<Article> {
  await untilQuiet();
  if (html.length > MAX_CHARS) return readPlainly(html, address);
  const parsed = documentOf(html, address);
  await untilQuiet();
  const titles = titlesOf(parsed).map((parts) => parts.map((part) => part.cloneNode(true) as Element));
  const second = new Readability(parsed.cloneNode(true) as Document, { keepClasses: true }).parse();
  await untilQuiet();
  const first = new Defuddle(parsed, { url: address, useAsync: false }).parse();
  await untilQuiet();
  const other = holdText(second?.textContent ?? "");
  await untilQuiet();
  const text = bodyOf(first.content).textContent;
  await untilQuiet();
  const isDoubtful = likeness(text, other) < AGREEMENT;
  const all = await blocksOf(first.content, address);
  const markup = second?.content ?? "";
  const blocks = isDoubtful
    ? richer(all, await blocksOf(markup, address))
    : [...leadIn(markup, titles, text, address), ...withoutSurroundings(all, other)];
  return { blocks: blocks.slice(0, MAX_BLOCKS), isDoubtful, isCut: blocks.length > MAX_BLOCKS };
}

/** Where an article begins is seen in so many characters of it. */
const BEGINNING = 20_000;

/** What Defuddle, which keeps mathematics and code better, left out at the beginning: as the other has it, or the page. */
function leadIn(markup: string, titles: readonly Element[][], text: string, address: string): NewBlock[] {
  const beginning = text.slice(0, BEGINNING);
  const lead = leadOf(bodyOf(markup.slice(0, BEGINNING)), beginning);
  const written = (lead.length > 0 ? lead : underTitle(titles, beginning)).map(({ outerHTML }) => outerHTML).join("");
  return written === "" ? [] : blocksFromMarkdown(createMarkdownContent(written, address));
}

let turn: Promise<unknown> = Promise.resolve();

/** The article of a page that was captured whole. One is read at a time: each stands in memory several times over. */
export function readArticle(html: string, address: string): Promise<Article> {
  const article = turn.then(() => read(html, address));
  turn = article.catch(() => undefined);
  return article;
}
