import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";

export const SourceKind = z.enum(["pdf", "word", "slides", "image", "video"]);
export type SourceKind = z.infer<typeof SourceKind>;

const Spoken = z.object({
  state: z.enum(["none", "hearing", "refused", "ready"]),
  message: z.string().nullable(),
  ...reasonFields,
});
export type Spoken = z.infer<typeof Spoken>;

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
  /**
   * How far what is said in it can be read: `ready`, being written down (`hearing`), `refused` with the reason in words,
   * or `none` yet; null for what is no video.
   */
  spoken: Spoken.nullable(),
  createdAt: z.number(),
  openedAt: z.number().nullable(),
  /** Decks that hold cards with a citation of it, and how many of these there are. */
  decks: z.array(z.object({ componentId: z.string(), pageId: z.string(), title: z.string(), cards: z.int() })),
  highlights: z.int(),
  /** Highlights with words of the student's own, and notes beside a video. */
  notes: z.int(),
  /** Pictures that were cut out of it. */
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

/** What kind of source a file is, by the ending that its content gave it. */
export function sourceKindOfFile(fileId: string): SourceKind {
  return kinds[/\.(\w+)$/.exec(fileId)?.[1]?.toLowerCase() ?? ""] ?? "image";
}
