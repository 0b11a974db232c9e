/** URL prefix of wiki links: `[[Osmosis]]` becomes a link to this prefix and the name. */
export const WIKI = "wiki:";

const FENCE = /^ {0,3}(?:>\s?)*(`{3,}|~{3,})/;

/** Applies a change to prose only; fenced code blocks and code spans stay unchanged. */
function outsideCode(text: string, change: (words: string) => string): string {
  const done: string[] = [];
  let words: string[] = [];
  let fence: string | undefined;
  const flush = () => {
    if (words.length > 0) done.push(outsideSpans(words.join("\n"), change));
    words = [];
  };
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined && mark === undefined) {
      words.push(line);
      continue;
    }
    if (fence === undefined) {
      flush();
      fence = mark;
    } else if (mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length) fence = undefined;
    done.push(line);
  }
  flush();
  return done.join("\n");
}

const outsideSpans = (text: string, change: (words: string) => string) =>
  text
    .split(/(`[^`\n]{1,2000}`)/)
    .map((piece, at) => (at % 2 === 1 ? piece : change(piece)))
    .join("");

const MARKUP = /[\\[\]*_`<>]/g;
const escaped = (text: string) => text.replaceAll(MARKUP, String.raw`\$&`);

const WIKI_LINK = /(!?)\[\[([^[\]\n|]{1,500})(?:\\?\|([^[\]\n]{0,500}))?\]\]/g;
/** An image width such as `|300` is not a caption. */
const WIDTH = /^\d+(?:x\d+)?$/;

function wikiLinks(text: string): string {
  return text.replaceAll(WIKI_LINK, (_, bang: string, target: string, alias: string | undefined) => {
    const [name = "", anchor = ""] = target.trim().split("#", 2);
    const place = [name.slice(name.lastIndexOf("/") + 1), anchor.replace(/^\^/, "")]
      .filter((part) => part !== "")
      .join(" > ");
    const shown = alias === undefined || WIDTH.test(alias.trim()) ? place : alias;
    return `${bang}[${escaped(shown)}](<${WIKI}${encodeURIComponent(name.trim())}>)`;
  });
}

const CALLOUT = /^((?:\s*>)+)\s*\[!([\w-]{1,40})\][+-]?[ \t]*(.*)$/gm;

/** A callout becomes a quote whose first line is its title in bold. */
const callouts = (text: string) =>
  text.replaceAll(CALLOUT, (_, quote: string, kind: string, title: string) => {
    const called = title.trim() || `${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()}`;
    return `${quote} **${called}**\n${quote}`;
  });

const ASIDE = /<aside>\s*\n?([\s\S]{0,20000}?)<\/aside>/g;

/** A Notion callout becomes a quote as well. */
const asides = (text: string) =>
  text.replaceAll(
    ASIDE,
    (_, inside: string) =>
      `\n${inside
        .trim()
        .split("\n")
        .map((line) => `> ${line}`.trimEnd())
        .join("\n")}\n`,
  );

const HIGHLIGHT = /==(?=\S)([^=\n]{1,2000}?)==/g;
const COMMENT = /%%[\s\S]{0,20000}?%%/g;
/** An Obsidian block id. */
const BLOCK_ID = /[ \t]\^[A-Za-z0-9-]{3,60}[ \t]*$/gm;

/** Converts Obsidian's and Notion's extensions to common Markdown. */
export function toCommonMarkdown(text: string): string {
  return outsideCode(text.replaceAll(/\r\n?/g, "\n"), (words) =>
    wikiLinks(
      asides(callouts(words.replaceAll(COMMENT, "")))
        .replaceAll(HIGHLIGHT, "**$1**")
        .replaceAll(BLOCK_ID, ""),
    ),
  );
}
