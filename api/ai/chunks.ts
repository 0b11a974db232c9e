import type { Passage } from "#shared/pdf/schema.ts";

export interface Chunk {
  /** The text shown to the model, with short ids. */
  pieces: { id: string; text: string }[];
  /**
   * The same text as passages, to verify quotes: a quote must come from this chunk, not from elsewhere in the source.
   */
  passages: Passage[];
  wordCount: number;
}

const CONTENT_KINDS = new Set<Passage["kind"]>(["heading", "paragraph", "list_item", "table_row", "caption", "code"]);

/** Splits text that is too long for one request, preferably at a space. */
function* splitText(text: string, maxChars: number): Generator<string> {
  let from = 0;
  while (text.length - from > maxChars) {
    const space = text.lastIndexOf(" ", from + maxChars);
    const to = space > from + maxChars / 2 ? space : from + maxChars;
    yield text.slice(from, to);
    from = to;
  }
  yield text.slice(from);
}

export const countWords = (text: string) => text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu)?.length ?? 0;

/** Splits a source into chunks that are sent one at a time, preferably at headings. Deterministic. */
export function chunkPassages(passages: readonly Passage[], maxChars: number): Chunk[] {
  const chunks: Chunk[] = [];
  let chunk: Chunk = { pieces: [], passages: [], wordCount: 0 };
  let chars = 0;
  const close = () => {
    if (chunk.wordCount > 0) chunks.push(chunk);
    chunk = { pieces: [], passages: [], wordCount: 0 };
    chars = 0;
  };
  for (const passage of passages) {
    if (!CONTENT_KINDS.has(passage.kind) || passage.text.trim() === "") continue;
    if (passage.kind === "heading" && chars > maxChars * 0.6) close();
    for (const text of splitText(passage.text, maxChars)) {
      if (chars > 0 && chars + text.length > maxChars) close();
      chunk.pieces.push({ id: String(chunk.pieces.length + 1), text });
      chunk.passages.push({ ...passage, text });
      chunk.wordCount += countWords(text);
      chars += text.length;
    }
  }
  close();
  return chunks;
}
