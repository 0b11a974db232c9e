import { Readability } from "@mozilla/readability";
import Defuddle, { createMarkdownContent } from "defuddle/full";
import { parseMarkdownBlocks, type NewBlock } from "#shared/pages/markdown-read.ts";
import {
  indexText,
  findLead,
  similarity,
  pickBetterArticle,
  listPartsByTitle,
  findStandfirst,
  removeSurroundings,
} from "./extractor-agreement.ts";
import { waitUntilIdle } from "../gestures/gesture-debounce.ts";

export interface Article {
  blocks: NewBlock[];
  /** The extractors disagree, or the page was too large for them: the student should check the result. */
  isDoubtful: boolean;
  /** Truncated at the maximum length of a note. */
  isCut: boolean;
}

/** The extractors take quadratic time, which would be minutes on larger pages. */
const MAX_CHARS = 6_000_000;

export const MAX_BLOCKS = 2000;
/** Below this similarity, one of the two extractors was usually wrong in measurements. */
const MIN_AGREEMENT = 0.6;
const parseBody = (markup: string) => new DOMParser().parseFromString(markup, "text/html").body;

/** Parses the captured page without running any of it. */
function parsePage(html: string, address: string): Document {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  // Inline the content of open shadow roots, including nested ones.
  const next = () => parsed.querySelector<HTMLTemplateElement>("template[shadowrootmode]");
  for (let part = next(); part; part = next()) part.replaceWith(part.content);
  // Resolve relative URLs against the page's address.
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

/** Fallback for pages that are too large: headings and paragraphs, from the beginning. */
function readHeadingsAndParagraphs(html: string, address: string): Article {
  const parsed = parsePage(html.slice(0, MAX_CHARS), address);
  const lines: string[] = [];
  for (const part of parsed.querySelectorAll(PARTS)) {
    const text = part.textContent.trim().replaceAll(/\s+/g, " ");
    if (text !== "") lines.push(`${HEADINGS.get(part.nodeName) ?? ""}${text}`);
    if (lines.length >= MAX_BLOCKS) break;
  }
  const isCut = lines.length >= MAX_BLOCKS || html.length > MAX_CHARS;
  return { blocks: parseMarkdownBlocks(lines.join("\n\n")).slice(0, MAX_BLOCKS), isDoubtful: true, isCut };
}

/** Conversion to Markdown takes quadratic time; this size takes a moment. */
const PART_CHARS = 100_000;
const WRAPPERS = new Set(["BODY", "MAIN", "ARTICLE", "SECTION", "DIV"]);

/** Skips wrappers that contain nothing but one other element. */
function findInnermost(outer: Element): Element {
  let found = outer;
  for (let child = found.firstElementChild; child; child = found.firstElementChild) {
    const isAlone = found.childElementCount === 1 && found.textContent.length === child.textContent.length;
    if (!isAlone || !WRAPPERS.has(child.nodeName)) break;
    found = child;
  }
  return found;
}

/** Splits the markup between elements into parts of about `PART_CHARS` characters. */
export function splitMarkup(content: string): string[] {
  if (content.length <= 2 * PART_CHARS) return [content];
  const root = findInnermost(new DOMParser().parseFromString(content, "text/html").body);
  const parts: string[] = [];
  let part = "";
  for (let node = root.firstChild; node; node = root.firstChild) {
    // A part must not begin with the first heading: it would be dropped as the title.
    if (part.length > PART_CHARS && node.nodeName !== "H1") {
      parts.push(part);
      part = "";
    }
    const holder = root.ownerDocument.createElement("div");
    holder.append(node);
    part += holder.innerHTML;
  }
  return [...parts, part];
}

/** Converts an article to blocks, stopping when a note is full. */
async function toBlocks(content: string, address: string): Promise<NewBlock[]> {
  const blocks: NewBlock[] = [];
  for (const part of splitMarkup(content)) {
    await waitUntilIdle();
    blocks.push(...parseMarkdownBlocks(createMarkdownContent(part, address)));
    // Some margin, because blocks before the article are removed later.
    if (blocks.length > MAX_BLOCKS * 1.5) break;
  }
  return blocks;
}

/** Runs in the panel's thread, so each step waits until no gesture is being handled. */
async function extract(html: string, address: string): Promise<Article> {
  await waitUntilIdle();
  if (html.length > MAX_CHARS) return readHeadingsAndParagraphs(html, address);
  const parsed = parsePage(html, address);
  await waitUntilIdle();
  const titles = listPartsByTitle(parsed).map((parts) => parts.map((part) => part.cloneNode(true) as Element));
  const fromReadability = new Readability(parsed.cloneNode(true) as Document, { keepClasses: true }).parse();
  await waitUntilIdle();
  const fromDefuddle = new Defuddle(parsed, { url: address, useAsync: false }).parse();
  await waitUntilIdle();
  const readabilityText = indexText(fromReadability?.textContent ?? "");
  await waitUntilIdle();
  const text = parseBody(fromDefuddle.content).textContent;
  await waitUntilIdle();
  const isDoubtful = similarity(text, readabilityText) < MIN_AGREEMENT;
  const defuddleBlocks = await toBlocks(fromDefuddle.content, address);
  const markup = fromReadability?.content ?? "";
  const blocks = isDoubtful
    ? pickBetterArticle(defuddleBlocks, await toBlocks(markup, address))
    : [...findMissingLead(markup, titles, text, address), ...removeSurroundings(defuddleBlocks, readabilityText)];
  return { blocks: blocks.slice(0, MAX_BLOCKS), isDoubtful, isCut: blocks.length > MAX_BLOCKS };
}

/** Length of the text that is enough to find where the article begins. */
const BEGINNING_CHARS = 20_000;

/**
 * The beginning of the article, if Defuddle dropped it. Defuddle handles formulas and code better, so only the missing
 * beginning comes from Readability or from the page.
 */
function findMissingLead(markup: string, titles: readonly Element[][], text: string, address: string): NewBlock[] {
  const beginning = text.slice(0, BEGINNING_CHARS);
  const lead = findLead(parseBody(markup.slice(0, BEGINNING_CHARS)), beginning);
  const leadMarkup = (lead.length > 0 ? lead : findStandfirst(titles, beginning))
    .map(({ outerHTML }) => outerHTML)
    .join("");
  return leadMarkup === "" ? [] : parseMarkdownBlocks(createMarkdownContent(leadMarkup, address));
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * Extracts the article of a captured page. Runs one at a time, because each run needs memory for several copies of its
 * page.
 */
export function readArticle(html: string, address: string): Promise<Article> {
  const article = queue.then(() => extract(html, address));
  queue = article.catch(() => undefined);
  return article;
}
