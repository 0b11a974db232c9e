import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { USUAL_SECONDS } from "./day.ts";
import { DeckSettings, DueDeck, Schedule, Weights } from "./schema.ts";

export const study = {
  getDeckSchedule: json({
    method: "GET",
    path: "/v1/study/deck/:componentId",
    access: "user",
    forExtension: true,
    summary: "The schedules of all cards of a deck that were reviewed at least once",
    input: z.object({ componentId: z.string() }),
    output: z.object({
      schedules: z.array(Schedule),
      /** Different cards studied since UTC midnight, in all decks. */
      studiedToday: z.int(),
      /** The plan's daily limit; null if unlimited. */
      dailyLimit: z.int().nullable(),
      /** The study day begins at 04:00 in this time zone. */
      timezone: z.string(),
      settings: DeckSettings.prefault({}),
      /** FSRS weights fitted to the caller's reviews; null for the default weights. */
      weights: Weights.nullable().default(null),
      /** This student's average time per answer. */
      secondsPerReview: z.number().default(USUAL_SECONDS),
      /** Cards of all decks due on each study day, today first. */
      load: z.array(z.int()).default([]),
    }),
    fails: ["not_found"],
  }),
  saveDeckSettings: json({
    method: "PATCH",
    path: "/v1/study/deck/:componentId/settings",
    access: "user",
    summary:
      "Set a deck's desired retention, exam date, minutes a day or best match time; omitted fields keep their values",
    input: z.object({
      componentId: z.string(),
      desiredRetention: DeckSettings.shape.desiredRetention.removeDefault().optional(),
      examAt: DeckSettings.shape.examAt.removeDefault().optional(),
      minutesPerDay: DeckSettings.shape.minutesPerDay.removeDefault().optional(),
      /** A slower time than the stored one changes nothing. */
      bestMatchMs: DeckSettings.shape.bestMatchMs,
    }),
    output: z.object({ settings: DeckSettings }),
    fails: ["not_found", "bad_input"],
  }),
  saveExam: json({
    method: "PUT",
    path: "/v1/study/exam",
    access: "user",
    summary:
      "Set one exam for several decks that share its minutes, or remove it with null; other decks of the exam leave it",
    input: z.object({
      componentIds: z.array(z.string().min(1).max(64)).min(1).max(50),
      examAt: DeckSettings.shape.examAt.removeDefault(),
      minutesPerDay: DeckSettings.shape.minutesPerDay.removeDefault(),
    }),
    output: z.object({ decks: z.array(z.object({ componentId: z.string(), settings: DeckSettings })) }),
    fails: ["not_found", "bad_input"],
  }),
  getDue: json({
    method: "GET",
    path: "/v1/study/due",
    access: "user",
    forExtension: true,
    summary: "The number of due and new cards of each deck",
    input: z.object({}),
    output: z.object({ decks: z.array(DueDeck) }),
    fails: [],
  }),
  removeFit: json({
    method: "DELETE",
    path: "/v1/study/fit",
    access: "user",
    rate: "generation",
    summary: "Return to the scheduler's default weights, and recompute every schedule with them",
    input: z.object({}),
    output: z.object({ reviews: z.int(), needed: z.int(), fit: z.null() }),
    fails: [],
  }),
  getFit: json({
    method: "GET",
    path: "/v1/study/fit",
    access: "user",
    summary: "Whether and when the scheduler was fitted to the caller's own reviews, and to how many",
    input: z.object({}),
    output: z.object({
      /** Current number of reviews, and how many a fit needs. */
      reviews: z.int(),
      needed: z.int(),
      fit: z
        .object({
          fittedAt: z.number(),
          reviews: z.int(),
          lossBefore: z.number(),
          lossAfter: z.number(),
          /** What started the fit. */
          startedBy: z.enum(["student", "schedule"]).default("student"),
        })
        .nullable(),
    }),
    fails: [],
  }),
  fitWeights: json({
    method: "POST",
    path: "/v1/study/fit",
    access: "user",
    rate: "generation",
    summary: "Fit the scheduler to the caller's own reviews, if there are enough and the server's platform supports it",
    input: z.object({}),
    output: z.object({
      /** "unchanged": the current weights predict at least as well. */
      state: z.enum(["fitted", "unchanged", "too_few", "unavailable"]),
      reviews: z.int(),
      needed: z.int(),
      /** Log loss of the predictions on the same reviews, before and after. */
      lossBefore: z.number().nullable(),
      lossAfter: z.number().nullable(),
    }),
    fails: [],
  }),
  getStatistics: json({
    method: "GET",
    path: "/v1/study/statistics",
    access: "user",
    summary: "Reviews of each day, the forecast, and how well the predictions matched the results",
    input: z.object({ componentId: z.string().optional() }),
    output: z.object({
      /** `ago` counts study days back from today. */
      days: z.array(z.object({ ago: z.int(), reviews: z.int(), minutes: z.number() })),
      /** Cards due on each study day, today first. */
      forecast: z.array(z.int()),
      /** Covers the reviews of the last 90 days. */
      calibration: z.object({
        count: z.int(),
        predicted: z.number(),
        actual: z.number(),
        logLoss: z.number(),
        bins: z.array(z.object({ predicted: z.number(), actual: z.number(), count: z.int() })),
      }),
      secondsPerReview: z.number(),
      isFitted: z.boolean(),
    }),
    fails: ["not_found"],
  }),
};
