import ICAL from "ical.js";
import { sync } from "node-ical";
import { expect, test } from "vitest";
import { ulid } from "ulid";
import { writeCalendar } from "#shared/connections/icalendar.ts";
import { planStudyBlocks } from "#shared/connections/study-blocks.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

interface Event {
  uid: string;
  summary: string;
  startAt: number;
  endAt: number;
}

/** Two parsers that share no code. */
function readWithBoth(text: string): Event[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  const first = calendar.getAllSubcomponents("vevent").map((component) => {
    const event = new ICAL.Event(component);
    const [startAt, endAt] = [event.startDate.toJSDate().getTime(), event.endDate.toJSDate().getTime()];
    return { uid: event.uid, summary: event.summary, startAt, endAt };
  });
  const second = Object.values(sync.parseICS(text)).flatMap((component) =>
    component?.type === "VEVENT"
      ? [
          {
            uid: component.uid,
            summary: typeof component.summary === "string" ? component.summary : component.summary.val,
            startAt: component.start.getTime(),
            endAt: component.end?.getTime() ?? 0,
          },
        ]
      : [],
  );
  expect(second).toEqual(first);
  return first;
}

async function studyOnce(api: TestApi, user: TestUser, cards: number): Promise<string> {
  const pageId = await aPage(user, "Cells");
  const made = Array.from({ length: cards }, (_, at) => aCard(`card-${at}`));
  const deckId = await aDeck(user, pageId, made);
  const reviewedAt = api.clock.now();
  const reviews = made.map(({ id }) =>
    aChange("review_add", deckId, {
      _id: ulid(),
      componentId: deckId,
      cardId: id,
      grade: 4,
      reviewedAt,
      durationMs: 30_000,
      mode: "study",
    }),
  );
  await send(user, ...reviews);
  return deckId;
}

const read = (url: string, api: TestApi, headers: Record<string, string> = {}) =>
  fetch(api.origin + new URL(url).pathname, { headers });

test("the feed contains a block on each day with due cards, and two parsers agree on it", async () => {
  const api = await startApi();
  const user = await api.newUser();
  await user.client.user.saveSettings({ timezone: "Europe/Berlin" });
  await studyOnce(api, user, 30);
  expect((await user.client.connections.getCalendarFeed({})).url).toBeNull();
  const { url, blocks } = await user.client.connections.saveCalendarFeed({ studyAt: "18:30", isOn: true });
  if (url === null) throw new Error("No address was made");
  const response = await read(url, api);
  expect(response.headers.get("content-type")).toMatch(/^text\/calendar/);
  const events = readWithBoth(await response.text());
  expect(events.length).toBeGreaterThan(0);
  expect(events.map(({ startAt }) => startAt)).toEqual(expect.arrayContaining(blocks.map(({ startAt }) => startAt)));
  for (const { startAt, endAt, summary } of events) {
    const local = new Date(startAt).toLocaleTimeString("de", { timeZone: "Europe/Berlin", timeStyle: "short" });
    expect(local).toBe("18:30");
    expect(endAt - startAt).toBeGreaterThanOrEqual(10 * MINUTE_MS);
    expect(summary).toMatch(/^Study: \d+ cards?$/);
  }
  // Nothing changed, so a calendar program gets 304.
  expect((await read(url, api, { "if-none-match": response.headers.get("etag") ?? "" })).status).toBe(304);
});

test("an exam plan sets time aside on each day until the exam", async () => {
  const api = await startApi();
  const user = await api.newUser();
  const deckId = await studyOnce(api, user, 1);
  const examAt = api.clock.now() + 5 * DAY_MS;
  await user.client.study.saveExam({ componentIds: [deckId], examAt, minutesPerDay: 45 });
  const { blocks } = await user.client.connections.getCalendarFeed({});
  const planned = blocks.filter(({ examMinutes }) => examMinutes === 45);
  expect(planned.length).toBe(5);
  expect(planned.every(({ startAt, endAt }) => endAt - startAt === 45 * MINUTE_MS)).toBe(true);
});

