import { marked } from "marked";
import { toHeadingId } from "#shared/marketing/post-markdown.ts";

/** A page written in Markdown, under `webapp/marketing/content/<language>/`. */
export interface MarkdownPage {
  path: string;
  title: string;
  description: string;
  /** The day of a post or of the last change, as `2026-11-23`. */
  date?: string;
  topic?: string;
  html: string;
  /** The Markdown below the head. */
  source?: string;
  /** The words alone, for the search. */
  text: string;
}

/** `# Title`, then `<!-- /path | description | date | topic -->`, then the text up to the next title. */
const HEAD = /^# (.+)\n+<!-- (\S+) \|([^|]*?)(?:\| *([\d-]*) *)?(?:\| *([^|]*?) *)?-->\n/;

/** Headings get an id, so that a section can be linked to. */
const withIds = (html: string) =>
  html.replaceAll(/<h([23])>(.*?)<\/h\1>/g, (_, level: string, inner: string) => {
    return `<h${level} id="${toHeadingId(inner)}">${inner}</h${level}>`;
  });

/** The pictures of the help have one size (`tests/long/pictures/help-pictures.ts`); text must not jump when they arrive. */
const withPictureSizes = (html: string) =>
  html.replaceAll("<img ", '<img width="960" height="600" loading="lazy" decoding="async" ');

const toText = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

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

/** The pages of one file, in its order. */
export const parsePages = (source: string): MarkdownPage[] =>
  source
    .split(/^(?=# )/m)
    .filter((part) => part.trim() !== "")
    .map(parsePage);
