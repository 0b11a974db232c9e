import type { Browser } from "puppeteer";
import { ulid } from "ulid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { planExam } from "#shared/study/exam/plan.ts";
import { studyDayEndsAt, studyDayStartsAt } from "#shared/study/day.ts";
import { advance, isLearning, retrievability } from "#shared/study/rules.ts";
import type { Review, Schedule } from "#shared/study/schema.ts";
import { dueQueue } from "#shared/study/session.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";
import { announcements } from "#shared/marketing/announcements.ts";
import { fakeClock } from "#tests/kit/fake-clock.ts";
import { openStudent, takePicture, type Student } from "#tests/kit/student.ts";
import { chances } from "#tests/study/exam/exam-students.ts";

const DAY_MS = 86_400_000;
const STEP_MS = 600_000;
const CARDS = 240;
/** The student plans the exam on this day. */
const EXAM_SET = 45;
const EXAM_DAY = 75;
const MINUTES = 10;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** A student who studies in the evening, misses every eighth day, and forgets more than the scheduler expects. */
class Learner {
  readonly #chance = chances(7);
  readonly #schedules = new Map<string, Schedule>();
  readonly #names: { componentId: string; ids: readonly string[] };
  #reviews: Review[] = [];

  constructor(names: { componentId: string; ids: readonly string[] }) {
    this.#names = names;
  }

  /** The answers of one evening to the cards that the product shows. */
  studyEvening(now: number, examAt: number | null): Review[] {
    this.#reviews = [];
    for (const [index, cardId] of this.#queue(now, examAt).entries()) {
      let moment = now + index * 15_000;
      let after = this.#answer(cardId, moment);
      for (let step = 0; step < 4 && isLearning(after); step += 1) {
        moment += STEP_MS;
        after = this.#answer(cardId, moment);
      }
    }
    return this.#reviews;
  }

  #queue(now: number, examAt: number | null): string[] {
    const { ids, componentId } = this.#names;
    const startsAt = studyDayStartsAt(now, "UTC");
    const day = { now, startsAt, endsAt: studyDayEndsAt(now, "UTC") };
    const { learning, review, fresh } = dueQueue(ids, this.#schedules, day, { newLimit: 10 });
    const steps = learning.map(({ cardId }) => cardId);
    if (examAt === null) return [...steps, ...review, ...fresh];
    const cards = ids.map((cardId) => ({ cardId, componentId, schedule: this.#schedules.get(cardId) }));
    const plan = planExam({ cards, startsAt, now, examAt, minutesPerDay: MINUTES });
    return plan.state === "planned" ? [...steps, ...plan.today.map(({ cardId }) => cardId)] : steps;
  }

  #answer(cardId: string, reviewedAt: number): Schedule {
    const before = this.#schedules.get(cardId);
    const recall = before ? retrievability(before, reviewedAt) ** 1.4 : 0.75;
    const grade = this.#chance() < recall ? (this.#chance() < 0.15 ? 4 : 3) : 1;
    const durationMs = Math.round(4000 + this.#chance() * 8000);
    const { componentId } = this.#names;
    const review: Review = { _id: ulid(), cardId, componentId, grade, reviewedAt, durationMs, mode: "study" };
    const after = advance(before, review);
    this.#schedules.set(cardId, after);
    this.#reviews.push(review);
    return after;
  }
}

/** Runs in the browser before its scripts: sets the browser's clock to the server's. */
function moveClock(shift: number): void {
  const RealDate = Date;
  class MovedDate extends RealDate {
    constructor(...given: [] | [number]) {
      // A date without arguments is the current time.
      super(...(given.length === 0 ? ([RealDate.now() + shift] as const) : given));
    }

    static override now(): number {
      return RealDate.now() + shift;
    }
  }
  globalThis.Date = MovedDate as DateConstructor;
}

async function openAtServerTime(api: TestApi, { token }: TestUser): Promise<Student> {
  const student = await openStudent(browser, api.origin);
  await student.page.emulateTimezone("UTC");
  await student.page.evaluateOnNewDocument(moveClock, api.clock.now() - Date.now());
  const cookie = { name: "lamplight_token", value: token, domain: "127.0.0.1", path: "/" };
  await student.page.browserContext().setCookie(cookie);
  return student;
}

/** Checks the home screen, the statistics with forecast and calibration, and the first card of the session. */
async function checkScreens(student: Student, day: number, study: string): Promise<string[]> {
  const found: string[] = [];
  await student.open("/home");
  await student.waitForText("Genes");
  await student.waitForText(day < EXAM_SET ? "Plan for an exam" : `Exam in ${EXAM_DAY - day} days`);
  if (day >= EXAM_SET) await student.waitForText("expected recall on exam day");
  found.push(...(await student.checkScreen(`day-${day}-home`)));
  await student.press("link", "Statistics");
  // Charts appear from five days on.
  await student.waitForText(day === 1 ? "Charts appear" : "Past 6 months");
  await student.page.locator(".numbers-details summary").click();
  found.push(...(await student.checkScreen(`day-${day}-statistics`)));
  await student.page.evaluate(() => document.querySelector(".numbers-details")?.scrollIntoView());
  await takePicture(student.page, `day-${day}-retention`);
  await student.open(study);
  await student.page.waitForSelector(".study-bar");
  found.push(...(await student.checkScreen(`day-${day}-study`)));
  return found;
}

test("on day 1, 10 and 60 a student sees what is due, what is coming, how accurate the forecast was, and the exam plan", async () => {
  const clock = fakeClock(Date.UTC(2026, 8, 1, 18));
  const api = await startApi({ clock, webFolder: "dist/web" });
  const user = await api.newUser();
  await user.client.user.saveSettings({ onboardingComplete: true });
  await user.client.user.markFeatureSeen({ featureIds: announcements.map(({ id }) => id) });
  const pageId = await aPage(user, "Biology");
  const cards = Array.from({ length: CARDS }, (_, at) => aCard(`card-${at}`, `What is said of part ${at + 1}?`));
  const componentId = await aDeck(user, pageId, cards);
  const learner = new Learner({ componentId, ids: cards.map(({ id }) => id) });
  const examAt = clock.now() + (EXAM_DAY - 1) * DAY_MS;
  const tested: number[] = [];
  for (let day = 1; day <= 60; day += 1) {
    if (day === EXAM_SET)
      await user.client.study.saveExam({ componentIds: [componentId], examAt, minutesPerDay: MINUTES });
    const study = async () => {
      const reviews = learner.studyEvening(clock.now(), day >= EXAM_SET ? examAt : null);
      const changes = reviews.map((review) => aChange("review_add", componentId, review));
      for (let at = 0; at < changes.length; at += 400) await send(user, ...changes.slice(at, at + 400));
    };
    const look = async () => {
      const { calibration } = await user.client.study.getStatistics({});
      tested.push(calibration.count);
      process.stdout.write(`day ${day}: ${JSON.stringify({ ...calibration, bins: calibration.bins.length })}\n`);
      const student = await openAtServerTime(api, user);
      expect(await checkScreens(student, day, `/page/${pageId}/study/${componentId}`)).toEqual([]);
      await student.close();
    };
    // On the first evening there is nothing to see before the first session; on later days, look before studying.
    if (day === 10 || day === 60) await look();
    if (day % 8 !== 5) await study();
    if (day === 1) {
      clock.advance(3 * 3_600_000);
      await look();
      clock.advance(-3 * 3_600_000);
    }
    clock.advance(DAY_MS);
  }
  expect(tested[0]).toBe(0);
  expect(tested[1]).toBeGreaterThan(20);
  expect(tested[2]).toBeGreaterThan(200);
});
