import type { Browser } from "puppeteer";
import { ulid } from "ulid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch.ts";
import { v1 } from "#shared/contract/v1.ts";
import { studyDayEndsAt, studyDayStartsAt } from "#shared/study/day.ts";
import { advance, isLearning, retrievability } from "#shared/study/rules.ts";
import type { Review, Schedule } from "#shared/study/schema.ts";
import { dueQueue } from "#shared/study/session.ts";
import { openBrowser } from "#tests/kit/browser.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/kit/changes.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/server-process.ts";
import { sitDown } from "#tests/kit/student.ts";
import { chances } from "#tests/study/exam-students.ts";

const DAY_MS = 86_400_000;
const STEP_MS = 600_000;
const CARDS = 120;
let browser: Browser;
let server: ServerProcess;
beforeAll(async () => {
  browser = await openBrowser();
  server = await startServerProcess();
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

/** What a student answered on each day up to today, who forgets a little more than the scheduler expects. */
function answersOf(
  componentId: string,
  ids: readonly string[],
  { days, now }: { days: number; now: number },
): Review[] {
  const chance = chances(days);
  const schedules = new Map<string, Schedule>();
  const reviews: Review[] = [];
  const answer = (cardId: string, reviewedAt: number) => {
    const before = schedules.get(cardId);
    const recall = before ? retrievability(before, reviewedAt) ** 1.4 : 0.75;
    const grade = chance() < recall ? (chance() < 0.15 ? 4 : 3) : 1;
    const durationMs = Math.round(4000 + chance() * 8000);
    const review: Review = { _id: ulid(), cardId, componentId, grade, reviewedAt, durationMs, mode: "study" };
    reviews.push(review);
    const after = advance(before, review);
    schedules.set(cardId, after);
    return after;
  };
  for (let ago = days - 1; ago >= 0; ago -= 1) {
    // An hour ago, so that no answer lies in the future.
    const at = now - ago * DAY_MS - 3 * 3_600_000;
    const day = { now: at, startsAt: studyDayStartsAt(at, "UTC"), endsAt: studyDayEndsAt(at, "UTC") };
    // Every eighth day is missed.
    if (ago % 8 === 5) continue;
    const { learning, review, fresh } = dueQueue(ids, schedules, day, { newLimit: 12 });
    const queue = [...learning.map(({ cardId }) => cardId), ...review, ...fresh];
    for (const [index, cardId] of queue.entries()) {
      let moment = at + index * 15_000;
      let after = answer(cardId, moment);
      for (let step = 0; step < 4 && isLearning(after); step += 1) {
        moment += STEP_MS;
        after = answer(cardId, moment);
      }
    }
  }
  return reviews;
}

test.each([1, 10, 60])(
  "what a student sees on day %i: what is due, the plan, what comes and how true it came",
  async (days) => {
    const clientFor = (token?: string) =>
      createClient(v1, fetchTransport({ origin: server.origin, token: () => token }));
    const email = `${ulid().toLowerCase()}@example.org`;
    const account = await clientFor().auth.register({ name: "Ada", email, password: "a lamp upon the desk" });
    const user = { client: clientFor(account.token), userId: account.user._id, email, token: account.token };
    const now = Date.now();
    const pageId = await aPage(user, "Biology");
    const cards = Array.from({ length: CARDS }, (_, at) => aCard(`card-${at}`, `What is said of part ${at + 1}?`));
    const componentId = await aDeck(user, pageId, cards);
    const reviews = answersOf(
      componentId,
      cards.map(({ id }) => id),
      { days, now },
    );
    for (let at = 0; at < reviews.length; at += 400)
      await send(user, ...reviews.slice(at, at + 400).map((review) => aChange("review_add", componentId, review)));
    await user.client.study.saveExam({ componentIds: [componentId], examAt: now + 21 * DAY_MS, minutesPerDay: 10 });
    const { days: studied, calibration } = await user.client.study.getStatistics({});
    expect(studied.reduce((sum, day) => sum + day.reviews, 0)).toBe(reviews.length);
    const { count, predicted, actual, logLoss } = calibration;
    process.stdout.write(
      `day ${days}: ${JSON.stringify({ answers: reviews.length, count, predicted, actual, logLoss })}\n`,
    );
    expect(count > 0).toBe(days > 1);

    const student = await sitDown(browser, server.origin);
    const cookie = { name: "lamplight_token", value: account.token, domain: "127.0.0.1", path: "/" };
    await student.page.browserContext().setCookie(cookie);
    await student.open("/home");
    await student.reads("Exam in 21 days");
    await student.reads("expected to be remembered on the day");
    // With sixty days behind and three weeks ahead nothing needs to be asked today.
    await student.reads(days === 60 ? "Today's part of the plan is done." : "Study today's part of Genes");
    expect(await student.look(`day-${days}-home`)).toEqual([]);
    await student.press("link", "Statistics");
    await student.reads("The last year");
    expect(await student.look(`day-${days}-statistics`)).toEqual([]);
    await student.page.evaluate(() => document.querySelector(".numbers > section:last-child")?.scrollIntoView());
    expect(await student.look(`day-${days}-retention`)).toEqual([]);
    await student.open(`/page/${pageId}/study/${componentId}`);
    await student.reads("exam");
    expect(await student.look(`day-${days}-study`)).toEqual([]);
    await student.leave();
  },
);
