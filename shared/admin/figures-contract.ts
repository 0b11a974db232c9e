import { z } from "zod";
import { json, stream } from "#shared/contract/endpoint.ts";
import { RATED_KINDS } from "#shared/feedback/contract.ts";
import { FIGURES } from "./figures.ts";
import { PageCursor } from "./instance-contract.ts";

const Entry = z.object({ dims: z.record(z.string(), z.string()), sums: z.record(z.string(), z.number()) });

const FigureWeek = z.object({
  /** Its Monday, a UTC day. */
  week: z.string(),
  figures: z.partialRecord(z.enum(FIGURES), z.array(Entry)),
});
export type FigureWeek = z.infer<typeof FigureWeek>;

/** The calls of one account on one UTC day, for one feature, model and file. */
const ModelUse = z.object({
  _id: z.string(),
  day: z.string(),
  /** Empty for calls of the server itself. */
  accountId: z.string(),
  feature: z.string(),
  model: z.string(),
  /** Empty if no file was read. */
  fileId: z.string(),
  calls: z.int(),
  failed: z.int(),
  tokensIn: z.number(),
  tokensOut: z.number(),
  /** Millionths of a US dollar, by the prices of the installation. */
  microDollars: z.number(),
  /** Durations; null where no call ended. */
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
});
export type ModelUse = z.infer<typeof ModelUse>;

const text = z.string().trim().max(200).default("");
const UseFilter = z.object({ account: text, model: text, feature: text, fileId: text });
export type UseFilter = z.infer<typeof UseFilter>;

const AdminRating = z.object({
  _id: z.string(),
  kind: z.enum(RATED_KINDS),
  value: z.enum(["up", "down"]),
  reason: z.string(),
  /** Empty unless the student chose to share it. */
  text: z.string(),
  model: z.string(),
  version: z.string(),
  createdAt: z.number(),
});
export type AdminRating = z.infer<typeof AdminRating>;

const RatingFilter = z.object({
  kind: z.enum(RATED_KINDS).optional(),
  value: z.enum(["up", "down"]).optional(),
  model: text,
});
export type RatingFilter = z.infer<typeof RatingFilter>;

/** A place in a list of figure records. */
const After = PageCursor.extend({ after: z.string().max(600).optional() });

export const figureCalls = {
  getFigures: json({
    method: "GET",
    path: "/v1/admin/figures",
    access: "admin",
    summary: "What was counted in the last weeks, by week: sums of all accounts, never of one",
    input: z.object({ weeks: z.coerce.number().int().min(1).max(53).default(8) }),
    output: z.object({ weeks: z.array(FigureWeek), days: z.array(z.object({ day: z.string(), active: z.int() })) }),
    fails: ["bad_input"],
  }),
  listModelUse: json({
    method: "GET",
    path: "/v1/admin/model_use",
    access: "admin",
    summary: "Calls of model servers by day, account, feature, model and file, the newest first",
    input: UseFilter.extend(After.shape),
    output: z.object({ uses: z.array(ModelUse), next: z.string().nullable() }),
    fails: ["bad_input"],
  }),
  exportModelUse: stream({
    method: "GET",
    path: "/v1/admin/model_use.csv",
    access: "admin",
    rate: "generation",
    summary: "The same list as CSV, whole",
    plain: true,
    input: UseFilter,
    event: z.string(),
    fails: ["bad_input"],
  }),
  listRatings: json({
    method: "GET",
    path: "/v1/admin/ratings",
    access: "admin",
    summary: "Thumbs on answers and cards, the newest first; words only where the student shared them",
    input: RatingFilter.extend(After.shape),
    output: z.object({ ratings: z.array(AdminRating), next: z.string().nullable() }),
    fails: ["bad_input"],
  }),
  exportRatings: stream({
    method: "GET",
    path: "/v1/admin/ratings.csv",
    access: "admin",
    rate: "generation",
    summary: "The same list as CSV, whole",
    plain: true,
    input: RatingFilter,
    event: z.string(),
    fails: ["bad_input"],
  }),
};
