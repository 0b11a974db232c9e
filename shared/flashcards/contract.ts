import { z } from "zod";
import { cardFavourites } from "./favourites-contract.ts";
import { interchange } from "./interchange-contract.ts";
import { json, stream, upload } from "#shared/contract/endpoint.ts";
import { assist } from "./assist-contract.ts";
import { GenerationEvent, GenerationOptions, GenerationResult, GenerationStatus, TextSource } from "./schema.ts";

export const flashcards = {
  ...interchange,
  ...cardFavourites,
  addCardPicture: upload({
    method: "POST",
    path: "/v1/flashcards/picture",
    access: "user",
    rate: "upload",
    summary: "Store a picture for the front or back of a card; the same picture twice is one file",
    input: z.object({}),
    maxFiles: 1,
    maxFileBytes: 10 * 1024 * 1024,
    /** The value for `questionImage` or `answerImage`. */
    output: z.object({ url: z.string() }),
    fails: ["bad_input", "invalid_file", "unsupported_file_type", "too_large"],
  }),
  ...assist,
  generateCards: upload({
    method: "POST",
    path: "/v1/flashcards/content/ai_generation",
    access: "user",
    forExtension: true,
    rate: "generation",
    summary: "Make flashcards from files, texts, PDF pages and videos",
    input: z.object({
      texts: z.array(TextSource).max(50).default([]),
      pdfComponents: z
        .array(
          z.object({
            componentId: z.string(),
            startPage: z.int().min(1).optional(),
            endPage: z.int().min(1).optional(),
          }),
        )
        .max(50)
        .default([]),
      videoComponents: z
        .array(z.object({ componentId: z.string() }))
        .max(50)
        .default([]),
      options: GenerationOptions.prefault({}),
    }),
    jsonFields: ["texts", "pdfComponents", "videoComponents", "options"],
    maxFiles: 20,
    output: GenerationResult,
    event: GenerationEvent,
    fails: [
      "bad_input",
      "limit_reached",
      "not_found",
      "too_large",
      "model_unavailable",
      "cancelled",
      "timed_out",
      "too_many_requests",
    ],
  }),
  followGeneration: stream({
    method: "GET",
    path: "/v1/flashcards/generation/:jobId/events",
    access: "user",
    summary: "The events of a generation after a given one, then new ones until it ends",
    input: z.object({ jobId: z.string(), after: z.coerce.number().int().min(0).default(0) }),
    event: GenerationEvent,
    fails: ["not_found"],
  }),
  cancelGeneration: json({
    method: "POST",
    path: "/v1/flashcards/generation/:jobId/cancel",
    access: "user",
    summary: "Cancel a generation; the cards made so far stay",
    input: z.object({ jobId: z.string() }),
    output: GenerationStatus,
    fails: ["not_found"],
  }),
  resumeGeneration: json({
    method: "POST",
    path: "/v1/flashcards/generation/:jobId/resume",
    access: "user",
    summary: "Resume a generation that was cancelled; new cards are appended",
    input: z.object({ jobId: z.string() }),
    output: GenerationStatus,
    fails: ["not_found", "too_many_requests"],
  }),
  listGenerations: json({
    method: "GET",
    path: "/v1/flashcards/generation",
    access: "user",
    summary: "The caller's generations that are waiting or running, and those of the last day",
    input: z.object({ componentId: z.string().optional() }),
    output: z.object({ generations: z.array(GenerationStatus) }),
    fails: [],
  }),
};
