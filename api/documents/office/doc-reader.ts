import WordExtractor from "word-extractor";
import type { FlowBlock } from "#shared/pdf/flow/sections.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { DocumentError } from "../process/parser-messages.ts";

/** A Word 97–2003 file: plain text by paragraph, without formatting. */
export async function readDoc(bytes: Uint8Array): Promise<FlowBlock[]> {
  const document = await new WordExtractor().extract(Buffer.from(bytes)).catch((error: unknown) => {
    const isProtected = error instanceof Error && /encrypt|password/iu.test(error.message);
    throw new DocumentError(isProtected ? "encrypted" : "corrupt");
  });
  const body = `${document.getBody()}\n\n${document.getTextboxes({ includeHeadersAndFooters: false })}`;
  const notes = `${document.getFootnotes()}\n${document.getEndnotes()}`;
  return [...body.split("\n").flatMap(toBlock), ...notes.split("\n").flatMap(toNote)];
}

const MAX_HEADING_CHARS = 80;

function toBlock(line: string, index: number, lines: readonly string[]): FlowBlock[] {
  const text = removeControls(line);
  if (text === "") return [];
  const plain = { text, bold: [], italic: [] };
  if (text.includes("\t")) return [{ ...plain, kind: "table_row" }];
  const [passage] = passagesFromText(text);
  if (passage?.kind === "list_item") return [{ ...plain, kind: "list_item" }];
  return isHeading(
    text,
    lines.slice(index + 1, index + 4).find((next) => removeControls(next) !== ""),
  )
    ? [{ ...plain, kind: "heading", level: 2 }]
    : [{ ...plain, kind: "paragraph" }];
}

/** A short line without final punctuation, followed by a longer one. */
function isHeading(text: string, next: string | undefined): boolean {
  if (text.length > MAX_HEADING_CHARS || /[.,;:!?]$/u.test(text) || !/^[\p{Lu}\p{N}]/u.test(text)) return false;
  return next !== undefined && next.length > 1.5 * text.length;
}

function toNote(line: string): FlowBlock[] {
  const text = removeControls(line);
  return text === "" ? [] : [{ kind: "footnote", text, bold: [], italic: [] }];
}

// oxlint-disable-next-line no-control-regex -- these characters are removed
const CONTROL = /[\u0000-\u0008\u000B-\u001F\uFFFC-\uFFFF]/gu;

function removeControls(line: string): string {
  return line.replaceAll(CONTROL, "").trim();
}
