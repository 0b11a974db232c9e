import { z } from "zod";
import { json, stream } from "#shared/contract/endpoint.ts";
import { Usage } from "#shared/user/schema.ts";

/** A chunk of the suggested completion; `end` names the engine that wrote it. */
const CompletionEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("end"), engine: z.string() }),
]);

export const completion = {
  completeText: stream({
    method: "POST",
    path: "/v1/text/autocomplete",
    access: "user",
    summary: "Suggest how a text continues; no text if there is no suggestion or the caller has turned completions off",
    input: z.object({
      pageId: z.string(),
      componentId: z.string(),
      /** The text before the caret, and the text after it. */
      before: z.string().max(8000),
      after: z.string().max(4000).default(""),
    }),
    event: CompletionEvent,
    fails: ["limit_reached", "model_unavailable", "timed_out", "too_many_requests"],
  }),
  countCompletedWords: json({
    method: "POST",
    path: "/v1/text/autocomplete_increment",
    access: "user",
    summary: "Count the words of completions that the caller accepted",
    input: z.object({ wordCount: z.int().min(1).max(10_000) }),
    output: z.object({ usage: Usage }),
    fails: [],
  }),
};
