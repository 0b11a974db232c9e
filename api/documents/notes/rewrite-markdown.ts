import { replaceBetween } from "#shared/pages/strip-html.ts";

/** URL prefix of wiki links: `[[Osmosis]]` becomes a link to this prefix and the name. */
export const WIKI = "wiki:";

const FENCE = /^ {0,3}(?:>\s?)*(`{3,}|~{3,})/;

/** Applies a change to prose only; fenced code blocks and code spans stay unchanged. */
function rewriteOutsideCode(text: string, rewrite: (prose: string) => string): string {
  const lines: string[] = [];
  let prose: string[] = [];
  let fence: string | undefined;
  const flush = () => {
    if (prose.length > 0) lines.push(rewriteOutsideSpans(prose.join("\n"), rewrite));
    prose = [];
  };
  for (const line of text.split("\n")) {
    const fenceMarker = FENCE.exec(line)?.[1];
    if (fence === undefined && fenceMarker === undefined) {
      prose.push(line);
      continue;
    }
    if (fence === undefined) {
      flush();
      fence = fenceMarker;
    } else if (fenceMarker !== undefined && fenceMarker[0] === fence[0] && fenceMarker.length >= fence.length)
      fence = undefined;
    lines.push(line);
  }
  flush();
  return lines.join("\n");
}

const rewriteOutsideSpans = (text: string, rewrite: (prose: string) => string) =>
  text
    .split(/(`[^`\n]{1,2000}`)/)
    .map((part, index) => (index % 2 === 1 ? part : rewrite(part)))
    .join("");

const MARKUP = /[\\[\]*_`<>]/g;
const escapeMarkdown = (text: string) => text.replaceAll(MARKUP, String.raw`\$&`);

const WIKI_LINK = /(!?)\[\[([^[\]\n|]{1,500})(?:\\?\|([^[\]\n]{0,500}))?\]\]/g;
/** An image width such as `|300` is not a caption. */
const WIDTH = /^\d+(?:x\d+)?$/;

function rewriteWikiLinks(text: string): string {
  return text.replaceAll(WIKI_LINK, (_, bang: string, target: string, alias: string | undefined) => {
    const [name = "", anchor = ""] = target.trim().split("#", 2);
    const label = [name.slice(name.lastIndexOf("/") + 1), anchor.replace(/^\^/, "")]
      .filter((part) => part !== "")
      .join(" > ");
    const linkText = alias === undefined || WIDTH.test(alias.trim()) ? label : alias;
    return `${bang}[${escapeMarkdown(linkText)}](<${WIKI}${encodeURIComponent(name.trim())}>)`;
  });
}

const CALLOUT = /^((?:[^\S\n]*>)+)[^\S\n]*\[!([\w-]{1,40})\][+-]?[ \t]*(.*)$/gm;

/** A callout becomes a quote whose first line is its title in bold. */
const rewriteCallouts = (text: string) =>
  text.replaceAll(CALLOUT, (_, quote: string, kind: string, title: string) => {
    const calloutTitle = title.trim() || `${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()}`;
    return `${quote} **${calloutTitle}**\n${quote}`;
  });

const MAX_CALLOUT_CHARS = 20_000;

/** A Notion callout becomes a quote as well. */
const rewriteNotionCallouts = (text: string) =>
  replaceBetween(
    text,
    ["<aside>", "</aside>"],
    (inside) =>
      `\n${inside
        .trim()
        .split("\n")
        .map((line) => `> ${line}`.trimEnd())
        .join("\n")}\n`,
    MAX_CALLOUT_CHARS,
  );

const HIGHLIGHT = /==(?=\S)([^=\n]{1,2000}?)==/g;
const COMMENT = /%%[\s\S]{0,20000}?%%/g;
/** An Obsidian block id. */
const BLOCK_ID = /[ \t]\^[A-Za-z0-9-]{3,60}[ \t]*$/gm;

/** Converts Obsidian's and Notion's extensions to common Markdown. */
export function toCommonMarkdown(text: string): string {
  return rewriteOutsideCode(text.replaceAll(/\r\n?/g, "\n"), (prose) =>
    rewriteWikiLinks(
      rewriteNotionCallouts(rewriteCallouts(prose.replaceAll(COMMENT, "")))
        .replaceAll(HIGHLIGHT, "**$1**")
        .replaceAll(BLOCK_ID, ""),
    ),
  );
}
