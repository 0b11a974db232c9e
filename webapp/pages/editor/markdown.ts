import { Fragment, Slice, type Node as PmNode, type Schema } from "@tiptap/pm/model";
import { toBlockNode, type Block } from "#shared/pages/document.ts";
import { parseMarkdownBlocks, type NewBlock } from "#shared/pages/markdown-read.ts";

/** Markdown syntax that is unlikely to occur by chance. */
const DISTINCTIVE_SYNTAX =
  /^(?:#{1,6} \S|[-*+] \[[ xX]\] |```|~~~|> \S|\|.*\|.*\||\$\$|!\[[^\]]*\]\(\S+\))|\*\*\S[^*\n]*\*\*|\[[^\]\n]+\]\((?:https?:|\/)[^)\s]+\)/m;
const LIST = /^(?:[-*+]|\d{1,3}[.)]) \S/gm;

/** Whether a text is Markdown: it has distinctive syntax or at least two list items. */
export const looksLikeMarkdown = (text: string) => DISTINCTIVE_SYNTAX.test(text) || (text.match(LIST)?.length ?? 0) > 1;

/** Markdown has only the address of a file, so the file becomes a link. */
function toBlock(block: NewBlock, newId: () => string): Block {
  const _id = newId();
  if (block.type === "flash_cards") {
    const cards = block.content.cards.map((card) => ({ ...card, id: newId(), questionImage: null, citation: null }));
    return { _id, type: block.type, content: { ...block.content, cards, minimized: false } };
  }
  if (block.type !== "file") return { _id, type: block.type, content: block.content };
  const { address, name } = block.content;
  const isAddress = /^https?:\/\//i.test(address);
  const run = { content: name || address, ...(isAddress ? { reference: { kind: "link", target: address } } : {}) };
  const content = { text: [run], subType: "normal", metadata: { indents: 0, highlightColor: null } };
  return { _id, type: "text", content };
}

/** Converts Markdown to block nodes. */
export const markdownToNodes = (schema: Schema, text: string, newId: () => string): PmNode[] =>
  parseMarkdownBlocks(text).map((block) => schema.nodeFromJSON(toBlockNode(toBlock(block, newId))));

/** Pasted Markdown; a single plain line joins the line at the caret. */
export function markdownToSlice(schema: Schema, text: string, newId: () => string): Slice {
  const nodes = markdownToNodes(schema, text, newId);
  const isLine = nodes.length === 1 && nodes[0]?.attrs["subType"] === "normal";
  return new Slice(Fragment.from(nodes), isLine ? 1 : 0, isLine ? 1 : 0);
}
