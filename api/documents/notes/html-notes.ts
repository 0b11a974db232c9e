import type { NewBlock } from "#shared/pages/markdown-read.ts";
import { blocksFromMarkdown } from "#shared/pages/markdown-read.ts";
import type { ResolveLink } from "#shared/pages/markdown-inline.ts";
import { flatRuns } from "#shared/pages/runs.ts";
import type { Run, TextSubType } from "#shared/pages/schema.ts";
import { bodyOf } from "../office/html.ts";

/** The subset of the DOM that this reader uses. */
interface Dom {
  nodeType: number;
  tagName?: string;
  textContent: string | null;
  childNodes: Iterable<Dom>;
  getAttribute?(name: string): string | null;
  querySelector?(selector: string): Dom | null;
  querySelectorAll?(selector: string): Iterable<Dom>;
  remove?(): void;
}

const TEXT = 3;
const ELEMENT = 1;
const MAX_DEPTH = 200;
const MAX_INDENT = 20;

const tagOf = (node: Dom) => (node.nodeType === ELEMENT ? (node.tagName ?? "").toLowerCase() : "");
const attribute = (node: Dom, name: string) => node.getAttribute?.(name) ?? "";

type Attributes = NonNullable<Run["attributes"]>;
const MARKS: Readonly<Record<string, keyof Attributes>> = {
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
const SILENT = new Set(
  "script style template noscript iframe object embed svg head title link meta base form input button select textarea".split(
    " ",
  ),
);
const WEB = /^(?:https?:\/\/|mailto:)/i;

const textBlock = (text: Run[], subType: TextSubType, indents: number): NewBlock => ({
  type: "text",
  content: { text, subType, metadata: { indents: Math.min(indents, MAX_INDENT), highlightColor: null } },
});

interface Place {
  subType: TextSubType;
  indents: number;
  depth: number;
}

interface Look {
  attributes: Attributes;
  reference?: Run["reference"];
}

const PLAIN: Look = { attributes: {} };

class HtmlReader {
  readonly blocks: NewBlock[] = [];
  readonly #resolve: ResolveLink;
  #runs: Run[] = [];

  constructor(resolve: ResolveLink) {
    this.#resolve = resolve;
  }

  /** Adds the collected runs as a block. */
  close({ subType, indents }: Place): void {
    const runs = tidy(this.#runs);
    this.#runs = [];
    if (runs.length > 0) this.blocks.push(textBlock(runs, subType, indents));
  }

  block(node: Dom, place: Place): void {
    if (place.depth > MAX_DEPTH) return;
    const inside = { ...place, depth: place.depth + 1 };
    for (const child of node.childNodes) {
      const tag = tagOf(child);
      if (SILENT.has(tag)) continue;
      if (!BLOCKS.has(tag)) this.#inline(child, PLAIN, inside);
      else {
        this.close(place);
        this.#blockOf(tag, child, inside);
      }
    }
    this.close(place);
  }

  #blockOf(tag: string, node: Dom, place: Place): void {
    const level = /^h([1-6])$/.exec(tag)?.[1];
    if (level !== undefined) return this.#heading(node, Number(level), place);
    switch (tag) {
      case "hr":
        return void this.blocks.push({ type: "divider", content: {} });
      case "pre":
        return this.#code(node);
      case "ul":
      case "ol":
        return this.#list(node, tag, place);
      case "table":
        return this.#table(node);
      case "blockquote":
      case "aside":
        return this.block(node, { ...place, subType: "block_quote" });
      case "figure":
        return attribute(node, "class").includes("equation") ? this.#equation(node) : this.block(node, place);
      default:
        return this.block(node, place);
    }
  }

  #heading(node: Dom, level: number, place: Place): void {
    for (const child of node.childNodes) this.#inline(child, level > 3 ? { attributes: { bold: true } } : PLAIN, place);
    this.close({ ...place, subType: level > 3 ? "normal" : `heading_${level as 1 | 2 | 3}` });
  }

  #code(node: Dom): void {
    const language =
      /language-([\w+#-]{1,40})/i.exec(attribute(node.querySelector?.("code") ?? node, "class"))?.[1] ?? "";
    this.blocks.push({ type: "code_block", content: { code: (node.textContent ?? "").slice(0, 400_000), language } });
  }

  #equation(node: Dom): void {
    const latex = node.querySelector?.("annotation")?.textContent?.trim() ?? "";
    if (latex !== "") this.blocks.push({ type: "equation", content: { latex: latex.slice(0, 20_000) } });
  }

  #list(node: Dom, tag: "ul" | "ol", place: Place): void {
    for (const item of node.childNodes) {
      if (tagOf(item) !== "li") continue;
      const box = item.querySelector?.(":scope > input[type=checkbox], :scope > .checkbox");
      const isOn = box && (box.getAttribute?.("checked") !== null || attribute(box, "class").includes("checkbox-on"));
      const subType = box
        ? (`list_checkbox_${isOn === true ? "checked" : "unchecked"}` as const)
        : tag === "ol"
          ? "list_ordered"
          : "list_unordered";
      this.#item(item, { ...place, subType });
    }
  }

  /** The first line of a list item is the item; the rest is indented below it. */
  #item(item: Dom, place: Place): void {
    const inside = { ...place, depth: place.depth + 1 };
    const before = this.blocks.length;
    const below = (): Place =>
      this.blocks.length > before ? { ...inside, subType: "normal", indents: place.indents + 1 } : inside;
    for (const child of item.childNodes) {
      const tag = tagOf(child);
      if (SILENT.has(tag)) continue;
      if (!BLOCKS.has(tag)) this.#inline(child, PLAIN, inside);
      else {
        this.close(below());
        const at = below();
        this.#blockOf(
          tag,
          child,
          tag === "ul" || tag === "ol"
            ? { ...inside, indents: place.indents + (this.blocks.length > before ? 1 : 0) }
            : at,
        );
      }
    }
    this.close(below());
  }

  /** A two-column table of questions and answers becomes a deck; other tables are kept as Markdown. */
  #table(node: Dom): void {
    const rows = [...(node.querySelectorAll?.("tr") ?? [])].map((row) =>
      [...row.childNodes]
        .filter((cell) => ["td", "th"].includes(tagOf(cell)))
        .map((cell) =>
          (cell.textContent ?? "")
            .trim()
            .replaceAll(/\s+/g, " ")
            .replaceAll("|", String.raw`\|`),
        ),
    );
    const filled = rows.filter((row) => row.some((cell) => cell !== ""));
    if (filled.length > 0) this.blocks.push(...blocksFromMarkdown(markdownTable(filled)));
  }

  #inline(node: Dom, look: Look, place: Place): void {
    if (place.depth > MAX_DEPTH) return;
    const tag = tagOf(node);
    if (node.nodeType === TEXT) this.#say((node.textContent ?? "").replaceAll(/[ \t\r\n\f]+/g, " "), look);
    else if (tag === "br") this.#say("\n", look);
    else if (tag === "img") this.#picture(node, place);
    else if (tag !== "" && !SILENT.has(tag)) this.#span(tag, node, { look, place });
  }

  #span(tag: string, node: Dom, { look, place }: { look: Look; place: Place }): void {
    const mark = MARKS[tag];
    const led = tag === "a" ? this.#link(attribute(node, "href"), node) : undefined;
    const inside: Look = {
      attributes: mark ? { ...look.attributes, [mark]: true } : look.attributes,
      reference: led?.reference ?? look.reference,
    };
    const deeper = { ...place, depth: place.depth + 1 };
    for (const child of node.childNodes) {
      if (BLOCKS.has(tagOf(child))) {
        this.close(place);
        this.#blockOf(tagOf(child), child, deeper);
      } else this.#inline(child, inside, deeper);
    }
    if (led?.file === undefined) return;
    this.close(place);
    this.blocks.push({ type: "file", content: { address: led.file, name: (node.textContent ?? "").trim() } });
  }

  #link(href: string, node: Dom): { reference?: Run["reference"]; file?: string } | undefined {
    const found = this.#resolve(href);
    // An image that links to itself is only the image.
    if (found === "file") return node.querySelector?.("img") ? {} : { file: href };
    if (found) return { reference: { kind: "page_tag", target: found.pageId } };
    return WEB.test(href) && href.length <= 4000 ? { reference: { kind: "link", target: href } } : undefined;
  }

  #picture(node: Dom, place: Place): void {
    const address = attribute(node, "src");
    if (address === "" || /^data:/i.test(address)) return;
    this.close(place);
    this.blocks.push({ type: "file", content: { address, name: attribute(node, "alt") } });
  }

  #say(content: string, { attributes, reference }: Look): void {
    if (content === "") return;
    this.#runs.push({
      content,
      ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
      ...(reference ? { reference } : {}),
    });
  }
}

