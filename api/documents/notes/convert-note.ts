import { readRows } from "#shared/flashcards/text-decks.ts";
import { parseMarkdownBlocks, type NewBlock } from "#shared/pages/markdown-read.ts";
import type { ResolveLink } from "#shared/pages/markdown-inline.ts";
import { plainText } from "#shared/pages/runs.ts";
import { decodeText } from "../office/decode-text.ts";
import { readFrontmatter, type Frontmatter } from "./frontmatter.ts";
import { markdownTable, readHtmlNote } from "./html-note-reader.ts";
import type { NoteLosses } from "./note-losses.ts";
import type { NotePage } from "./notes-messages.ts";
import type { Note, NotesTree } from "./notes-tree.ts";
import { toCommonMarkdown, WIKI } from "./rewrite-markdown.ts";

const MAX_CHARS = 3_000_000;
const MAX_BLOCKS = 10_000;
const MAX_CODE = 400_000;
const MAX_TITLE = 500;
const MAX_TABLE_ROWS = 5_000;
const EXTERNAL_URL = /^[a-z][a-z0-9+.-]*:/i;
const EMOJI = /^(\p{Extended_Pictographic}(?:\uFE0F|\u200D\p{Extended_Pictographic}|\p{Emoji_Modifier})*)\s+(?=\S)/u;

