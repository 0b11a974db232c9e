import { z } from "zod";

/** A tool call and its result. */
export const ToolMetadata = z.object({
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  invocationId: z.string(),
  error: z.string().nullable(),
  errorLog: z.string().nullable(),
  result: z.unknown(),
  resultText: z.string().nullable(),
});
export type ToolMetadata = z.infer<typeof ToolMetadata>;

export const WebsitePart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("reasoning"), metadata: z.object({ text: z.string() }) }),
  z.object({ type: z.literal("text"), metadata: z.object({ text: z.string() }) }),
  z.object({ type: z.literal("tool_invocation"), metadata: ToolMetadata }),
]);
export type WebsitePart = z.infer<typeof WebsitePart>;
