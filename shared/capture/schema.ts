import { z } from "zod";

/** Where in a page, a document or a video something was taken from. */
export const CaptureLocator = z.object({
  quote: z.string().max(8000).optional(),
  /** What stood right before and after the quote: tells one occurrence from another. */
  prefix: z.string().max(200).optional(),
  suffix: z.string().max(200).optional(),
  page: z.int().min(1).optional(),
  startMs: z.int().min(0).optional(),
  endMs: z.int().min(0).optional(),
});
export type CaptureLocator = z.infer<typeof CaptureLocator>;

export const CaptureKind = z.enum(["card", "note", "pdf", "video", "image", "link"]);
export type CaptureKind = z.infer<typeof CaptureKind>;

/** Where something that was captured came from, kept beside what became of it. */
export const CaptureRecord = z.object({
  _id: z.string().min(10).max(64),
  kind: CaptureKind,
  /** Normalised, so that the same page is found by any of its addresses. */
  address: z.string().min(1).max(4000),
  title: z.string().max(500),
  author: z.string().max(300).nullable(),
  /** The clock of the browser that captured it. */
  capturedAt: z.number(),
  locator: CaptureLocator.nullable(),
  pageId: z.string().max(64),
  componentId: z.string().max(64).nullable(),
  cardId: z.string().max(64).nullable(),
});
export type CaptureRecord = z.infer<typeof CaptureRecord>;
