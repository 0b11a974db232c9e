import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { CaptureRecord } from "./schema.ts";

export const capture = {
  saveCaptures: json({
    method: "POST",
    path: "/v1/captures",
    access: "user",
    forExtension: true,
    summary: "Keep where captured things came from; the same id twice is one record, the later one",
    input: z.object({
      /** The account the captures belong to: a call with another account's token is refused. */
      accountId: z.string().max(64),
      captures: z.array(CaptureRecord).min(1).max(200),
    }),
    output: z.object({ success: z.literal(true) }),
    fails: ["bad_input", "forbidden"],
  }),
  listCaptures: json({
    method: "GET",
    path: "/v1/captures",
    access: "user",
    forExtension: true,
    summary: "Where the caller's captured things came from, in the order in which they were saved",
    input: z.object({ after: z.coerce.number().int().min(0).default(0) }),
    output: z.object({
      captures: z.array(CaptureRecord),
      /** Pass it as `after` to get the next page; null at the end. */
      next: z.int().nullable(),
      /** The end of this list: captures saved later come after it. Equals `after` if the list is empty. */
      upTo: z.int(),
    }),
    fails: [],
  }),
};
