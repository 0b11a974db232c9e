import { marked } from "marked";

/** A page written in Markdown, under `webapp/marketing/content/<language>/`. */
export interface MarkdownPage {
  path: string;
  title: string;
  description: string;
  /** The day of a post or of the last change, as `2026-11-23`. */
  date?: string;
  topic?: string;
  html: string;
  /** The words alone, for the search. */
  text: string;
}

/** `# Title`, then `<!-- /path | description | date | topic -->`, then the text up to the next title. */
const HEAD = /^# (.+)\n+<!-- (\S+) \|([^|]*?)(?:\| *([\d-]*) *)?(?:\| *([^|]*?) *)?-->\n/;

const toId = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/<[^>]+>|&\w+;/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");

/** Headings get an id, so that a section can be linked to. */
const withIds = (html: string) =>
  html.replaceAll(/<h([23])>(.*?)<\/h\1>/g, (_, level: string, inner: string) => {
    return `<h${level} id="${toId(inner)}">${inner}</h${level}>`;
  });

const toText = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

function parsePage(source: string): MarkdownPage {
  const found = HEAD.exec(source);
  if (!found) throw new Error(`A public page has no head: ${source.slice(0, 80)}`);
  const [head, title = "", path = "", description = "", date, topic] = found;
  const html = withIds(marked.parse(source.slice(head.length), { async: false }));
  return {
    path,
    title: title.trim(),
    description: description.trim(),
    ...(date ? { date } : {}),
    ...(topic ? { topic } : {}),
    html,
    text: toText(html),
  };
}

/** The pages of one file, in its order. */
export const parsePages = (source: string): MarkdownPage[] =>
  source
    .split(/^(?=# )/m)
    .filter((part) => part.trim() !== "")
    .map(parsePage);
