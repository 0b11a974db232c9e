import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { Schedule } from "./schema.ts";

export const study = {
  getDeckSchedule: json({
    method: "GET",
    path: "/v1/study/deck/:componentId",
    access: "user",
    summary: "The schedule of every card of a deck that was reviewed at least once",
    input: z.object({ componentId: z.string() }),
    output: z.object({
      schedules: z.array(Schedule),
      /** Different cards studied since UTC midnight, in all decks. */
      studiedToday: z.int(),
      /** How many the plan allows in a day; null where it sets no limit. */
      dailyLimit: z.int().nullable(),
      /** The study day begins at 04:00 in this time zone. */
      timezone: z.string(),
    }),
    fails: ["not_found"],
  }),
  getDue: json({
    method: "GET",
    path: "/v1/study/due",
    access: "user",
    summary: "How many cards are due now and new, deck by deck",
    input: z.object({}),
    output: z.object({
      decks: z.array(
        z.object({
          componentId: z.string(),
          pageId: z.string(),
          title: z.string(),
          due: z.int(),
          fresh: z.int(),
          total: z.int(),
        }),
      ),
    }),
    fails: [],
  }),
};