const decodePart = (part: string) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The decoded target of a link without query and fragment; undefined for external URLs. */
function parseTarget(href: string): string | undefined {
  if (href.startsWith(WIKI)) return decodePart(href.slice(WIKI.length));
  if (EXTERNAL_URL.test(href)) return /notion\.(?:so|site)\//i.test(href) ? href.replace(/[?#].*$/, "") : undefined;
  return decodePart(href.replace(/[?#].*$/, ""));
}

interface ImportContext {
  tree: NotesTree;
  losses: NoteLosses;
}

/** Resolves the links of one note and collects broken ones. */
class LinkResolver {
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
  replaceNames(block: NewBlock): NewBlock {
    if (block.type !== "text") return block;
    const text = block.content.text.map((run) => {
      const name = typeof run.content === "string" && run.reference ? this.#names.get(run.content) : undefined;
      return name === undefined ? run : { ...run, content: name };
    });
    return { ...block, content: { ...block.content, text } };
  }

  find(href: string) {
    const target = parseTarget(href);
    if (target === undefined || target === "") return undefined;
    const found = this.#tree.find(target, this.#note.file.path);
    if (!found && !/notion\.(?:so|site)\//i.test(href)) this.missing.add(target);
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
function toPropertyBlocks({ properties }: Frontmatter): NewBlock[] {
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

const getHeadingText = (block: NewBlock | undefined) =>
  block?.type === "text" && block.content.subType === "heading_1" ? plainText(block.content.text).trim() : undefined;

/** The note's title, and its blocks without it. In an Obsidian vault, the file name is the title. */
function extractTitle(
  note: Note,
  blocks: NewBlock[],
  ownTitle: string,
  isVault: boolean,
): { title: string; blocks: NewBlock[] } {
  const headingText = getHeadingText(blocks[0]);
  if (ownTitle !== "") return { title: ownTitle, blocks: headingText === ownTitle ? blocks.slice(1) : blocks };
  if (headingText === undefined) return { title: note.name, blocks };
  if (isVault) return { title: note.name, blocks: headingText === note.name ? blocks.slice(1) : blocks };
  return { title: headingText, blocks: blocks.slice(1) };
}

interface ParsedNote {
  ownTitle: string;
  emoji: string | null;
  blocks: NewBlock[];
}

function readMarkdown(text: string, resolve: ResolveLink): ParsedNote {
  const front = readFrontmatter(text);
  const blocks = parseMarkdownBlocks(toCommonMarkdown(front.rest), resolve);
  const headingText = getHeadingText(blocks[0]);
  const lines = toPropertyBlocks(front);
  const placed =
    headingText === undefined ? [...lines, ...blocks] : [...blocks.slice(0, 1), ...lines, ...blocks.slice(1)];
  return { ownTitle: front.properties.get("title")?.[0] ?? "", emoji: null, blocks: placed };
}

function readTable(text: string): ParsedNote {
  const rows = readRows(text, ",")
    .slice(0, MAX_TABLE_ROWS)
    .map((row) => row.map((cell) => cell.replaceAll("|", String.raw`\|`).replaceAll("\n", "<br>")));
  return { ownTitle: "", emoji: null, blocks: rows.length === 0 ? [] : parseMarkdownBlocks(markdownTable(rows)) };
}

function parseNote(note: Note, text: string, links: LinkResolver, losses: NoteLosses): ParsedNote {
  if (note.format === "csv") return readTable(text);
  if (note.format === "markdown") {
    // Scripts inside code blocks are kept as code; only executable markup counts.
    if (/<(?:script|iframe)\b/i.test(text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "")))
      losses.add("scripts", note.file.path);
    return readMarkdown(text, links.resolve);
  }
  const { title, emoji, blocks, hadScripts } = readHtmlNote(text, links.resolve);
  if (hadScripts) losses.add("scripts", note.file.path);
  return { ownTitle: title, emoji, blocks };
}

/**
 * Adapts a block to its component: shortens it if necessary, and replaces a file reference by its path in the archive.
 */
function fitBlock(block: NewBlock, links: LinkResolver, note: Note, losses: NoteLosses): NewBlock[] {
  if (block.type === "code_block")
    return [{ ...block, content: { ...block.content, code: block.content.code.slice(0, MAX_CODE) } }];
  if (block.type !== "file") return [links.replaceNames(block)];
  const { address, name } = block.content;
  if (/^https?:/i.test(address)) {
    losses.add("remote_pictures", address);
    const text = [{ content: name || address, reference: { kind: "link" as const, target: address.slice(0, 4000) } }];
    return [{ type: "text", content: { text, subType: "normal", metadata: { indents: 0, highlightColor: null } } }];
  }
  const found = links.find(address);
  if (found && !("bytes" in found)) return [{ type: "file", content: { address: found.path, name } }];
  if (!found) losses.add("missing_files", decodePart(address));
  return [];
}

export function convertToPage(note: Note, { tree, losses }: ImportContext): NotePage {
  const links = new LinkResolver(tree, note);
  const text = decodeText(note.bytes).replaceAll("\0", "");
  if (text.length > MAX_CHARS) losses.add("long_notes", note.file.path);
  const { ownTitle, emoji, blocks } = parseNote(note, text.slice(0, MAX_CHARS), links, losses);
  const titledNote = extractTitle(note, blocks, ownTitle, tree.kind === "obsidian");
  const [, emojiPrefix] = EMOJI.exec(titledNote.title) ?? [];
  const title = (
    emojiPrefix === undefined ? titledNote.title : titledNote.title.slice(emojiPrefix.length).trim()
  ).replaceAll(/\s+/g, " ");
  const fittedBlocks = titledNote.blocks.flatMap((block) => fitBlock(block, links, note, losses));
  if (fittedBlocks.length > MAX_BLOCKS) losses.add("long_notes", note.file.path);
  const files = new Set(blocks.flatMap((block) => (block.type === "file" ? [parseTarget(block.content.address)] : [])));
  for (const missing of links.missing) if (!files.has(missing)) losses.add("broken_links", missing);
  return {
    id: note.id,
    title: title.slice(0, MAX_TITLE),
    emoji: emoji ?? emojiPrefix ?? null,
    folder: note.folder,
    blocks: fittedBlocks.slice(0, MAX_BLOCKS),
    links: links.count,
  };
}

/** The note's aliases, which links may use. */
export const readAliases = (note: Note): readonly string[] =>
  note.format === "markdown"
    ? [...readFrontmatter(decodeText(note.bytes.subarray(0, 100_000))).properties].flatMap(([key, values]) =>
        /^alias(?:es)?$/i.test(key) ? values : [],
      )
    : [];
