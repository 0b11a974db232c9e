import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { leaveForLater } from "#tests/kit/browser/browser-clock.ts";
import { aGoogle } from "#tests/kit/servers/google.ts";
import { openStudentAs, registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startApi } from "#tests/kit/api.ts";
import { fakeClock } from "#tests/kit/fake-clock.ts";
import { syncDueCalendars } from "#api/connections/calendar/sync-calendar.ts";
import { announcements } from "#shared/marketing/announcements.ts";
import { aCard, aDeck, aPage } from "#tests/store/changes.ts";
import { freePort, startServerProcess } from "#tests/kit/servers/server-process.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const lecture = () => tinyPdf([["The ribosome reads the messenger three bases at a time."]]).bytes();

test("a student connects Google Drive, imports a file, reads it, and disconnects", async () => {
  const port = await freePort();
  const google = await aGoogle(
    [
      { id: "pdf", name: "Ribosomes.pdf", mimeType: "application/pdf", bytes: await lecture() },
      { id: "doc", name: "Notes of week 3", mimeType: "application/vnd.google-apps.document", bytes: await lecture() },
      { id: "form", name: "Evaluation", mimeType: "application/vnd.google-apps.form", bytes: new Uint8Array(0) },
    ],
    `http://127.0.0.1:${port}`,
  );
  const server = await startServerProcess({ ...google.env, PORT: String(port), DEFAULT_PLAN: "PLUS" });
  const { student } = await registerStudent(browser, server.origin, { email: "ada@example.org" });
  const { page } = student;
  try {
    await student.open("/home");
    await student.press("button", "Account of Ada");
    await student.press("menuitem", "Connections");
    await student.waitForText("Connect Google Drive");
    expect(await student.checkScreen("connections-none")).toEqual([]);
    await student.press("button", "Connect Google Drive");
    await student.waitForText("Connected as ada@gmail.example");
    await student.waitForText("Notes of week 3");
    expect(new URL(page.url()).pathname).toBe("/connections");
    expect(await student.checkScreen("connections-drive")).toEqual([]);
    await student.press("button", "Import Ribosomes.pdf");
    await student.waitForText("Imported.");
    expect(await student.checkScreen("connections-imported")).toEqual([]);
    await student.press("link", "Open Ribosomes.pdf");
    await page.waitForFunction(() => document.querySelector(".textLayer")?.textContent.includes("ribosome"));
    await student.open("/connections");
    await student.press("button", "Disconnect Google Drive");
    await student.waitForText("Connect Google Drive");
    await student.open("/oauth/google/callback?error=access_denied&state=drive.x");
    await student.waitForText("You didn't allow access.");
    expect(await student.checkScreen("connections-refused")).toEqual([]);
  } finally {
    await student.close();
    await server.dispose();
  }
});

const DAY_MS = 86_400_000;

/** Runs in the browser. Sets the value directly, because the keys that a time field accepts depend on the locale. */
const enterTime = (field: HTMLInputElement, time: string) => {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, time);
  field.dispatchEvent(new Event("input", { bubbles: true }));
};

test("a study block moved or deleted in Google Calendar stays as it is, and disconnecting deletes the calendar", async () => {
  const port = await freePort();
  const google = await aGoogle([], `http://127.0.0.1:${port}`);
  const api = await startApi({ clock: fakeClock(Date.now()), webFolder: "dist/web", env: google.env, port });
  const ada = await api.newUser({ name: "Ada" });
  await ada.client.user.saveSettings({ onboardingComplete: true, timezone: "UTC" });
  await ada.client.user.markFeatureSeen({ featureIds: announcements.map(({ id }) => id) });
  const deckId = await aDeck(ada, await aPage(ada), [aCard("codon")]);
  await ada.client.study.saveExam({ componentIds: [deckId], examAt: api.clock.now() + 10 * DAY_MS, minutesPerDay: 30 });
  const student = await openStudentAs(browser, api.origin, ada);
  await student.open("/connections");
  await student.waitForText("30 min for your exam");
  await student.press("button", "Connect Google Calendar");
  await student.waitForText("Connected as ada@gmail.example");
  expect(await student.checkScreen("connections-google-calendar")).toEqual([]);

  const blocks = () => [...google.calendar.calendars.values()].flatMap((events) => [...events.values()]);
  const blocksByDay = blocks().toSorted((a, b) => a.start.dateTime.localeCompare(b.start.dateTime));
  const [, moved, deleted, untouched] = blocksByDay;
  if (!moved || !deleted || !untouched) throw new Error("Too few blocks");
  const dayOf = ({ start }: typeof untouched) => start.dateTime.slice(0, 10);
  // The student moves one block and deletes another in Google Calendar.
  moved.start = { dateTime: `${dayOf(moved)}T08:00:00Z` };
  moved.end = { dateTime: `${dayOf(moved)}T08:30:00Z` };
  deleted.status = "cancelled";
  const untouchedDay = dayOf(untouched);
  // The other blocks move to each new study time, but the blocks that the student changed stay as they are.
  for (const time of ["06:15", "21:45", "19:30"]) {
    await student.page.$eval('input[type="time"]', enterTime, time);
    await student.press("button", "Save time");
    await expect.poll(() => untouched.start.dateTime).toBe(`${untouchedDay}T${time}:00.000Z`);
    expect([moved.start.dateTime.slice(11), deleted.status]).toEqual(["08:00:00Z", "cancelled"]);
    await student.page.waitForSelector('::-p-aria([name="Save time"])', { hidden: true });
  }
  await leaveForLater(student, api.clock, DAY_MS);
  expect(await syncDueCalendars(api.deps)).toBe(1);
  expect([moved.start.dateTime.slice(11), deleted.status]).toEqual(["08:00:00Z", "cancelled"]);
  expect(google.calendar.calendars.size).toBe(1);

  await student.open("/connections");
  await student.press("button", "Disconnect Google Calendar");
  await student.waitForText("Connect Google Calendar");
  expect(google.calendar.calendars.size).toBe(0);
  await student.close();
});
