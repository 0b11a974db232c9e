import { z } from "zod";

/** Why something failed, by key, with the values of the key's placeholders. The English text is sent with it. */
export const reasonFields = {
  reason: z.string().optional(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
};
export const ReasonRef = z.object(reasonFields);
export type ReasonRef = z.infer<typeof ReasonRef>;
