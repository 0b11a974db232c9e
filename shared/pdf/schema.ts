import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";

/** A half-open range of UTF-16 code units within a passage's text. */
const TextRange = z.tuple([z.int().min(0), z.int().min(0)]);

export const PassageKind = z.enum([
  "heading",
  "paragraph",
  "list_item",
  "table_row",
  "caption",
  "footnote",
  "running_head",
  "code",
]);
export type PassageKind = z.infer<typeof PassageKind>;

/**
 * The location of a passage. Pages count from 1; slides, and sections of text without pages, count as pages. The
 * rectangle is x, y, width and height in PDF points from the top left. Times are milliseconds from the start.
 */
export const Locator = z.object({
  page: z.int().min(1).optional(),
  rect: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  /** The nearest heading above the passage, if the source has headings. */
  heading: z.string().optional(),
  startMs: z.int().min(0).optional(),
  endMs: z.int().min(0).optional(),
});
export type Locator = z.infer<typeof Locator>;

/** One block of a source. Engines, search and citations use files only in this form. */
export const Passage = z.object({
  /** Unique within the source and stable for the same bytes. */
  id: z.string(),
  text: z.string(),
  kind: PassageKind,
  /** 1 to 6, headings only. */
  level: z.int().min(1).max(6).optional(),
  bold: z.array(TextRange),
  italic: z.array(TextRange),
  locator: Locator,
});
export type Passage = z.infer<typeof Passage>;

/** How far a document has been read, and whether it needs text recognition (OCR). */
export const ReadingState = z.object({
  /**
   * `reading`: its text is being extracted. `needs_ocr`: many pages are pictures of text. `waiting` and `running`: OCR
   * is queued or running. `ready`: everything readable was read. `failed`: see `message`.
   */
  state: z.enum(["reading", "needs_ocr", "waiting", "running", "ready", "failed"]),
  pageCount: z.int().min(0),
  /** Pages without text of their own: pictures, drawings, blanks. */
  textlessPages: z.int().min(0),
  /** Pages recognised so far. */
  recognised: z.int().min(0),
  message: z.string().nullable(),
  ...reasonFields,
  /** Codes of the languages that can be recognised here (ISO 639-2, as `eng`). */
  languages: z.array(z.string()),
});
export type ReadingState = z.infer<typeof ReadingState>;
