import { parseHTML } from "linkedom";
import { Readability } from "@mozilla/readability";
import { decodeText } from "./decode-text.ts";
import { readBlocks } from "./html-blocks.ts";
import type { FlowBlock } from "#shared/pdf/flow/sections.ts";
import type { XmlElement } from "./xml.ts";

/** Larger pages are read whole: article extraction takes too much memory. */
const MAX_ARTICLE_CHARS = 3_000_000;

/** A saved web page: its main article if there is one, otherwise all its text. Runs no scripts and fetches nothing. */
export function readHtml(bytes: Uint8Array): FlowBlock[] {
  const html = decodeText(bytes);
  const whole = readBlocks(parseBody(html));
  const article = html.length > MAX_ARTICLE_CHARS ? undefined : readArticle(html);
  // The extracted article is used only if it holds most of the text: a page of lists or tables is not an article.
  return article && countChars(article) > 0.4 * countChars(whole) ? article : whole;
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
