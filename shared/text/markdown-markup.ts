/** Markup that Markdown documents use for layout, including HTML and the extensions of site generators. */

const TAG_NAMES =
  "a|abbr|address|article|aside|b|blockquote|br|caption|center|cite|code|col|colgroup|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|iframe|img|ins|kbd|li|main|mark|nav|ol|p|picture|pre|q|s|samp|section|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video|wbr";
const STRONG_TAGS = /<(u|b|strong|mark|dfn)(?: [^<>]{0,200})?>([^<>*_`\n]{1,200})<\/\1>/gi;
const SOFT_TAGS = /<(i|em|cite)(?: [^<>]{0,200})?>([^<>*_`\n]{1,200})<\/\1>/gi;
const BREAKS = /<\/?(?:br|p|div|td|th|tr|li|hr) ?(?: [^<>]{0,300})?\/?>/gi;
const TAGS = new RegExp(`</?(?:${TAG_NAMES})(?: [^<>]{0,300})? ?/?>`, "gi");
const COMMENTS = /<!--[^]{0,4000}?-->/g;
/** Inline code without emphasis characters, whose backticks can therefore be dropped. */
const PLAIN_CODE = /`([^`*_\n]{1,200})`/g;

const ENTITIES: Readonly<Record<string, string>> = {
  nbsp: " ",
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  times: "×",
  rarr: "→",
};
const ENTITY = new RegExp(`&(${Object.keys(ENTITIES).join("|")});`, "g");

/** Replaces tags for emphasis by asterisks, removes other tags, and decodes entities. */
export function plainMarkdown(line: string): string {
  const bare = line.includes("<")
    ? line
        .replace(COMMENTS, " ")
        .replace(STRONG_TAGS, "**$2**")
        .replace(SOFT_TAGS, "*$2*")
        .replace(BREAKS, " ")
        .replace(TAGS, "")
    : line;
  const decoded = bare.includes("&") ? bare.replace(ENTITY, (_, name: string) => ENTITIES[name] ?? " ") : bare;
  return decoded.includes("`") ? decoded.replace(PLAIN_CODE, "$1") : decoded;
}

/** "!!! tip", "??? note", '=== "Python"', ":::warning", "{: .wide}", "[^1]: …": layout without text of its own. */
const DIRECTIVE =
  /^(?:(?:!!!|\?\?\?\+?) \w+(?: ".{0,120}")?|={3} "[^"]{1,80}"|:{3,}.{0,120}|\{[:#.%][^{}]{0,200}\}|<!--.{0,400}-->|\[[^\]]{1,80}\]: \S+.{0,200}|\{%.{0,200}%\}|\[TOC\])$/i;

export const isDirective = (line: string): boolean => line.length < 500 && DIRECTIVE.test(line);

const IMAGE = /^!\[([^[\]\n]{0,300})\]\([^)\s]{0,500}(?: "[^"]{0,300}")?\)(?:\{[^{}]{0,100}\})?$/;
const CENTRED =
  /^<(?:p|div|center|figcaption|caption)\b[^<>]{0,100}>(.{1,300})<\/(?:p|div|center|figcaption|caption)>$/i;
const LABEL = /^\s*(?:table|figure|fig\.|listing)\s*<\w+>\s*/i;

/** The caption of a picture or a table, if the line has nothing else. */
export function captionOf(line: string): string | undefined {
  if (line.length > 900) return undefined;
  const isCentred =
    /^<(?:figcaption|caption|center)\b|^<\w+[^<>]{0,100}\b(?:align|text-align)\b[^<>]{0,10}center/i.test(line);
  const text = IMAGE.exec(line)?.[1] ?? (isCentred ? CENTRED.exec(line)?.[1] : undefined);
  return text === undefined ? undefined : plainMarkdown(text.replace(LABEL, "")).trim();
}

/** The number of lines of front matter ("---", "title: …", "---"). */
export function frontMatterLines(lines: readonly string[]): number {
  if (lines[0]?.trim() !== "---" || !/^[\w-]+:/.test(lines[1] ?? "")) return 0;
  const end = lines.slice(1, 80).findIndex((line) => line.trim() === "---");
  return end === -1 ? 0 : end + 2;
}

const MAX_MARKERS = 60;
const MARKERS = /^(?:[\s>*+-]|\d{1,9}[.)])*/;
/** What opens a level: every ">", and a marker of a list before a space. "-----" opens none. */
const LEVEL = />|(?:[*+-]|\d[.)])(?=\s)/g;

/** Columns before the marker of a list; a tab counts as four. */
const MAX_INDENT_COLUMNS = 2 * MAX_MARKERS;
const INDENTED_MARKER = /^([ \t]+)(?:[*+-]|\d{1,9}[.)])(?=\s)/;

/** The parser reads the rest of a list again at each level, so a level per line makes the work grow with the square. */
function limitIndent(line: string): string {
  const indent = INDENTED_MARKER.exec(line)?.[1] ?? "";
  if (indent.replaceAll("\t", "    ").length <= MAX_INDENT_COLUMNS) return line;
  return " ".repeat(MAX_INDENT_COLUMNS) + line.slice(indent.length);
}

/**
 * Markdown whose deeper nesting of lists and quotes is text, so that no file can overflow the parser's stack or make it
 * take minutes.
 */
export const limitNesting = (text: string) =>
  text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => {
      const markers = MARKERS.exec(line)?.[0] ?? "";
      const isDeep = (markers.match(LEVEL) ?? []).length > MAX_MARKERS;
      return isDeep && !/^[\s*-]*$/.test(line) ? line.slice(markers.length) : limitIndent(line);
    })
    .join("\n");
