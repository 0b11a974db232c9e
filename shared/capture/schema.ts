import { z } from "zod";

/** The position in a page, document or video that something was captured from. */
export const CaptureLocator = z.object({
  quote: z.string().max(8000).optional(),
  /** The text right before and after the quote, which distinguishes several occurrences. */
  prefix: z.string().max(200).optional(),
  suffix: z.string().max(200).optional(),
  page: z.int().min(1).optional(),
  startMs: z.int().min(0).optional(),
  endMs: z.int().min(0).optional(),
});
export type CaptureLocator = z.infer<typeof CaptureLocator>;

export const CaptureKind = z.enum(["card", "note", "pdf", "video", "image", "link"]);
export type CaptureKind = z.infer<typeof CaptureKind>;

/** The source of a captured item, stored next to what was made from it. */
export const CaptureRecord = z.object({
  _id: z.string().min(10).max(64),
  kind: CaptureKind,
  /** Normalised, so that the same page is found by any of its addresses. */
  address: z.string().min(1).max(4000),
  title: z.string().max(500),
  author: z.string().max(300).nullable(),
  /** Epoch ms on the clock of the capturing browser. */
  capturedAt: z.number(),
  locator: CaptureLocator.nullable(),
  pageId: z.string().max(64),
  componentId: z.string().max(64).nullable(),
  cardId: z.string().max(64).nullable(),
});
export type CaptureRecord = z.infer<typeof CaptureRecord>;
