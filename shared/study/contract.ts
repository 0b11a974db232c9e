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
    output: z.object({ schedules: z.array(Schedule), studiedToday: z.int() }),
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
