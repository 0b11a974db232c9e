import { array, assert, boolean, double, integer, property, record, uuid } from "fast-check";
import { expect, test } from "vitest";
import {
  makePlan,
  parseTopics,
  studyDays,
  writeStudyCalendar,
  type PlanRequest,
} from "#shared/marketing/study-plan.ts";
import { fromFragment, toFragment } from "#webapp/marketing/schedule/schedule-state.ts";

const request: PlanRequest = {
  start: "2026-11-23",
  exam: "2026-12-07",
  topics: parseTopics("Cells\nGenetics x2\nPhotosynthesis"),
  minutes: [60, 60, 60, 60, 60, 120, 0],
  withReviews: true,
};
/** The day of an exam, this many days after the plan begins. */
const examIn = (days: number) => new Date(Date.parse(request.start) + days * 86_400_000).toISOString().slice(0, 10);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const learned = (topic: string) =>
  sum(
    makePlan(request)
      .flatMap(({ sessions }) => sessions)
      .filter((session) => session.kind === "learn" && session.topic === topic)
      .map(({ minutes }) => minutes),
  );

test("a topic with x2 gets twice the time to learn", () => {
  expect(parseTopics("Genetics x2\n\n Cells ")).toEqual([
    { name: "Genetics", weight: 2 },
    { name: "Cells", weight: 1 },
  ]);
  expect(learned("Genetics")).toBeGreaterThan(1.9 * learned("Cells"));
});

test("a topic that was learned is reviewed on a later day, and days without time stay free", () => {
  const plan = makePlan(request);
  const days = (topic: string, kind: string) =>
    plan
      .filter(({ sessions }) => sessions.some((session) => session.topic === topic && session.kind === kind))
      .map(({ day }) => day);
  expect(days("Cells", "review").length).toBeGreaterThanOrEqual(3);
  expect(days("Cells", "review").every((day) => day > (days("Cells", "learn").at(-1) ?? ""))).toBe(true);
  expect(plan.map(({ day }) => new Date(day).getUTCDay())).not.toContain(0);
});

const daysOf = (plan: ReturnType<typeof makePlan>, kind: string) =>
  plan.map(({ sessions }) => sessions.filter((session) => session.kind === kind).map(({ topic }) => topic));

test("yesterday's topics are reviewed before anything new, as far as the day's time allows", () => {
  const topics = parseTopics(Array.from({ length: 10 }, (_, index) => `Topic ${index}`).join("\n"));
  // Much is learned on Monday, and Tuesday is short: three reviews of ten minutes fill it.
  const plan = makePlan({ ...request, exam: "2026-11-30", topics, minutes: [240, 30, 60, 60, 60, 60, 60] });
  const [topicsOfMonday = []] = daysOf(plan, "learn");
  expect(topicsOfMonday.length).toBeGreaterThanOrEqual(3);
  expect(plan[1]?.sessions).toEqual(
    topicsOfMonday.slice(0, 3).map((topic) => ({ topic, kind: "review", minutes: 10 })),
  );
});

test("while there are new topics, a topic is reviewed once on the next day and once three days later", () => {
  const plan = makePlan({ ...request, topics: parseTopics("Cells\nGenetics x9"), minutes: Array(7).fill(60) });
  const reviews = plan
    .slice(0, 5)
    .map(({ sessions }) => sessions.filter(({ topic, kind }) => topic === "Cells" && kind === "review"));
  const once = [{ topic: "Cells", kind: "review", minutes: 10 }];
  expect(daysOf(plan, "learn")[0]).toContain("Cells");
  expect(reviews).toEqual([[], once, [], once, []]);
});

test("reviews leave enough time to learn every topic before the exam", () => {
  const topics = parseTopics(Array.from({ length: 12 }, (_, index) => `Topic ${index}`).join("\n"));
  for (const days of [4, 6, 9, 14, 30]) {
    const plan = makePlan({ ...request, exam: examIn(days), topics, minutes: [90, 30, 45, 60, 20, 120, 30] });
    expect(new Set(daysOf(plan, "learn").flat()).size).toBe(12);
  }
});

test("no day of a plan exceeds its minutes, and no task is outside the period", () => {
  const topics = array(record({ name: uuid(), weight: double({ min: 0.1, max: 9, noNaN: true }) }), {
    minLength: 1,
    maxLength: 20,
  });
  const minutes = array(integer({ min: 0, max: 600 }), { minLength: 7, maxLength: 7 });
  assert(
    property(topics, minutes, integer({ min: 1, max: 90 }), boolean(), (some, week, days, withReviews) => {
      const exam = examIn(days);
      const one = { ...request, exam, topics: some, minutes: week, withReviews };
      const capacity = new Map(studyDays(one).map((day) => [day.day, day.minutes]));
      for (const { day, sessions } of makePlan(one)) {
        expect(day >= request.start && day < exam).toBe(true);
        expect(sum(sessions.map((session) => session.minutes))).toBeLessThanOrEqual(capacity.get(day) ?? 0);
      }
    }),
    { numRuns: 60 },
  );
});

test("the calendar file escapes text and folds long lines as RFC 5545 asks", () => {
  const text = writeStudyCalendar(
    request,
    [{ day: "2026-12-01", summary: "A, b; c", description: "ä".repeat(100) }],
    0,
  );
  expect(text).toContain(String.raw`SUMMARY:A\, b\; c`);
  expect(text).toContain("DTSTART;VALUE=DATE:20261201\r\nDTEND;VALUE=DATE:20261202\r\n");
  for (const line of text.split("\r\n")) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
});

test("the address contains the whole form, and an invalid address gives an empty form", () => {
  const form = {
    name: "Bio & more",
    start: "2026-11-23",
    exam: "2026-12-07",
    topics: "Cells\nGenetics x2",
    hours: [1, 2, 3, 0.5, 0, 0, 4],
    withReviews: false,
  };
  expect(fromFragment(`#${toFragment(form)}`, "2026-01-01")).toEqual(form);
  expect(fromFragment("#exam=tomorrow&hours=1+2", "2026-01-01")).toMatchObject({
    start: "2026-01-01",
    exam: "",
    topics: "",
  });
});

const uids = (plan: Pick<PlanRequest, "topics" | "exam">, stampedAt = 0) =>
  writeStudyCalendar(plan, [{ day: "2026-12-01", summary: "", description: "" }], stampedAt)
    .replaceAll("\r\n ", "")
    .match(/^UID:.*$/m)?.[0];

test("a plan exported again has the same events, and plans with other topics or another exam have other ones", () => {
  const { topics, exam } = request;
  const withOtherTime = { ...request, minutes: [30, 30, 30, 30, 30, 30, 30] };
  expect(uids(request, 9)).toBe(uids(withOtherTime));
  const all = [uids(request), uids({ topics: topics.slice(1), exam }), uids({ topics, exam: "2026-12-08" })];
  expect(new Set(all).size).toBe(3);
});
