import { array, assert, boolean, double, integer, property, record, uuid } from "fast-check";
import { expect, test } from "vitest";
import { allocateDays, studyDays } from "#shared/marketing/allocate-days.ts";
import { writeStudyCalendar, type ExamEvents } from "#shared/marketing/study-calendar.ts";
import { makePlan, parseTopics, type PlanExam, type PlanRequest } from "#shared/marketing/study-plan.ts";
import { listExamEvents } from "#webapp/marketing/schedule/plan-text.ts";
import { tools } from "#shared/messages/en/public/tools.ts";
import { setToolWords } from "#webapp/marketing/tools/words.ts";
import { fromFragment, toFragment } from "#webapp/marketing/schedule/schedule-state.ts";

const biology = { name: "Biology", exam: "2026-12-07", topics: parseTopics("Cells\nGenetics x2\nPhotosynthesis") };
/** A request for one exam, with other values than those of biology. */
const withExam = (part: Partial<PlanExam>) => ({ ...request, exams: [{ ...biology, ...part }] });
const request: PlanRequest = {
  start: "2026-11-23",
  exams: [biology],
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
  const plan = makePlan({ ...withExam({ exam: "2026-11-30", topics }), minutes: [240, 30, 60, 60, 60, 60, 60] });
  const [topicsOfMonday = []] = daysOf(plan, "learn");
  expect(topicsOfMonday.length).toBeGreaterThanOrEqual(3);
  expect(plan[1]?.sessions).toEqual(
    topicsOfMonday.slice(0, 3).map((topic) => ({ exam: 0, topic, kind: "review", minutes: 10 })),
  );
});

test("while there are new topics, a topic is reviewed once on the next day and once three days later", () => {
  const plan = makePlan({ ...withExam({ topics: parseTopics("Cells\nGenetics x9") }), minutes: Array(7).fill(60) });
  const reviews = plan
    .slice(0, 5)
    .map(({ sessions }) => sessions.filter(({ topic, kind }) => topic === "Cells" && kind === "review"));
  const once = [{ exam: 0, topic: "Cells", kind: "review", minutes: 10 }];
  expect(daysOf(plan, "learn")[0]).toContain("Cells");
  expect(reviews).toEqual([[], once, [], once, []]);
});

test("reviews leave enough time to learn every topic before the exam", () => {
  const topics = parseTopics(Array.from({ length: 12 }, (_, index) => `Topic ${index}`).join("\n"));
  for (const days of [4, 6, 9, 14, 30]) {
    const plan = makePlan({ ...withExam({ exam: examIn(days), topics }), minutes: [90, 30, 45, 60, 20, 120, 30] });
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
      const one = { ...withExam({ exam, topics: some }), minutes: week, withReviews };
      const capacity = new Map(studyDays({ ...one, exam }).map((day) => [day.day, day.minutes]));
      for (const { day, sessions } of makePlan(one)) {
        expect(day >= request.start && day < exam).toBe(true);
        expect(sum(sessions.map((session) => session.minutes))).toBeLessThanOrEqual(capacity.get(day) ?? 0);
      }
    }),
    { numRuns: 60 },
  );
});

test("the calendar file escapes text and folds long lines as RFC 5545 asks", () => {
  const events = [{ day: "2026-12-01", summary: "A, b; c", description: "ä".repeat(100) }];
  const text = writeStudyCalendar([{ ...biology, events }], 0);
  expect(text).toContain(String.raw`SUMMARY:A\, b\; c`);
  expect(text).toContain("DTSTART;VALUE=DATE:20261201\r\nDTEND;VALUE=DATE:20261202\r\n");
  for (const line of text.split("\r\n")) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
});

test("the address contains the whole form, and an invalid address gives an empty form", () => {
  const form = {
    start: "2026-11-23",
    exams: [
      { name: "Bio & more", exam: "2026-12-07", topics: "Cells\nGenetics x2" },
      { name: "", exam: "", topics: "Acids" },
      { name: "Physics", exam: "2026-12-10", topics: "" },
    ],
    hours: [1, 2, 3, 0.5, 0, 0, 4],
    withReviews: false,
  };
  expect(fromFragment(`#${toFragment(form)}`, "2026-01-01")).toEqual(form);
  expect(fromFragment("#exam=tomorrow&hours=1+2", "2026-01-01")).toMatchObject({
    start: "2026-01-01",
    exams: [{ name: "", exam: "", topics: "" }],
  });
});

test("an address of a plan for one exam, as it was before plans had several, gives the same form", () => {
  const address =
    "#name=Biology&start=2026-11-23&exam=2026-12-07&topics=Cells%0AGenetics+x2&hours=1+1+1+1+1+2+0&reviews=0";
  expect(fromFragment(address, "2026-01-01")).toEqual({
    start: "2026-11-23",
    exams: [{ name: "Biology", exam: "2026-12-07", topics: "Cells\nGenetics x2" }],
    hours: [1, 1, 1, 1, 1, 2, 0],
    withReviews: false,
  });
});

const idsOf = (text: string) => [...text.replaceAll("\r\n ", "").matchAll(/^UID:(.*)$/gm)].map(([, id]) => id);

