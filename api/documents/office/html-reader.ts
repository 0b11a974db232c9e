import { parseHTML } from "linkedom";
import { Readability } from "@mozilla/readability";
import { decodeText } from "./decode-text.ts";
import { readBlocks } from "./html-blocks.ts";
import type { FlowBlock } from "#shared/pdf/flow/sections.ts";
import type { XmlElement } from "./xml.ts";

/** Larger pages skip article extraction, which takes too much memory. */
const MAX_ARTICLE_CHARS = 3_000_000;

/**
 * The time of article extraction grows with the square of nesting and of nodes. Real articles have a few dozen levels.
 */
const MAX_ARTICLE_LEVELS = 150;
const MAX_ARTICLE_NODES = 100_000;

/** A saved web page: its main article if there is one, otherwise all its text. Runs no scripts and fetches nothing. */
export function readHtml(bytes: Uint8Array): FlowBlock[] {
  const html = decodeText(bytes);
  const body = parseBody(html);
  const whole = readBlocks(body);
  const article = html.length > MAX_ARTICLE_CHARS || isTooComplex(body) ? undefined : readArticle(html);
  // The extracted article is used only if it contains most of the text, because a page of lists or tables is not an
  // article.
  return article && countChars(article) > 0.4 * countChars(whole) ? article : whole;
}

/** Whether a page has more levels or nodes than an article. */
function isTooComplex(body: XmlElement): boolean {
  let nodesAtDepth = Array.from(body.childNodes);
  let nodes = nodesAtDepth.length;
  for (let depth = 1; nodesAtDepth.length > 0; depth += 1) {
    if (depth > MAX_ARTICLE_LEVELS || nodes > MAX_ARTICLE_NODES) return true;
    nodesAtDepth = nodesAtDepth.flatMap(({ childNodes }) => Array.from(childNodes));
    nodes += nodesAtDepth.length;
  }
  return false;
}

function readArticle(html: string): FlowBlock[] | undefined {
  try {
    const { document } = parseHTML(html);
    const parsed = new Readability(document).parse();
    if (!parsed?.content) return undefined;
    const blocks = readBlocks(parseBody(parsed.content));
    const title = parsed.title?.trim() ?? "";
    const hasTitle = title === "" || blocks.slice(0, 3).some(({ text }) => text === title);
    return hasTitle ? blocks : [{ kind: "heading", level: 1, text: title, bold: [], italic: [] }, ...blocks];
  } catch {
    return undefined;
  }
}

/** Parses HTML; a fragment is wrapped in a document. */
export function parseBody(html: string): XmlElement {
  const framed = /<body[\s>]/iu.test(html) ? html : `<body>${html}</body>`;
  const { document } = parseHTML(/<html[\s>]/iu.test(framed) ? framed : `<html>${framed}</html>`);
  return document.body as unknown as XmlElement;
}

function countChars(blocks: readonly FlowBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}
