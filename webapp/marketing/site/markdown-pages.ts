import { marked } from "marked";
import { toHeadingId } from "#shared/marketing/post-markdown.ts";

/** A page that is written in Markdown, in `webapp/marketing/content/<language>/`. */
export interface MarkdownPage {
  path: string;
  title: string;
  description: string;
  /** The date of a post or of the last change, such as `2026-11-23`. */
  date?: string;
  topic?: string;
  html: string;
  /** The Markdown after the title and the comment below it. */
  source?: string;
  /** The plain text, for the search. */
  text: string;
}

/** Matches `# Title` and then `<!-- /path | description | date | topic -->`. The page's text follows. */
const HEAD = /^# (.+)\n+<!-- (\S+) \|([^|]*?)(?:\| *([\d-]*) *)?(?:\| *([^|]*?) *)?-->\n/;

/** Adds an id to each heading, so that links can point to sections. */
const withIds = (html: string) =>
  html.replaceAll(/<h([23])>(.*?)<\/h\1>/g, (_, level: string, inner: string) => {
    return `<h${level} id="${toHeadingId(inner)}">${inner}</h${level}>`;
  });

/**
 * Adds the size that all help pictures have (`tests/long/pictures/help-pictures.ts`), so that the text does not jump.
 */
const withPictureSizes = (html: string) =>
  html.replaceAll("<img ", '<img width="960" height="600" loading="lazy" decoding="async" ');

/** The text that is always there: what only some servers show is left out. */
export const toText = (html: string): string =>
  html
    .replaceAll(/<!--if \w+-->.*?<!--\/if-->/gs, " ")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: keyof typeof characters) => characters[name])
    .replaceAll(/\s+/g, " ")
    .trim();

/** The characters that the Markdown renderer escapes. */
const characters = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" } as const;

function parsePage(source: string): MarkdownPage {
  const found = HEAD.exec(source);
  if (!found) throw new Error(`A public page has no head: ${source.slice(0, 80)}`);
  const [head, title = "", path = "", description = "", date, topic] = found;
  const markdown = source.slice(head.length).trim();
  const html = withPictureSizes(withIds(marked.parse(markdown, { async: false })));
  return {
    path,
    title: title.trim(),
    description: description.trim(),
    ...(date ? { date } : {}),
    ...(topic ? { topic } : {}),
    html,
    source: markdown,
    text: toText(html),
  };
}

/** Parses the pages of one file, in their order. */
export const parsePages = (source: string): MarkdownPage[] =>
  source
    .split(/^(?=# )/m)
    .filter((part) => part.trim() !== "")
    .map(parsePage);
