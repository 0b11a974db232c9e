import { z } from "zod";
import { json, stream } from "#shared/contract/endpoint.ts";
import { FEEDBACK_CATEGORIES } from "#shared/feedback/contract.ts";
import { PageCursor } from "./instance-contract.ts";

export const FEEDBACK_STATES = ["new", "answered", "done"] as const;

const AdminFeedback = z.object({
  _id: z.string(),
  feedback: z.string(),
  category: z.string(),
  currentRoute: z.string(),
  /** Empty if the sender left none. */
  email: z.string(),
  createdAt: z.number(),
  state: z.enum(FEEDBACK_STATES),
});
export type AdminFeedback = z.infer<typeof AdminFeedback>;

const FeedbackId = z.object({ id: z.string().min(1).max(100) });
const Updated = z.object({ feedback: AdminFeedback });

const FeedbackFilter = z.object({
  state: z.enum(FEEDBACK_STATES).optional(),
  category: z.enum(FEEDBACK_CATEGORIES).optional(),
});
export type FeedbackFilter = z.infer<typeof FeedbackFilter>;

export const inbox = {
  listFeedback: json({
    method: "GET",
    path: "/v1/admin/feedback",
    access: "admin",
    summary: "What people wrote about the product, the newest first",
    input: PageCursor.extend(FeedbackFilter.shape),
    output: z.object({ feedback: z.array(AdminFeedback), next: z.string().nullable() }),
    fails: ["bad_input"],
  }),
  exportFeedback: stream({
    method: "GET",
    path: "/v1/admin/feedback.csv",
    access: "admin",
    rate: "generation",
    summary: "The same list as CSV, whole",
    plain: true,
    input: FeedbackFilter,
    event: z.string(),
    fails: ["bad_input"],
  }),
  setFeedbackState: json({
    method: "PATCH",
    path: "/v1/admin/feedback/:id",
    access: "admin",
    summary: "Mark feedback as new, answered or done",
    input: FeedbackId.extend({ state: z.enum(FEEDBACK_STATES) }),
    output: Updated,
    fails: ["not_found"],
  }),
  answerFeedback: json({
    method: "POST",
    path: "/v1/admin/feedback/:id/answer",
    access: "admin",
    rate: "generation",
    summary: "Answer feedback by mail, below the words that were sent",
    input: FeedbackId.extend({ text: z.string().trim().min(1).max(10_000) }),
    output: Updated,
    fails: ["not_found", "bad_input", "not_configured", "unreachable"],
  }),
};
