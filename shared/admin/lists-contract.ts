import { z } from "zod";
import { CancellationReason, Recurrence } from "#shared/billing/schema.ts";
import { json } from "#shared/contract/endpoint.ts";
import { COUNTED_LIMITS } from "#shared/billing/daily-usage.ts";
import { PageCursor } from "./instance-contract.ts";

/** A place in a list of figure records. */
const After = PageCursor.extend({ after: z.string().max(600).optional() });
const next = z.string().nullable();

/** How flashcards were made once: figures alone. */
const AdminGeneration = z.object({
  _id: z.string(),
  /** UTC day. */
  day: z.string(),
  model: z.string(),
  version: z.string(),
  /** Kind of source that the cards were made from; `mixed` for several kinds, empty if it was not counted. */
  source: z.string(),
  cards: z.int(),
  isFailed: z.boolean(),
  /** Candidates that a gate rejected, by gate. */
  rejected: z.array(z.object({ gate: z.string(), count: z.int() })),
});
export type AdminGeneration = z.infer<typeof AdminGeneration>;

export const CONVERSATION_SOURCES = ["shared", "logged"] as const;

/** What may be opened: its text is in the details, and opening them is recorded. */
const ConversationSummary = z.object({
  _id: z.string(),
  at: z.number(),
  model: z.string(),
  /** The thumb of a shared one. */
  thumb: z.enum(["up", "down"]).nullable(),
});
export type ConversationSummary = z.infer<typeof ConversationSummary>;

const ConversationDetails = ConversationSummary.extend({
  /** Citation markers of a shared answer that were shown or dropped; null once that is no longer known. */
  citations: z.object({ verified: z.int(), dropped: z.int() }).nullable(),
  source: z.enum(CONVERSATION_SOURCES),
  reason: z.string(),
  turns: z.array(z.object({ role: z.string(), text: z.string() })),
});
export type ConversationDetails = z.infer<typeof ConversationDetails>;

const Cancellation = z.object({
  _id: z.string(),
  createdAt: z.number(),
  reason: CancellationReason.nullable(),
  comment: z.string(),
  /** Null once the account or its subscription is gone. */
  plan: z.string().nullable(),
  accountAgeDays: z.int().nullable(),
});
export type Cancellation = z.infer<typeof Cancellation>;

const SubscriptionStart = z.object({
  _id: z.string(),
  createdAt: z.number(),
  recurrence: Recurrence.nullable(),
  /** From the creation of the account; null once it is gone. */
  daysAfterSignUp: z.int().nullable(),
  /** From its start to its end; null while it runs. */
  durationDays: z.int().nullable(),
  /** The limit of a plan that the account met first, if that was before; null if it met none. */
  firstLimit: z.enum(COUNTED_LIMITS).nullable(),
});
export type SubscriptionStart = z.infer<typeof SubscriptionStart>;

/** How many subscriptions still run after each month of 30 days; ends where fewer than five have lasted that long. */
const ChurnCurve = z.object({
  recurrence: Recurrence,
  points: z.array(z.object({ month: z.int(), running: z.number(), observed: z.int() })),
});

/** A group of accounts; one with fewer than five is only counted as such. */
const Group = z.object({ name: z.string(), accounts: z.int() });
const Demographic = z.object({
  groups: z.array(Group),
  /** Whether there are groups of fewer than five. */
  hasSmall: z.boolean(),
});
export type Demographic = z.infer<typeof Demographic>;

export const DEMOGRAPHICS = ["plan", "language", "timezone", "browser", "signUp"] as const;

export const GenerationFilter = z.object({
  model: z.string().trim().max(200).default(""),
  /** Whether only those that made no card are listed. */
  isFailed: z.enum(["yes"]).optional(),
});
export type GenerationFilter = z.infer<typeof GenerationFilter>;

/** Filters shared answers by their thumb; entries of the log have no thumb. */
export const SharedFilter = z.object({ thumb: z.enum(["up", "down"]).optional() });
export type SharedFilter = z.infer<typeof SharedFilter>;
export const ConversationFilter = SharedFilter.extend({ source: z.enum(CONVERSATION_SOURCES).default("shared") });

export const CancellationFilter = z.object({ reason: CancellationReason.optional() });
export type CancellationFilter = z.infer<typeof CancellationFilter>;

export const SUBSCRIPTION_STATES = ["running", "ended"] as const;
export const SubscriptionFilter = z.object({
  state: z.enum(SUBSCRIPTION_STATES).optional(),
  recurrence: Recurrence.optional(),
});
export type SubscriptionFilter = z.infer<typeof SubscriptionFilter>;

export const lists = {
  listGenerations: json({
    method: "GET",
    path: "/v1/admin/generations",
    access: "admin",
    summary: "Flashcards made in the last weeks, by figures: never whose, never their words",
    input: GenerationFilter.extend(After.shape),
    output: z.object({ generations: z.array(AdminGeneration), next }),
    fails: ["bad_input"],
  }),
  listSharedCards: json({
    method: "GET",
    path: "/v1/admin/shared_cards",
    access: "admin",
    summary: "Cards that students shared with a thumb, without their words",
    input: SharedFilter.extend(After.shape),
    output: z.object({ cards: z.array(ConversationSummary), next }),
    fails: ["bad_input"],
  }),
  listConversations: json({
    method: "GET",
    path: "/v1/admin/conversations",
    access: "admin",
    summary: "Answers that students shared, or that the log of prompts holds, without their words",
    input: ConversationFilter.extend(After.shape),
    output: z.object({ conversations: z.array(ConversationSummary), next }),
    fails: ["bad_input"],
  }),
  getConversation: json({
    method: "GET",
    path: "/v1/admin/conversations/:id",
    access: "admin",
    noStore: true,
    summary: "What a student shared or the log of prompts holds; the look is recorded for the student",
    input: z.object({ id: z.string().min(1).max(600) }),
    output: z.object({ conversation: ConversationDetails }),
    fails: ["not_found"],
  }),
  listCancellations: json({
    method: "GET",
    path: "/v1/admin/cancellations",
    access: "admin",
    summary: "Why students cancelled their plan, the newest first, and how often each reason was given",
    input: CancellationFilter.extend(PageCursor.shape),
    output: z.object({
      cancellations: z.array(Cancellation),
      reasons: z.array(z.object({ reason: CancellationReason, count: z.int() })),
      next,
    }),
    fails: ["bad_input"],
  }),
  listSubscriptionStarts: json({
    method: "GET",
    path: "/v1/admin/subscription_timing",
    access: "admin",
    summary: "When accounts began to pay and how long they did, the newest first",
    input: SubscriptionFilter.extend(After.shape),
    output: z.object({ starts: z.array(SubscriptionStart), next }),
    fails: ["bad_input"],
  }),
  getChurn: json({
    method: "GET",
    path: "/v1/admin/churn",
    access: "admin",
    summary: "How long subscriptions last, by month and recurrence: sums of all accounts, never of one",
    input: z.object({}),
    output: z.object({ curves: z.array(ChurnCurve) }),
    fails: [],
  }),
  getDemographics: json({
    method: "GET",
    path: "/v1/admin/demographics",
    access: "admin",
    summary: "Accounts by plan, language, time zone, browser and way of signing up; small groups are not counted",
    input: z.object({}),
    output: z.object({ demographics: z.record(z.enum(DEMOGRAPHICS), Demographic) }),
    fails: [],
  }),
};
