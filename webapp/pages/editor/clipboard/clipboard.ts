import { Fragment, Slice, type Node as PmNode, type Schema } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { readTable } from "#shared/pages/document.ts";
import { writeTable } from "#shared/pages/tables.ts";
import { readBlockText } from "../block-text.ts";
import { leafText, withFormulas } from "../formula.ts";
import { cleanForeignHtml } from "./foreign-html.ts";
import { looksLikeMarkdown, markdownToSlice } from "../markdown.ts";
import { pasteAddress, pasteBelow } from "./paste.ts";
import { hasPictures, pasteWithPictures, moveCaretToDrop, type PastedPictureHandler } from "./pasted-pictures.ts";

/** Unwraps chunks, which never leave the editor, into blocks. */
export function withoutChunks(slice: Slice): Slice {
  if (slice.content.firstChild?.type.name !== "chunk") return slice;
  const blocks: PmNode[] = [];
  slice.content.forEach((chunk) => chunk.forEach((block) => blocks.push(block)));
  return new Slice(Fragment.from(blocks), Math.max(0, slice.openStart - 1), Math.max(0, slice.openEnd - 1));
}

/** Each line of plain text becomes a block; empty lines are dropped. */
export function textToSlice(schema: Schema, text: string): Slice {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  const blocks = lines.map((line) => schema.node("text_block", null, [schema.text(line)]));
  if (blocks.length === 0) return Slice.empty;
  return new Slice(Fragment.from(blocks), 1, 1);
}

function blockToText(node: PmNode): string {
  if (node.type.name === "text_block") return readBlockText(node);
  const content = node.attrs["content"] as { code?: unknown; latex?: unknown; cards?: unknown };
  const rows = readTable(node.attrs["content"] as Record<string, unknown>);
  if (rows) return writeTable(rows);
  if (typeof content.code === "string") return content.code;
  if (typeof content.latex === "string") return content.latex;
  if (!Array.isArray(content.cards)) return "";
  return (content.cards as { question: string; answer: string }[]).map((c) => `${c.question}\t${c.answer}`).join("\n");
}

export function sliceToText(slice: Slice): string {
  const texts: string[] = [];
  // An inline slice has no block around it.
  if (slice.content.firstChild?.isInline === true)
    return slice.content.textBetween(0, slice.content.size, "\n", leafText);
  withoutChunks(slice).content.forEach((node) => texts.push(blockToText(node)));
  return texts.join("\n");
}

/**
 * Paste limit: a longer text would make the page too slow to edit. Uploaded as a file, the text can be read, searched
 * and cited.
 */
const MAX_CHARS = 1_000_000;
const MAX_BLOCKS = 10_000;
/** Limit including the markup of other programs. */
const MAX_HTML_CHARS = 20_000_000;

function rejectPaste(): true {
  notify({ message: t("pages.paste_too_long"), type: "error" });
  return true;
}

/** Runs before the pasted content is parsed. */
function rejectOversizedPaste(_view: EditorView, event: ClipboardEvent): boolean {
  const html = event.clipboardData?.getData("text/html") ?? "";
  const text = html === "" ? (event.clipboardData?.getData("text/plain") ?? "") : "";
  if (html.length <= MAX_HTML_CHARS && text.length <= MAX_CHARS) return false;
  event.preventDefault();
  return rejectPaste();
}

const isTooLong = ({ content }: Slice) => content.size > MAX_CHARS + 2 * MAX_BLOCKS || content.childCount > MAX_BLOCKS;

/** Whether the data has files but no plain text. Any markup that comes with such files is ignored. */
const hasOnlyFiles = (data: DataTransfer | null) =>
  (data?.files.length ?? 0) > 0 && data?.types.includes("text/plain") !== true;

export const createClipboardPlugin = (pictureHandler: PastedPictureHandler) =>
  new Plugin({
    props: {
      transformCopied: withoutChunks,
      transformPasted: (slice, view, isPlain) =>
        isPlain ? withoutChunks(slice) : withFormulas(view.state.schema, withoutChunks(slice)),
      transformPastedHTML: cleanForeignHtml,
      handleDOMEvents: { paste: rejectOversizedPaste },
      handlePaste: (view, event, slice) =>
        isTooLong(slice)
          ? rejectPaste()
          : pasteAddress(view, event) ||
            (!hasOnlyFiles(event.clipboardData) && pasteWithPictures(view, slice, pictureHandler)) ||
            pasteBelow(view, event, slice),
      handleDrop: (view, event, slice, isMoved) => {
        if (isMoved || hasOnlyFiles(event.dataTransfer) || !hasPictures(slice)) return false;
        moveCaretToDrop(view, event);
        return pasteWithPictures(view, slice, pictureHandler);
      },
      // Pasting as plain text (with Shift) keeps Markdown syntax as typed.
      clipboardTextParser: (text, _context, isPlain, view) =>
        !isPlain && looksLikeMarkdown(text)
          ? markdownToSlice(view.state.schema, text, pictureHandler.newId)
          : textToSlice(view.state.schema, text),
      clipboardTextSerializer: sliceToText,
    },
  });
