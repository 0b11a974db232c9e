import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";

/** Pages summarised per part. */
export const PAGES_PER_PART = 10;

/** Shown to the user when an analysis could not do everything requested. */
export const AnalysisNotice = z.enum([
  /** The built-in engine only quotes, so it cannot write in a language other than the document's. */
  "not_translated",
  /** For some pages no statement of the model was supported by its quote, so sentences of the document replace them. */
  "model_gave_nothing",
]);
export type AnalysisNotice = z.infer<typeof AnalysisNotice>;

/** A statement about a document; `quote` is verbatim on the page that the citation names. */
export const Statement = z.object({
  text: z.string(),
  quote: z.string(),
  page: z.int().min(1),
  citation: z.string(),
  /** Whether the statement is among the most important of the whole document. */
  isKey: z.boolean(),
});
export type Statement = z.infer<typeof Statement>;

export const SummaryPart = z.object({
  firstPage: z.int().min(1),
  lastPage: z.int().min(1),
  statements: z.array(Statement),
});
export type SummaryPart = z.infer<typeof SummaryPart>;

/** Parts come in page order. `done` and `total` count parts. */
export const AnalysisEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), analysisId: z.string(), isStored: z.boolean() }),
  z.object({ type: z.literal("progress"), done: z.int(), total: z.int() }),
  z.object({ type: z.literal("part"), part: SummaryPart }),
  z.object({ type: z.literal("notice"), notice: AnalysisNotice }),
  z.object({ type: z.literal("end") }),
  z.object({ type: z.literal("error"), code: z.string(), message: z.string(), ...reasonFields }),
]);
export type AnalysisEvent = z.infer<typeof AnalysisEvent>;
