import type { NewBlock } from "#shared/pages/markdown-read.ts";
import { parseMarkdownBlocks } from "#shared/pages/markdown-read.ts";
import type { ResolveLink } from "#shared/pages/markdown-inline.ts";
import { flatRuns } from "#shared/pages/runs.ts";
import type { Run, TextSubType } from "#shared/pages/schema.ts";
import { parseBody } from "../office/html-reader.ts";
import { type Dom, findCheckbox, getTag, listRows, readAttribute } from "./note-dom.ts";

const TEXT = 3;
const MAX_DEPTH = 200;
const MAX_INDENT = 20;

type Attributes = NonNullable<Run["attributes"]>;
const FORMAT_TAGS: Readonly<Record<string, keyof Attributes>> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  cite: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  del: "strikethrough",
  strike: "strikethrough",
  code: "inline_code",
  mark: "bold",
};
const BLOCKS = new Set(
  "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
const SKIPPED = new Set(
  "script style template noscript iframe object embed svg head title link meta base form input button select textarea".split(
    " ",
  ),
);
const EXTERNAL_LINK = /^(?:https?:\/\/|mailto:)/i;

const textBlock = (text: Run[], subType: TextSubType, indents: number): NewBlock => ({
  type: "text",
  content: { text, subType, metadata: { indents: Math.min(indents, MAX_INDENT), highlightColor: null } },
});

interface BlockContext {
  subType: TextSubType;
  indents: number;
  depth: number;
}

interface InlineStyle {
  attributes: Attributes;
  reference?: Run["reference"];
}

const PLAIN: InlineStyle = { attributes: {} };

class HtmlReader {
  readonly blocks: NewBlock[] = [];
  readonly #resolve: ResolveLink;
  #runs: Run[] = [];

  constructor(resolve: ResolveLink) {
    this.#resolve = resolve;
  }

  /** Adds the collected runs as a block. */
  flushRuns({ subType, indents }: BlockContext): void {
    const runs = trimRuns(this.#runs);
    this.#runs = [];
    if (runs.length > 0) this.blocks.push(textBlock(runs, subType, indents));
  }

  readBlocks(node: Dom, blockContext: BlockContext): void {
    if (blockContext.depth > MAX_DEPTH) return;
    const inner = { ...blockContext, depth: blockContext.depth + 1 };
    for (const child of node.childNodes) {
      const tag = getTag(child);
      if (SKIPPED.has(tag)) continue;
      if (!BLOCKS.has(tag)) this.#readInline(child, PLAIN, inner);
      else {
        this.flushRuns(blockContext);
        this.#readBlock(tag, child, inner);
      }
    }
    this.flushRuns(blockContext);
  }

  #readBlock(tag: string, node: Dom, blockContext: BlockContext): void {
    const level = /^h([1-6])$/.exec(tag)?.[1];
    if (level !== undefined) return this.#readHeading(node, Number(level), blockContext);
    switch (tag) {
      case "hr":
        this.blocks.push({ type: "divider", content: {} });
        return;
      case "pre":
        return this.#readCode(node);
      case "ul":
      case "ol":
        return this.#readList(node, tag, blockContext);
      case "table":
        return this.#readTable(node);
      case "blockquote":
      case "aside":
        return this.readBlocks(node, { ...blockContext, subType: "block_quote" });
      case "figure":
        return readAttribute(node, "class").includes("equation")
          ? this.#readEquation(node)
          : this.readBlocks(node, blockContext);
      default:
        return this.readBlocks(node, blockContext);
    }
  }

  #readHeading(node: Dom, level: number, blockContext: BlockContext): void {
    for (const child of node.childNodes)
      this.#readInline(child, level > 3 ? { attributes: { bold: true } } : PLAIN, blockContext);
    this.flushRuns({ ...blockContext, subType: level > 3 ? "normal" : `heading_${level as 1 | 2 | 3}` });
  }

  #readCode(node: Dom): void {
    const language =
      /language-([\w+#-]{1,40})/i.exec(readAttribute(node.querySelector?.("code") ?? node, "class"))?.[1] ?? "";
    this.blocks.push({ type: "code_block", content: { code: (node.textContent ?? "").slice(0, 400_000), language } });
  }

  #readEquation(node: Dom): void {
    const latex = node.querySelector?.("annotation")?.textContent?.trim() ?? "";
    if (latex !== "") this.blocks.push({ type: "equation", content: { latex: latex.slice(0, 20_000) } });
  }

  #readList(node: Dom, tag: "ul" | "ol", blockContext: BlockContext): void {
    for (const item of node.childNodes) {
      if (getTag(item) !== "li") continue;
      const box = findCheckbox(item);
      const isChecked =
        box && (box.getAttribute?.("checked") !== null || readAttribute(box, "class").includes("checkbox-on"));
      const subType = box
        ? (`list_checkbox_${isChecked === true ? "checked" : "unchecked"}` as const)
        : tag === "ol"
          ? "list_ordered"
          : "list_unordered";
      this.#readItem(item, { ...blockContext, subType });
    }
  }

  /** The first block of a list item becomes the item; the following blocks are indented below it. */
  #readItem(item: Dom, blockContext: BlockContext): void {
    if (blockContext.depth > MAX_DEPTH) return;
    const inner = { ...blockContext, depth: blockContext.depth + 1 };
    const blockCount = this.blocks.length;
    const contextBelow = (): BlockContext =>
      this.blocks.length > blockCount ? { ...inner, subType: "normal", indents: blockContext.indents + 1 } : inner;
    for (const child of item.childNodes) {
      const tag = getTag(child);
      if (SKIPPED.has(tag)) continue;
      if (!BLOCKS.has(tag)) this.#readInline(child, PLAIN, inner);
      else {
        this.flushRuns(contextBelow());
        const contextHere = contextBelow();
        this.#readBlock(
          tag,
          child,
          tag === "ul" || tag === "ol"
            ? { ...inner, indents: blockContext.indents + (this.blocks.length > blockCount ? 1 : 0) }
            : contextHere,
        );
      }
    }
    this.flushRuns(contextBelow());
  }

  /** A two-column table of questions and answers becomes a deck; other tables are kept as Markdown. */
  #readTable(node: Dom): void {
    const rows = listRows(node).map((row) =>
      [...row.childNodes]
        .filter((cell) => ["td", "th"].includes(getTag(cell)))
        .map((cell) =>
          (cell.textContent ?? "")
            .trim()
            .replaceAll(/\s+/g, " ")
            .replaceAll("|", String.raw`\|`),
        ),
    );
    const filled = rows.filter((row) => row.some((cell) => cell !== ""));
    if (filled.length > 0) this.blocks.push(...parseMarkdownBlocks(markdownTable(filled)));
  }

  #readInline(node: Dom, inlineStyle: InlineStyle, blockContext: BlockContext): void {
    if (blockContext.depth > MAX_DEPTH) return;
    const tag = getTag(node);
    if (node.nodeType === TEXT) this.#addRun((node.textContent ?? "").replaceAll(/[ \t\r\n\f]+/g, " "), inlineStyle);
    else if (tag === "br") this.#addRun("\n", inlineStyle);
    else if (tag === "img") this.#readPicture(node, blockContext);
    else if (tag !== "" && !SKIPPED.has(tag)) this.#readSpan(tag, node, { inlineStyle, blockContext });
  }

  #readSpan(
    tag: string,
    node: Dom,
    { inlineStyle, blockContext }: { inlineStyle: InlineStyle; blockContext: BlockContext },
  ): void {
    const format = FORMAT_TAGS[tag];
    const linkTarget = tag === "a" ? this.#resolveLink(readAttribute(node, "href"), node) : undefined;
    const inner: InlineStyle = {
      attributes: format ? { ...inlineStyle.attributes, [format]: true } : inlineStyle.attributes,
      reference: linkTarget?.reference ?? inlineStyle.reference,
    };
    const deeper = { ...blockContext, depth: blockContext.depth + 1 };
    for (const child of node.childNodes) {
      if (BLOCKS.has(getTag(child))) {
        this.flushRuns(blockContext);
        this.#readBlock(getTag(child), child, deeper);
      } else this.#readInline(child, inner, deeper);
    }
    if (linkTarget?.file === undefined) return;
    this.flushRuns(blockContext);
    this.blocks.push({ type: "file", content: { address: linkTarget.file, name: (node.textContent ?? "").trim() } });
  }

  #resolveLink(href: string, node: Dom): { reference?: Run["reference"]; file?: string } | undefined {
    const found = this.#resolve(href);
    // An image that links to itself is only the image.
    if (found === "file") return node.querySelector?.("img") ? {} : { file: href };
    if (found) return { reference: { kind: "page_tag", target: found.pageId } };
    return EXTERNAL_LINK.test(href) && href.length <= 4000 ? { reference: { kind: "link", target: href } } : undefined;
  }

  #readPicture(node: Dom, blockContext: BlockContext): void {
    const address = readAttribute(node, "src");
    if (address === "" || /^data:/i.test(address)) return;
    this.flushRuns(blockContext);
    this.blocks.push({ type: "file", content: { address, name: readAttribute(node, "alt") } });
  }

  #addRun(content: string, { attributes, reference }: InlineStyle): void {
    if (content === "") return;
    this.#runs.push({
      content,
      ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
      ...(reference ? { reference } : {}),
    });
  }
}

