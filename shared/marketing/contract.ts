import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { lookupKinds, sourceFields, sourceTypes } from "./references.ts";

const MAX_FIELD_CHARS = 4000;

/** A source as the citation generator's form has it: every field a line of text, authors one a line. */
export const FoundReference = z
  .object({ type: z.enum(sourceTypes) })
  .and(z.partialRecord(z.enum(sourceFields), z.string().max(MAX_FIELD_CHARS)));
export type FoundReference = z.infer<typeof FoundReference>;

export const marketing = {
  getReferenceLookups: json({
    method: "GET",
    path: "/v1/references/lookups",
    access: "public",
    rate: "anonymous",
    summary:
      "What the citation generator can look a source up by on this server; nothing unless the operator allows it",
    input: z.object({}),
    output: z.object({ kinds: z.array(z.enum(lookupKinds)) }),
    fails: ["too_many_requests"],
  }),
  lookUpReference: json({
    method: "POST",
    path: "/v1/references/lookup",
    access: "public",
    rate: "lookup",
    summary:
      "The details of a source by its DOI (Crossref), ISBN (Open Library) or web address; nothing is stored, and an address may ask twenty times an hour",
    input: z.object({ identifier: z.string().trim().min(1).max(2000) }),
    output: z.object({ reference: FoundReference }),
    fails: ["bad_input", "not_configured", "not_found", "unreachable", "too_many_requests"],
  }),
};
