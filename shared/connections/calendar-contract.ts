import { z } from "zod";
import { file, json } from "#shared/contract/endpoint.ts";

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "A time of day, as 17:00");

export const StudyBlockPreview = z.object({
  day: z.string(),
  startAt: z.number(),
  endAt: z.number(),
  cards: z.int(),
  examMinutes: z.number(),
});

export const CalendarFeed = z.object({
  /** Its address contains a secret: anybody who has it sees when the student studies. */
  url: z.string().nullable(),
  /** When the student likes to study, HH:MM in their time zone. */
  studyAt: Time,
  timezone: z.string(),
  /** The blocks of the next seven days. */
  blocks: z.array(StudyBlockPreview),
});
export type CalendarFeed = z.infer<typeof CalendarFeed>;

export const calendar = {
  getCalendarFeed: json({
    method: "GET",
    path: "/v1/calendar/feed",
    access: "user",
    noStore: true,
    summary: "The caller's calendar feed, and the study blocks of the next week",
    input: z.object({}),
    output: CalendarFeed,
    fails: [],
  }),
  saveCalendarFeed: json({
    method: "PUT",
    path: "/v1/calendar/feed",
    access: "user",
    noStore: true,
    summary:
      "Set the hour of the study blocks; with `isOn`, turn the feed on or off, which makes an address or ends it",
    input: z.object({ studyAt: Time.optional(), isOn: z.boolean().optional() }),
    output: CalendarFeed,
    fails: ["bad_input"],
  }),
  renewCalendarFeed: json({
    method: "POST",
    path: "/v1/calendar/feed/renew",
    access: "user",
    noStore: true,
    summary: "Give the feed a new address; the old one ends at once",
    input: z.object({}),
    output: CalendarFeed,
    fails: ["not_found"],
  }),
  readCalendarFeed: file({
    method: "GET",
    path: "/v1/calendar/:file",
    access: "public",
    rate: "anonymous",
    summary: "Study blocks as iCalendar, for calendar programs; the secret in the address is all it needs",
    input: z.object({ file: z.string().max(100) }),
    fails: ["not_found", "too_many_requests"],
  }),
};
