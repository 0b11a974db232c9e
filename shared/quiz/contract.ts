import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";

export const quiz = {
  gradeAnswer: json({
    method: "POST",
    path: "/v1/quiz/grade",
    access: "user",
    rate: "generation",
    summary:
      "Judge a typed answer: by the default model, or by comparing words where there is none or it gives no verdict",
    input: z.object({
      question: z.string().max(20_000),
      answer: z.string().min(1).max(20_000),
      studentAnswer: z.string().max(2000),
    }),
    output: z.object({
      verdict: z.enum(["right", "partly", "wrong"]),
      /** Words of `answer` that `studentAnswer` lacks. */
      missing: z.array(z.string()),
      /** The name of the model that judged; null if words were compared. */
      judgedBy: z.string().nullable(),
    }),
    fails: [],
  }),
};