function trimRuns(runs: readonly Run[]): Run[] {
  const flat = flatRuns(runs).map((run) => ({ ...run, content: run.content.replaceAll(/ *\n */g, "\n") }));
  const [first, last] = [flat[0], flat.at(-1)];
  if (first) first.content = first.content.trimStart();
  if (last) last.content = last.content.trimEnd();
  return flat.filter(({ content }) => content !== "");
}

/** Rows as a Markdown table with the first as header. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map((row) => row.length));
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => row[index] ?? "").join(" | ")} |`;
  const [head = [], ...rest] = rows;
  return [line(head), `|${" --- |".repeat(width)}`, ...rest.map(line)].join("\n");
}

export interface HtmlNote {
  title: string;
  emoji: string | null;
  blocks: NewBlock[];
  hadScripts: boolean;
}

const EXECUTABLE = "script, iframe, object, embed";
const TITLE = /<title[^>]*>([^<]{0,500})<\/title>/i;

/** Removes an element and returns its text. */
function removeElement(body: Dom, selector: string): string {
  const found = body.querySelector?.(selector);
  found?.remove?.();
  return found?.textContent?.trim() ?? "";
}

/** Reads an HTML note. Runs no scripts and fetches nothing. */
export function readHtmlNote(html: string, resolve: ResolveLink): HtmlNote {
  const body = parseBody(html) as unknown as Dom;
  const icon = removeElement(body, ".page-header-icon");
  const heading = removeElement(body, "h1.page-title, header h1");
  const reader = new HtmlReader(resolve);
  reader.readBlocks(body.querySelector?.("article") ?? body, { subType: "normal", indents: 0, depth: 0 });
  return {
    title: heading || (TITLE.exec(html)?.[1]?.trim() ?? ""),
    emoji: icon !== "" && icon.length <= 16 ? icon : null,
    blocks: reader.blocks,
    hadScripts: /<script\b/i.test(html) || Boolean(body.querySelector?.(EXECUTABLE)),
  };
}
