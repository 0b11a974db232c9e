import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";

export const tutor = {
  listModels: json({
    method: "GET",
    path: "/v1/conversation/models",
    access: "user",
    summary: "The models that can be chosen, the built-in engine among them",
    input: z.object({}),
    output: z.object({
      models: z.array(z.object({ id: z.string(), name: z.string(), description: z.string() })),
      defaultModel: z.string(),
    }),
    fails: [],
  }),
};