test("a replaced, disabled or guessed feed address returns 404 and reveals nothing", async () => {
  const api = await startApi();
  const user = await api.newUser();
  await expect(user.client.connections.renewCalendarFeed({})).rejects.toMatchObject({ code: "not_found" });
  const first = (await user.client.connections.saveCalendarFeed({ isOn: true })).url ?? "";
  expect((await user.client.connections.saveCalendarFeed({ isOn: true })).url).toBe(first);
  const second = (await user.client.connections.renewCalendarFeed({})).url ?? "";
  expect(second).not.toBe(first);
  expect((await read(second, api)).status).toBe(200);
  await user.client.connections.saveCalendarFeed({ isOn: false });
  const answers = await Promise.all(
    [first, second, `https://x/v1/calendar/${"a".repeat(32)}.ics`, "https://x/v1/calendar/null.ics"].map(
      async (url) => (await read(url, api)).status,
    ),
  );
  expect(answers).toEqual([404, 404, 404, 404]);
  await expect(user.client.connections.saveCalendarFeed({ studyAt: "25:00" })).rejects.toMatchObject({
    code: "bad_input",
  });
});

test("blocks keep the local hour across clock changes, and today's block is left out once it has begun", () => {
  const forecast = { timezone: "Europe/Berlin", load: [5, 5, 5, 0, 1000], secondsPerCard: 8, exams: [] };
  // The clocks go back on 25 October 2026.
  const now = Date.UTC(2026, 9, 23, 16, 30);
  const blocks = planStudyBlocks(forecast, "18:00", now);
  expect(blocks.map(({ day }) => day)).toEqual(["2026-10-24", "2026-10-25", "2026-10-27"]);
  expect(blocks.map(({ startAt }) => new Date(startAt).getUTCHours())).toEqual([16, 17, 17]);
  expect(blocks.map(({ startAt, endAt }) => (endAt - startAt) / MINUTE_MS)).toEqual([10, 10, 60]);
});

test("shortly after midnight the previous study day still counts, and its due cards go into the next block", () => {
  const forecast = { timezone: "Europe/Berlin", load: [30, 60, 5], secondsPerCard: 60, exams: [] };
  const plan = (studyAt: string, now: number) =>
    planStudyBlocks(forecast, studyAt, now).map(({ startAt, cards }) => [new Date(startAt).toISOString(), cards]);
  // Two in the morning of 2 September in Berlin.
  const night = Date.UTC(2026, 8, 2, 0);
  expect(plan("17:00", night)).toEqual([
    ["2026-09-02T15:00:00.000Z", 90],
    ["2026-09-03T15:00:00.000Z", 5],
  ]);
  expect(plan("03:00", night)).toEqual([
    ["2026-09-02T01:00:00.000Z", 30],
    ["2026-09-03T01:00:00.000Z", 60],
    ["2026-09-04T01:00:00.000Z", 5],
  ]);
});

test("long lines are folded between characters, and commas, semicolons and line breaks are escaped", () => {
  const summary = `Wiederholen; Zellen, Gene\\Proteine\n${"Überprüfung 🧬 ".repeat(12)}`.trim();
  const event = {
    uid: "a@b",
    startAt: Date.UTC(2026, 0, 1),
    endAt: Date.UTC(2026, 0, 1, 1),
    summary,
    description: "",
    url: "https://x",
  };
  const text = writeCalendar({ name: "Lernen", stampedAt: 0, events: [event] });
  for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(readWithBoth(text)[0]?.summary).toBe(summary);
  // Some programs end a line at these characters, so a deck title could otherwise add a property.
  const ends = ["\u000B", "\u000C", "\u001C", "\u0085", "\u2028", "\u2029"];
  const hostile = ends.map((end) => `x${end}ATTACH:http://evil.example`);
  const written = writeCalendar({ name: "x", stampedAt: 0, events: [{ ...event, summary: hostile.join("") }] });
  expect(ends.filter((end) => written.includes(end))).toEqual([]);
});
