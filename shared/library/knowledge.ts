import { z } from "zod";

export const SourceKind = z.enum(["pdf", "word", "slides", "image", "video"]);
export type SourceKind = z.infer<typeof SourceKind>;

/** A file or a video that the assistant may use, and what was made from it. */
export const KnowledgeSource = z.object({
  componentId: z.string(),
  pageId: z.string(),
  pageTitle: z.string(),
  title: z.string(),
  kind: SourceKind,
  /** Null for a video that lies elsewhere. */
  sizeBytes: z.int().nullable(),
  /** Videos only, where it is known. */
  durationMs: z.int().nullable(),
  /** Whether what is said in it is there to be read; null for what is no video. */
  hasTranscript: z.boolean().nullable(),
  createdAt: z.number(),
  openedAt: z.number().nullable(),
  /** Decks that hold cards with a citation of it, and how many of these there are. */
  decks: z.array(z.object({ componentId: z.string(), pageId: z.string(), title: z.string(), cards: z.int() })),
  highlights: z.int(),
});
export type KnowledgeSource = z.infer<typeof KnowledgeSource>;

const kinds: Readonly<Record<string, SourceKind>> = {
  pdf: "pdf",
  doc: "word",
  docx: "word",
  ppt: "slides",
  pptx: "slides",
};

/** What kind of source a file is, by the ending that its content gave it. */
export function sourceKindOfFile(fileId: string): SourceKind {
  return kinds[/\.(\w+)$/.exec(fileId)?.[1]?.toLowerCase() ?? ""] ?? "image";
}
