import { z } from "zod";
import { Annotation } from "./annotations.ts";
import { Passage, ReadingState } from "./schema.ts";
import { file, json, stream } from "#shared/contract/endpoint.ts";
import { AnalysisEvent } from "./analysis.ts";

export const pdf = {
  getPdfData: file({
    method: "GET",
    path: "/v1/pdf_component/data",
    access: "user",
    summary: "The bytes of a PDF component; supports range requests",
    input: z.object({ componentId: z.string().optional(), id: z.string().optional() }),
    fails: ["bad_input", "not_found", "range_not_satisfiable"],
  }),
  getPassages: json({
    method: "GET",
    path: "/v1/pdf/:id/passages",
    access: "user",
    forExtension: true,
    summary: "The text of a document, block by block with page and position; slides and sections count as pages",
    input: z.object({
      id: z.string(),
      from: z.coerce.number().int().min(1).optional(),
      to: z.coerce.number().int().min(1).optional(),
    }),
    output: z.object({ pageCount: z.int(), passages: z.array(Passage) }),
    fails: ["bad_input", "invalid_file", "invalid_pdf", "timed_out", "too_large", "not_found"],
  }),
  getReading: json({
    method: "GET",
    path: "/v1/pdf/:id/reading",
    access: "user",
    summary: "How far a document was read: in progress, needs text recognition, being recognised, ready or failed",
    input: z.object({ id: z.string() }),
    output: ReadingState,
    fails: ["not_found"],
  }),
  recogniseText: json({
    method: "POST",
    path: "/v1/pdf/:id/recognition",
    access: "user",
    rate: "generation",
    summary:
      "Recognise the text of a picture, or of scanned pages of a PDF; a second request joins the running recognition",
    input: z.object({ id: z.string(), language: z.string().max(40).default("eng") }),
    output: ReadingState,
    fails: ["bad_input", "not_found", "too_many_requests"],
  }),
  cancelRecognition: json({
    method: "DELETE",
    path: "/v1/pdf/:id/recognition",
    access: "user",
    summary: "Stop recognising text; pages that are already recognised keep their text",
    input: z.object({ id: z.string() }),
    output: ReadingState,
    fails: ["not_found"],
  }),
  listAnnotations: json({
    method: "GET",
    path: "/v1/pdf/:id/annotations",
    access: "user",
    summary: "The student's highlights and notes on a document, in reading order",
    input: z.object({ id: z.string() }),
    output: z.object({ annotations: z.array(Annotation) }),
    fails: ["not_found"],
  }),
  sumUp: stream({
    method: "GET",
    path: "/v1/pdf/:id/analysis/concise_summary",
    access: "user",
    rate: "generation",
    summary: "Summarise a document, ten pages at a time, each statement with the passage that supports it",
    input: z.object({
      id: z.string(),
      language: z.string().trim().max(40).optional(),
      custom_instructions: z.string().trim().max(2000).optional(),
      model: z.string().max(120).optional(),
      /** Regenerate even if a stored analysis exists. */
      fresh: z.enum(["true", "false"]).default("false"),
    }),
    event: AnalysisEvent,
    fails: ["bad_input", "not_found", "model_unavailable", "too_many_requests"],
  }),
  stopAnalysis: json({
    method: "POST",
    path: "/v1/pdf/:id/analysis/:analysisId/cancel",
    access: "user",
    summary: "Stop an analysis; closing its event stream does not stop it",
    input: z.object({ id: z.string(), analysisId: z.string().max(64) }),
    output: z.object({ wasRunning: z.boolean() }),
    fails: ["not_found"],
  }),
  generateName: json({
    method: "POST",
    path: "/v1/pdf/:id/analysis/generate_name",
    access: "user",
    rate: "generation",
    summary: "Propose a name for a document; nothing is renamed",
    input: z.object({ id: z.string(), model: z.string().max(120).optional() }),
    output: z.object({ name: z.string() }),
    fails: ["not_found", "invalid_pdf", "invalid_file", "timed_out", "too_large", "model_unavailable"],
  }),
};
