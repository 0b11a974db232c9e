import { z } from "zod";
import { file, json } from "#shared/contract/endpoint.ts";
import { Passage } from "./schema.ts";

export const pdf = {
  getPdfData: file({
    method: "GET",
    path: "/v1/pdf_component/data",
    access: "user",
    summary: "The bytes of a PDF component; ranges are answered",
    input: z.object({ componentId: z.string().optional(), id: z.string().optional() }),
    fails: ["bad_input", "not_found", "range_not_satisfiable"],
  }),
  getPassages: json({
    method: "GET",
    path: "/v1/pdf/:id/passages",
    access: "user",
    summary: "What was read from a document, block by block with page and place; slides and sections count as pages",
    input: z.object({
      id: z.string(),
      from: z.coerce.number().int().min(1).optional(),
      to: z.coerce.number().int().min(1).optional(),
    }),
    output: z.object({ pageCount: z.int(), passages: z.array(Passage) }),
    fails: ["bad_input", "invalid_file", "invalid_pdf", "not_found"],
  }),
};
