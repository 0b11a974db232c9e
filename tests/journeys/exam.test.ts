import { ulid } from "ulid";
import { expect, test } from "vitest";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";
import { aStudent } from "#tests/kit/browser/seat.ts";
import { aStage } from "#tests/kit/browser/stage.ts";
import type { Student } from "#tests/kit/student.ts";

const DAY_MS = 86_400_000;
const { browser, server } = await aStage();

const dateField = (at: number) => new Date(at).toISOString().slice(0, 10);

/** By its parts, as the browser's own field of dates takes them from the keyboard. */
async function chooseDay(student: Student, day: string): Promise<void> {
  const [year = "", month = "", date = ""] = day.split("-");
  await student.page.focus('input[type="date"]');
  await student.page.keyboard.type(`${month}${date}${year}`);
}

test("an exam is set on home, its forecast is told, and the session asks what the plan chose, offline too", async () => {
  const { student, user } = await aStudent(browser, server.origin);
  const pageId = await aPage(user, "Biology");
  const componentId = await aDeck(
    user,
    pageId,
    Array.from({ length: 60 }, (_, at) => aCard(`card-${at}`, `Question ${at + 1}?`)),
  );
  const other = await aDeck(user, pageId, [aCard("one"), aCard("two")]);
  await student.open("/home");
  await student.press("button", "Plan for an exam");
  await student.reads("Exam date");
  await chooseDay(student, dateField(Date.now() + 10 * DAY_MS));
  await student.type("Minutes per day", "5");
  await student.reads("expected recall on exam day");
  await student.reads("All cards fit before the exam.");
  expect(await student.look("exam-dialog")).toEqual([]);
  await student.press("button", "Save plan");
  await student.reads("Exam in 10 days");
  await student.reads("cards today, about");
  expect(await student.look("home-exam")).toEqual([]);
  const { decks } = await user.client.study.getDue({});
  expect(decks.filter(({ examAt }) => examAt !== null)).toHaveLength(1);
  expect([componentId, other]).toContain(decks.find(({ examAt }) => examAt !== null)?.componentId);

  const planned = decks.find(({ examAt }) => examAt !== null)?.componentId ?? "";
  await student.open(`/page/${pageId}/study/${planned}`);
  await student.reads("On your exam plan, exam in 10 days");
  const [, total = "0"] = /1 of (\d+)/.exec(await student.says()) ?? [];
  // Five minutes are a dozen new cards and not the deck's usual twenty.
  expect(Number(total)).toBeGreaterThan(planned === other ? 1 : 5);
  expect(Number(total)).toBeLessThan(20);
  const chosen = await student.page.$eval("select[class*=study-bucket]", (one) => one.selectedOptions[0]?.textContent);
  expect(chosen).toBe(`Today's plan (${total})`);
  await student.page.setOfflineMode(true);
  for (let at = 0; at < 3; at += 1) {
    await student.page.keyboard.press("Space");
    await student.page.keyboard.press("4");
  }
  await student.reads("Offline: your answers are saved on this device");
  await student.page.setOfflineMode(false);
  expect(await student.look("study-planned")).toEqual([]);
  await student.leave();
});

test("what was studied is read as pictures and as tables, and the settings of studying are at hand", async () => {
  const { student, user } = await aStudent(browser, server.origin);
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
  await student.reads("Log loss");
  expect(await student.look("statistics")).toEqual([]);
  await student.page.setViewport({ width: 360, height: 740 });
  expect(await student.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await student.page.setViewport({ width: 1360, height: 860 });
  await student.page.locator("::-p-aria(Upcoming reviews)").wait();
  await student.page.locator(".numbers-table summary").click();
  await student.reads("Answers");
  await student.open("/settings");
  await student.reads("Tuned to you");
  await student.reads("Tuning needs 400");
  expect(await student.look("settings-study")).toEqual([]);
  await student.leave();
});
