/** Written by the server into calendars. */
export const calendarEvents = {
  name: "Lamplight: study",
  card: "Study: 1 card",
  cards: "Study: {{count}} cards",
  exam: "Study for your exam",
  description: "Planned by Lamplight from your due cards and exams. Open it: {{link}}",
} as const;
