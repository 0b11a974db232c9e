import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";

export const FEEDBACK_CATEGORIES = ["Something's Broken", "I Have an Idea", "General Feedback"] as const;

const Feedback = z.object({
  feedback: z.string().trim().min(1).max(10_000),
  category: z.enum(FEEDBACK_CATEGORIES),
  /** The whole path, as the browser shows it. */
  currentRoute: z.string().max(2000),
  /** May be empty; shown only if nobody is signed in. */
  email: z
    .string()
    .trim()
    .max(254)
    .pipe(z.union([z.literal(""), z.email()])),
  mode: z.literal("detailed"),
});

export const RATED_KINDS = ["answer", "card", "completion"] as const;

/** A thumb on something that was written for a student. */
const FeedbackRating = z.object({
  kind: z.enum(RATED_KINDS),
  /** Id of the answer or card; that of a completion is made by the client, which alone knows it. */
  id: z
    .string()
    .max(100)
    .regex(/^[!-~]+$/),
  /** `none` withdraws it. */
  value: z.enum(["up", "down", "none"]),
  reason: z.string().trim().max(500).default(""),
  /** The rated text, only if the student chose to share it. */
  text: z.string().max(8000).default(""),
  /** Id of the model that wrote it; `none` if it is unknown. The server knows that of a completion. */
  model: z.string().max(200).default("none"),
});
export type FeedbackRating = z.infer<typeof FeedbackRating>;

const Done = z.object({ success: z.literal(true) });

const HELP_PATH = /^\/help(?:\/[a-z0-9-]{1,60}){1,3}$/;

const HelpRating = z.object({ path: z.string(), yes: z.int(), no: z.int() });
export type HelpRating = z.infer<typeof HelpRating>;

export const HelpRatingFilter = z.object({
  /** A part of the address of an article. */
  q: z.string().trim().max(200).default(""),
  /** Only those that did not help at least half of the readers. */
  helped: z.enum(["rarely"]).optional(),
});
export type HelpRatingFilter = z.infer<typeof HelpRatingFilter>;

export const feedback = {
  sendFeedback: json({
    method: "POST",
    path: "/v1/feedback",
    access: "user",
    rate: "generation",
    summary: "Keep what a signed-in person has to say of the product",
    input: Feedback,
    output: Done,
    fails: ["bad_input"],
  }),
  sendAnonymousFeedback: json({
    method: "POST",
    path: "/v1/feedback/anon",
    access: "public",
    rate: "sign_in",
    summary: "Keep what somebody who is not signed in has to say of the product",
    input: Feedback,
    output: Done,
    fails: ["bad_input"],
  }),
  rateHelp: json({
    method: "POST",
    path: "/v1/feedback/help",
    access: "public",
    rate: "sign_in",
    summary: "Count whether a help article helped; nothing is stored of who says so",
    input: z.object({ path: z.string().regex(HELP_PATH), isHelpful: z.boolean() }),
    output: Done,
    fails: ["bad_input", "too_many_requests"],
  }),
  listHelpRatings: json({
    method: "GET",
    path: "/v1/admin/help_ratings",
    access: "admin",
    summary: "How often each help article helped, by address",
    /** `after` is the `next` of the page before. */
    input: HelpRatingFilter.extend({ after: z.string().max(200).optional() }),
    output: z.object({ ratings: z.array(HelpRating), next: z.string().nullable() }),
    fails: ["bad_input"],
  }),
  sendEvents: json({
    method: "POST",
    path: "/v1/analytics/events",
    access: "user",
    summary: "Keep what happened in the caller's browser, where they allowed it; forgotten after 30 days",
    input: z.object({
      events: z.array(z.object({ name: z.string().min(1).max(80), at: z.int(), detail: z.string().max(300) })).max(100),
    }),
    output: Done,
    fails: ["bad_input", "forbidden"],
  }),
  rate: json({
    method: "PUT",
    path: "/v1/feedback/rating",
    access: "user",
    forExtension: true,
    summary:
      "Rate an answer, a card or a completion, or withdraw the rating; the text is sent only if the student shares it",
    input: FeedbackRating,
    output: Done,
    fails: ["bad_input"],
  }),
};