function tidy(runs: readonly Run[]): Run[] {
  const flat = flatRuns(runs).map((run) => ({ ...run, content: run.content.replaceAll(/ *\n */g, "\n") }));
  const [first, last] = [flat[0], flat.at(-1)];
  if (first) first.content = first.content.trimStart();
  if (last) last.content = last.content.trimEnd();
  return flat.filter(({ content }) => content !== "");
}

/** Rows as a Markdown table with the first as header. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map((row) => row.length));
  const line = (row: readonly string[]) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? "").join(" | ")} |`;
  const [head = [], ...rest] = rows;
  return [line(head), `|${" --- |".repeat(width)}`, ...rest.map(line)].join("\n");
}

export interface HtmlNote {
  title: string;
  emoji: string | null;
  blocks: NewBlock[];
  hadScripts: boolean;
}

const RUNS = "script, iframe, object, embed";
const TITLE = /<title[^>]*>([^<]{0,500})<\/title>/i;

/** Removes an element and returns its text. */
function takeOut(body: Dom, selector: string): string {
  const found = body.querySelector?.(selector);
  found?.remove?.();
  return found?.textContent?.trim() ?? "";
}

/** Reads an HTML note. Runs no scripts and fetches nothing. */
export function readHtmlNote(html: string, resolve: ResolveLink): HtmlNote {
  const body = bodyOf(html) as unknown as Dom;
  const icon = takeOut(body, ".page-header-icon");
  const heading = takeOut(body, "h1.page-title, header h1");
  const reader = new HtmlReader(resolve);
  reader.block(body.querySelector?.("article") ?? body, { subType: "normal", indents: 0, depth: 0 });
  return {
    title: heading || (TITLE.exec(html)?.[1]?.trim() ?? ""),
    emoji: icon !== "" && icon.length <= 16 ? icon : null,
    blocks: reader.blocks,
    hadScripts: /<script\b/i.test(html) || Boolean(body.querySelector?.(RUNS)),
  };
}
