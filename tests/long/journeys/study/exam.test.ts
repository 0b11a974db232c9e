import { ulid } from "ulid";
import { expect, test } from "vitest";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import type { Student } from "#tests/kit/student.ts";
import { allowServiceWorkers } from "#tests/kit/student.ts";

allowServiceWorkers();

const DAY_MS = 86_400_000;
const { browser, server } = await startBrowserAndServer();

const dateField = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Types month, day and year one after the other, the order in which the browser's date field expects them. */
async function chooseDay(student: Student, day: string): Promise<void> {
  const [year = "", month = "", date = ""] = day.split("-");
  await student.page.focus('input[type="date"]');
  await student.page.keyboard.type(`${month}${date}${year}`);
}

test("an exam planned on the home screen shows a forecast, and its study session also works offline", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "Biology");
  const componentId = await aDeck(
    user,
    pageId,
    Array.from({ length: 60 }, (_, at) => aCard(`card-${at}`, `Question ${at + 1}?`)),
  );
  const smallDeckId = await aDeck(user, pageId, [aCard("one"), aCard("two")]);
  await student.open("/home");
  await student.press("button", "Plan for an exam");
  await student.waitForText("Exam date");
  await chooseDay(student, dateField(Date.now() + 10 * DAY_MS));
  await student.type("Minutes per day", "5");
  await student.waitForText("expected recall on exam day");
  await student.waitForText("All cards fit before the exam.");
  expect(await student.checkScreen("exam-dialog")).toEqual([]);
  await student.press("button", "Save plan");
  await student.waitForText("Exam in 10 days");
  await student.waitForText("cards today, about");
  expect(await student.checkScreen("home-exam")).toEqual([]);
  const { decks } = await user.client.study.getDue({});
  expect(decks.filter(({ examAt }) => examAt !== null)).toHaveLength(1);
  expect([componentId, smallDeckId]).toContain(decks.find(({ examAt }) => examAt !== null)?.componentId);

  const planned = decks.find(({ examAt }) => examAt !== null)?.componentId ?? "";
  await student.open(`/page/${pageId}/study/${planned}`);
  await student.waitForText("On your exam plan, exam in 10 days");
  const [, total = "0"] = /1 of (\d+)/.exec(await student.readScreen()) ?? [];
  // Five minutes a day allow about twelve new cards, fewer than the deck's usual twenty.
  expect(Number(total)).toBeGreaterThan(planned === smallDeckId ? 1 : 5);
  expect(Number(total)).toBeLessThan(20);
  const chosen = await student.page.$eval(
    "select[class*=study-bucket]",
    (select) => select.selectedOptions[0]?.textContent,
  );
  expect(chosen).toBe(`Today's plan (${total})`);
  await student.page.setOfflineMode(true);
  for (let at = 0; at < 3; at += 1) {
    await student.page.keyboard.press("Space");
    await student.page.keyboard.press("4");
  }
  await student.waitForText("Offline: your answers are saved on this device");
  await student.page.setOfflineMode(false);
  expect(await student.checkScreen("study-planned")).toEqual([]);
  await student.close();
});

test("statistics are shown as charts and tables, and study settings can be reached", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "Biology");
  const cards = Array.from({ length: 40 }, (_, at) => aCard(`card-${at}`));
  const componentId = await aDeck(user, pageId, cards);
  const reviews = cards.flatMap(({ id: cardId }, at) =>
    [40, 36, 25, 9, 1]
      .filter((ago) => (at + ago) % 4 !== 0)
      .map((ago, index) => ({
        _id: ulid(),
        cardId,
        componentId,
        grade: (at + index) % 6 === 0 ? (1 as const) : (3 as const),
        reviewedAt: Date.now() - ago * DAY_MS - at * 20_000,
        durationMs: 5000 + at * 100,
        mode: "study" as const,
      })),
  );
  await send(user, ...reviews.map((review) => aChange("review_add", componentId, review)));
  await student.open("/home");
  await student.press("link", "Statistics");
  await student.waitForText("You remember");
  expect(await student.checkScreen("statistics")).toEqual([]);
  await student.page.setViewport({ width: 360, height: 740 });
  expect(await student.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await student.page.setViewport({ width: 1360, height: 860 });
  await student.page.locator("::-p-aria(Upcoming reviews)").wait();
  const chart = 'figure:has([role="img"][aria-label="Cards due on each of the next 30 days"])';
  await student.page.locator(`${chart} .chart-table summary`).click();
  await student.page.locator(`${chart} .chart-table[open] td`).setVisibility("visible").wait();
  await student.open("/settings");
  await student.press("button", "Advanced");
  await student.waitForText("Tuned to you");
  await student.waitForText("Tuning needs 400");
  expect(await student.checkScreen("settings-study")).toEqual([]);
  await student.close();
});
