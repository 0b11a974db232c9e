import { z } from "zod";
import { InviteFilter } from "#shared/auth/contract.ts";
import { stream } from "#shared/contract/endpoint.ts";
import { HelpRatingFilter } from "#shared/feedback/contract.ts";
import { ReportFilter } from "#shared/sharing/schema.ts";
import { PostFilter } from "./posts-contract.ts";
import {
  CancellationFilter,
  ConversationFilter,
  GenerationFilter,
  SharedFilter,
  SubscriptionFilter,
} from "./lists-contract.ts";

const csv = { method: "GET", access: "admin", rate: "generation", plain: true, event: z.string() } as const;

/** Complete lists as CSV. Those of `lists-contract.ts` contain no account and nothing that a student wrote. */
export const listExports = {
  exportPosts: stream({
    ...csv,
    path: "/v1/admin/posts.csv",
    summary: "Posts of the blog with drafts as CSV, without their text",
    input: PostFilter,
    fails: ["bad_input"],
  }),
  exportBillingNotes: stream({
    ...csv,
    path: "/v1/admin/billing_notes.csv",
    summary: "Cancellations, refunds and disputes with the address of the account as CSV, without the comments",
    input: z.object({}),
    fails: [],
  }),
  exportReports: stream({
    ...csv,
    path: "/v1/admin/share_reports.csv",
    summary: "Reports of shared things as CSV",
    input: ReportFilter,
    fails: ["bad_input"],
  }),
  exportHelpRatings: stream({
    ...csv,
    path: "/v1/admin/help_ratings.csv",
    summary: "How often each help article helped, as CSV",
    input: HelpRatingFilter,
    fails: ["bad_input"],
  }),
  exportInvites: stream({
    ...csv,
    path: "/v1/admin/invites.csv",
    summary: "Invitations as CSV, with the beginning of their codes alone",
    input: InviteFilter,
    fails: ["bad_input"],
  }),
  exportGenerations: stream({
    ...csv,
    path: "/v1/admin/generations.csv",
    summary: "Flashcards made in the last weeks as CSV: figures alone",
    input: GenerationFilter,
    fails: ["bad_input"],
  }),
  exportSharedCards: stream({
    ...csv,
    path: "/v1/admin/shared_cards.csv",
    summary: "Cards that students shared with a thumb as CSV, without their words",
    input: SharedFilter,
    fails: ["bad_input"],
  }),
  exportConversations: stream({
    ...csv,
    path: "/v1/admin/conversations.csv",
    summary: "The index of shared or logged answers as CSV, without their words",
    input: ConversationFilter,
    fails: ["bad_input"],
  }),
  exportCancellations: stream({
    ...csv,
    path: "/v1/admin/cancellations.csv",
    summary: "Reasons of cancellations with plan and age of the account as CSV, without the comments",
    input: CancellationFilter,
    fails: ["bad_input"],
  }),
  exportSubscriptionStarts: stream({
    ...csv,
    path: "/v1/admin/subscription_timing.csv",
    summary: "When accounts began to pay and how long they did, as CSV",
    input: SubscriptionFilter,
    fails: ["bad_input"],
  }),
  exportDemographics: stream({
    ...csv,
    path: "/v1/admin/demographics.csv",
    summary: "Accounts by group as CSV; groups of fewer than five are not counted",
    input: z.object({}),
    fails: [],
  }),
};
