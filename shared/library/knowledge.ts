import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";

export const SourceKind = z.enum(["pdf", "word", "slides", "image", "video"]);
export type SourceKind = z.infer<typeof SourceKind>;

const TranscriptState = z.object({
  state: z.enum(["none", "transcribing", "refused", "ready"]),
  message: z.string().nullable(),
  ...reasonFields,
});
export type TranscriptState = z.infer<typeof TranscriptState>;

/** A file or a video that the assistant may use, and what was made from it. */
export const KnowledgeSource = z.object({
  componentId: z.string(),
  pageId: z.string(),
  pageTitle: z.string(),
  title: z.string(),
  kind: SourceKind,
  /** Null for a video hosted elsewhere. */
  sizeBytes: z.int().nullable(),
  /** Videos only, if known. */
  durationMs: z.int().nullable(),
  /**
   * State of a video's transcript: `ready`, being transcribed (`transcribing`), `refused` with a message, or `none`
   * yet; null for other sources.
   */
  spoken: TranscriptState.nullable(),
  createdAt: z.number(),
  openedAt: z.number().nullable(),
  /** Decks with cards that cite the source, and the number of these cards. */
  decks: z.array(z.object({ componentId: z.string(), pageId: z.string(), title: z.string(), cards: z.int() })),
  highlights: z.int(),
  /** Highlights with the student's notes, and notes on a video. */
  notes: z.int(),
  /** Number of pictures cropped from the source. */
  pictures: z.int(),
});
export type KnowledgeSource = z.infer<typeof KnowledgeSource>;

const kinds: Readonly<Record<string, SourceKind>> = {
  pdf: "pdf",
  doc: "word",
  docx: "word",
  ppt: "slides",
  pptx: "slides",
};

/** The kind of a source, from its file extension. */
export function sourceKindOfFile(fileId: string): SourceKind {
  return kinds[/\.(\w+)$/.exec(fileId)?.[1]?.toLowerCase() ?? ""] ?? "image";
}
