import type { Passage } from "#shared/pdf/schema.ts";

export interface Chunk {
  /** What the model is shown, under ids that are short. */
  pieces: { id: string; text: string }[];
  /** The same pieces as passages, to hold quotes against: a quote from elsewhere in the source is no quote of this part. */
  passages: Passage[];
  wordCount: number;
}

const ASKED_KINDS = new Set<Passage["kind"]>(["heading", "paragraph", "list_item", "table_row", "caption", "code"]);

/** Cuts text that is longer than one request may carry, at a space where there is one near. */
function* piecesOf(text: string, maxChars: number): Generator<string> {
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

/** Parts of a source that are asked about one at a time, beginning at a heading where one is near; the same source is always cut alike. */
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
    if (!ASKED_KINDS.has(passage.kind) || passage.text.trim() === "") continue;
    if (passage.kind === "heading" && chars > maxChars * 0.6) close();
    for (const text of piecesOf(passage.text, maxChars)) {
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
