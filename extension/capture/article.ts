import { Readability } from "@mozilla/readability";
import Defuddle, { createMarkdownContent } from "defuddle/full";
import { blocksFromMarkdown, type NewBlock } from "#shared/pages/markdown-read.ts";

interface Article {
  blocks: NewBlock[];
  /** Two extractors found different texts: the student should look. */
  isDoubtful: boolean;
}

const MAX_BLOCKS = 2000;
/** Below this the two were of different opinions in measurements, and one of them mostly wrong. */
const AGREEMENT = 0.6;
const SHINGLE = 4;

const shingles = (text: string): Set<string> => {
  const said = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(said.slice(SHINGLE - 1).map((_, at) => said.slice(at, at + SHINGLE).join(" ")));
};

/** How much of two texts is the same, from 0 to 1. */
function likeness(a: string, b: string): number {
  const [one, other] = [shingles(a), shingles(b)];
  if (one.size === 0 || other.size === 0) return one.size === other.size ? 1 : 0;
  const common = [...one].filter((shingle) => other.has(shingle)).length;
  return common / (one.size + other.size - common);
}

const plain = (markup: string) => new DOMParser().parseFromString(markup, "text/html").body.textContent;

/** The captured page as a document without a window: nothing of it runs. */
function documentOf(html: string, address: string): Document {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  // Parts that stood in open shadow roots take their place in the text.
  for (const part of parsed.querySelectorAll<HTMLTemplateElement>("template[shadowrootmode]"))
    part.replaceWith(part.content);
  // Relative addresses are those of the page, not of this document.
  const base = parsed.createElement("base");
  base.href = address;
  parsed.head.prepend(base);
  return parsed;
}

/** The article of a page that was captured whole. */
export function readArticle(html: string, address: string): Article {
  const parsed = documentOf(html, address);
  const second = new Readability(parsed.cloneNode(true) as Document, { keepClasses: true }).parse();
  const first = new Defuddle(parsed, { url: address, useAsync: false }).parse();
  const isDoubtful = likeness(plain(first.content), second?.textContent ?? "") < AGREEMENT;
  // Defuddle keeps mathematics and code better; where the two disagree, Readability was right far more often.
  const content = isDoubtful ? (second?.content ?? first.content) : first.content;
  const markdown = createMarkdownContent(content, address);
  return {
    blocks: blocksFromMarkdown(markdown).slice(0, MAX_BLOCKS),
    isDoubtful,
  };
}
