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

const Done = z.object({ success: z.literal(true) });

const HELP_PATH = /^\/help(?:\/[a-z0-9-]{1,60}){1,3}$/;

const HelpRating = z.object({ path: z.string(), yes: z.int(), no: z.int() });
export type HelpRating = z.infer<typeof HelpRating>;

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
    summary: "How often each help article helped, those that helped least first",
    input: z.object({}),
    output: z.object({ ratings: z.array(HelpRating) }),
    fails: ["forbidden"],
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
};