const uids = (plan: Omit<ExamEvents, "events">, stampedAt = 0) =>
  writeStudyCalendar([{ ...plan, events: [{ day: "2026-12-01", summary: "", description: "" }] }], stampedAt)
    .replaceAll("\r\n ", "")
    .match(/^UID:.*$/m)?.[0];

test("a plan exported again has the same events, and plans with other topics or another exam have other ones", () => {
  const { topics, exam } = biology;
  expect(uids(biology, 9)).toBe(uids(biology));
  const all = [uids(biology), uids({ topics: topics.slice(1), exam }), uids({ topics, exam: "2026-12-08" })];
  expect(new Set(all).size).toBe(3);
});

test("two exams on one day with the same topics have events of their own", () => {
  const events = [{ day: "2026-12-01", summary: "", description: "" }];
  const ids = idsOf(
    writeStudyCalendar(
      [
        { ...biology, events },
        { ...biology, events },
      ],
      0,
    ),
  );
  expect(new Set(ids).size).toBe(2);
  expect(ids[0]).toBe(uids(biology)?.slice("UID:".length));
});

const chemistry = { name: "Chemistry", exam: "2026-12-11", topics: parseTopics("Acids\nBases") };
const several = { ...request, exams: [chemistry, biology] };
const minutesOf = (plan: ReturnType<typeof makePlan>, wanted: number) =>
  plan.map(({ day, sessions }) => ({
    day,
    minutes: sum(sessions.filter(({ exam }) => exam === wanted).map(({ minutes }) => minutes)),
  }));

test("exams share the days: each topic gets about the same time for its weight, and nothing is studied after its exam", () => {
  const plan = makePlan(several);
  const [ofChemistry = 0, ofBiology = 0] = [0, 1].map((exam) =>
    sum(minutesOf(plan, exam).map(({ minutes }) => minutes)),
  );
  // Four parts of biology and two of chemistry.
  expect(ofBiology / ofChemistry).toBeGreaterThan(1.85);
  expect(ofBiology / ofChemistry).toBeLessThan(2.15);
  expect(minutesOf(plan, 1).filter(({ day, minutes }) => minutes > 0 && day >= biology.exam)).toEqual([]);
  expect(minutesOf(plan, 0).filter(({ day, minutes }) => minutes > 0 && day >= biology.exam).length).toBe(4);
  const before = plan.find(({ day }) => day === "2026-12-05");
  expect(sum(before?.sessions.filter(({ exam }) => exam === 1).map(({ minutes }) => minutes) ?? [])).toBeGreaterThan(
    75,
  );
});

test("an exam that is soon gets all days before it when they are too few, and the other one the days after it", () => {
  const soon = { ...biology, exam: "2026-11-25", topics: parseTopics("A\nB\nC\nD\nE\nF") };
  const plan = makePlan({ ...request, exams: [soon, { ...chemistry, topics: parseTopics("Acids") }] });
  expect(minutesOf(plan, 0).filter(({ minutes }) => minutes > 0)).toEqual([
    { day: "2026-11-23", minutes: 60 },
    { day: "2026-11-24", minutes: 60 },
  ]);
});

test("several exams share every minute of the days, each before its day and with at least twenty minutes at a time", () => {
  const exam = record({ days: integer({ min: 2, max: 60 }), weight: double({ min: 0.5, max: 20, noNaN: true }) });
  const minutes = array(
    integer({ min: 4, max: 36 }).map((step) => step * 5),
    { minLength: 7, maxLength: 7 },
  );
  assert(
    property(array(exam, { minLength: 2, maxLength: 5 }), minutes, (some, week) => {
      const exams = some.map(({ days, weight }) => ({ exam: examIn(days), weight }));
      const shares = allocateDays({ start: request.start, exams, minutes: week });
      const last =
        exams
          .map((one) => one.exam)
          .toSorted()
          .at(-1) ?? "";
      for (const { day, minutes: available } of studyDays({ start: request.start, exam: last, minutes: week }))
        expect(
          sum(
            shares
              .flat()
              .filter((share) => share.day === day)
              .map((share) => share.minutes),
          ),
        ).toBe(available);
      for (const [at, days] of shares.entries())
        for (const share of days) expect(share.day < (exams[at]?.exam ?? "") && share.minutes >= 20).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("in a calendar each exam has its own events, whose ids another exam beside it does not change", () => {
  setToolWords(tools, "en");
  const events = listExamEvents(several, makePlan(several));
  expect(events.map(({ events: [first] }) => first?.summary)).toEqual([
    expect.stringMatching(/^Chemistry: Acids/),
    expect.stringMatching(/^Biology: Cells/),
  ]);
  expect(events.map((exam) => exam.events.at(-1))).toEqual([
    { day: "2026-12-11", summary: "Exam: Chemistry", description: "" },
    { day: "2026-12-07", summary: "Exam: Biology", description: "" },
  ]);
  const together = idsOf(writeStudyCalendar(events, 0));
  const alone = idsOf(writeStudyCalendar(listExamEvents(request, makePlan(request)), 0));
  expect(together).toEqual([...new Set(together)]);
  expect(together).toContain(alone.at(-1));
});
