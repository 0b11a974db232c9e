import { readRows } from "#shared/flashcards/text-decks.ts";
import { blocksFromMarkdown, type NewBlock } from "#shared/pages/markdown-read.ts";
import type { ResolveLink } from "#shared/pages/markdown-inline.ts";
import { plainText } from "#shared/pages/runs.ts";
import { decodeText } from "../office/decode.ts";
import { readFrontmatter, type Frontmatter } from "./frontmatter.ts";
import { markdownTable, readHtmlNote } from "./html-notes.ts";
import type { NoteLosses } from "./losses.ts";
import type { NotePage } from "./notes-messages.ts";
import type { Note, NotesTree } from "./notes-tree.ts";
import { toCommonMarkdown, WIKI } from "./rewrite-markdown.ts";

const MAX_CHARS = 3_000_000;
const MAX_BLOCKS = 10_000;
const MAX_CODE = 400_000;
const MAX_TITLE = 500;
const MAX_TABLE_ROWS = 5_000;
const ELSEWHERE = /^[a-z][a-z0-9+.-]*:/i;
const EMOJI = /^(\p{Extended_Pictographic}(?:\uFE0F|\u200D\p{Extended_Pictographic}|\p{Emoji_Modifier})*)\s+(?=\S)/u;

const decoded = (part: string) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The decoded target of a link without query and fragment; undefined for external URLs. */
function placeOf(href: string): string | undefined {
  if (href.startsWith(WIKI)) return decoded(href.slice(WIKI.length));
  if (ELSEWHERE.test(href)) return /notion\.(?:so|site)\//i.test(href) ? href.replace(/[?#].*$/, "") : undefined;
  return decoded(href.replace(/[?#].*$/, ""));
}

interface Reading {
  tree: NotesTree;
  losses: NoteLosses;
}

/** Resolves the links of one note and collects broken ones. */
class Links {
  readonly #tree: NotesTree;
  readonly #note: Note;
  readonly #pages = new Set<string>();
  readonly #names = new Map<string, string>();
  readonly missing = new Set<string>();

  constructor(tree: NotesTree, note: Note) {
    this.#tree = tree;
    this.#note = note;
  }

  get count(): number {
    return this.#pages.size;
  }

  /** Replaces a bare URL that leads to an imported page by the page's name. */
  named(block: NewBlock): NewBlock {
    if (block.type !== "text") return block;
    const text = block.content.text.map((run) => {
      const name = typeof run.content === "string" && run.reference ? this.#names.get(run.content) : undefined;
      return name === undefined ? run : { ...run, content: name };
    });
    return { ...block, content: { ...block.content, text } };
  }

  find(href: string) {
    const place = placeOf(href);
    if (place === undefined || place === "") return undefined;
    const found = this.#tree.find(place, this.#note.file.path);
    if (!found && !/notion\.(?:so|site)\//i.test(href)) this.missing.add(place);
    return found;
  }

  readonly resolve: ResolveLink = (href) => {
    const found = this.find(href);
    if (!found) return undefined;
    if (!("bytes" in found)) return "file";
    this.#pages.add(href);
    this.#names.set(href, found.name);
    return { pageId: found.id };
  };
}

/** The note's properties as text blocks. */
function propertyLines({ properties }: Frontmatter): NewBlock[] {
  const skipped = new Set(["title", "cssclass", "cssclasses", "publish"]);
  return [...properties]
    .filter(([key, values]) => values.length > 0 && !skipped.has(key.toLowerCase()))
    .map(([key, values]) => {
      const label = /^tags?$/i.test(key) ? "Tags" : /^alias(?:es)?$/i.test(key) ? "Also called" : key;
      const text = [
        { content: `${label}: `, attributes: { bold: true } },
        { content: values.join(", ").slice(0, 4000) },
      ];
      return { type: "text", content: { text, subType: "normal", metadata: { indents: 0, highlightColor: null } } };
    });
}

const titlesOfHead = (block: NewBlock | undefined) =>
  block?.type === "text" && block.content.subType === "heading_1" ? plainText(block.content.text).trim() : undefined;

/** The note's title, and its blocks without it. In an Obsidian vault, the file name is the title. */
function titled(
  note: Note,
  blocks: NewBlock[],
  given: string,
  isVault: boolean,
): { title: string; blocks: NewBlock[] } {
  const head = titlesOfHead(blocks[0]);
  if (given !== "") return { title: given, blocks: head === given ? blocks.slice(1) : blocks };
  if (head === undefined) return { title: note.name, blocks };
  if (isVault) return { title: note.name, blocks: head === note.name ? blocks.slice(1) : blocks };
  return { title: head, blocks: blocks.slice(1) };
}

interface Written {
  given: string;
  emoji: string | null;
  blocks: NewBlock[];
}

function readMarkdown(text: string, resolve: ResolveLink): Written {
  const front = readFrontmatter(text);
  const blocks = blocksFromMarkdown(toCommonMarkdown(front.rest), resolve);
  const head = titlesOfHead(blocks[0]);
  const lines = propertyLines(front);
  const placed = head === undefined ? [...lines, ...blocks] : [...blocks.slice(0, 1), ...lines, ...blocks.slice(1)];
  return { given: front.properties.get("title")?.[0] ?? "", emoji: null, blocks: placed };
}

function readTable(text: string): Written {
  const rows = readRows(text, ",")
    .slice(0, MAX_TABLE_ROWS)
    .map((row) => row.map((cell) => cell.replaceAll("|", String.raw`\|`).replaceAll("\n", "<br>")));
  return { given: "", emoji: null, blocks: rows.length === 0 ? [] : blocksFromMarkdown(markdownTable(rows)) };
}

function readWritten(note: Note, text: string, links: Links, losses: NoteLosses): Written {
  if (note.format === "csv") return readTable(text);
  if (note.format === "markdown") {
    // Scripts inside code blocks are kept as code; only executable markup counts.
    if (/<(?:script|iframe)\b/i.test(text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "")))
      losses.add("scripts", note.file.path);
    return readMarkdown(text, links.resolve);
  }
  const { title, emoji, blocks, hadScripts } = readHtmlNote(text, links.resolve);
  if (hadScripts) losses.add("scripts", note.file.path);
  return { given: title, emoji, blocks };
}

/**
 * Adapts a block to its component: shortens it if necessary, and replaces a file reference by its path in the archive.
 */
function fitted(block: NewBlock, links: Links, note: Note, losses: NoteLosses): NewBlock[] {
  if (block.type === "code_block") {
    if (block.content.language === "markdown" && block.content.code.startsWith("|"))
      losses.add("tables", note.file.path);
    return [{ ...block, content: { ...block.content, code: block.content.code.slice(0, MAX_CODE) } }];
  }
  if (block.type !== "file") return [links.named(block)];
  const { address, name } = block.content;
  if (/^https?:/i.test(address)) {
    losses.add("remote_pictures", address);
    const text = [{ content: name || address, reference: { kind: "link" as const, target: address.slice(0, 4000) } }];
    return [{ type: "text", content: { text, subType: "normal", metadata: { indents: 0, highlightColor: null } } }];
  }
  const found = links.find(address);
  if (found && !("bytes" in found)) return [{ type: "file", content: { address: found.path, name } }];
  if (!found) losses.add("missing_files", decoded(address));
  return [];
}

/** Converts a note to a page. */
export function pageOf(note: Note, { tree, losses }: Reading): NotePage {
  const links = new Links(tree, note);
  const text = decodeText(note.bytes).replaceAll("\0", "");
  if (text.length > MAX_CHARS) losses.add("long_notes", note.file.path);
  const { given, emoji, blocks } = readWritten(note, text.slice(0, MAX_CHARS), links, losses);
  const whole = titled(note, blocks, given, tree.kind === "obsidian");
  const [, sign] = EMOJI.exec(whole.title) ?? [];
  const title = (sign === undefined ? whole.title : whole.title.slice(sign.length).trim()).replaceAll(/\s+/g, " ");
  const fit = whole.blocks.flatMap((block) => fitted(block, links, note, losses));
  if (fit.length > MAX_BLOCKS) losses.add("long_notes", note.file.path);
  const files = new Set(blocks.flatMap((block) => (block.type === "file" ? [placeOf(block.content.address)] : [])));
  for (const missing of links.missing) if (!files.has(missing)) losses.add("broken_links", missing);
  return {
    id: note.id,
    title: title.slice(0, MAX_TITLE),
    emoji: emoji ?? sign ?? null,
    folder: note.folder,
    blocks: fit.slice(0, MAX_BLOCKS),
    links: links.count,
  };
}

/** The note's aliases, which links may use. */
export const aliasesOf = (note: Note): readonly string[] =>
  note.format === "markdown"
    ? [...readFrontmatter(decodeText(note.bytes.subarray(0, 100_000))).properties].flatMap(([key, values]) =>
        /^alias(?:es)?$/i.test(key) ? values : [],
      )
    : [];
