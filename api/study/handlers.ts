import { Failure } from "#shared/contract/failure.ts";
import { dailyCardLimit } from "#shared/study/today.ts";
import { calibrationFromSums, sumStudyDays } from "#shared/study/statistics.ts";
import type { study } from "#shared/study/contract.ts";
import { studyDayEndsAt, studyDayStartsAt } from "#shared/study/day.ts";
import { utcDay } from "#shared/user/days.ts";
import type { Handlers } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { isDeck } from "#api/pages/store.ts";
import { listDeckHeads } from "#api/pages/overview.ts";
import { readUsage, getTimezone } from "#api/user/service.ts";
import { listDaySums } from "./day-sums.ts";
import { countCards, readDeckSettings, readFit, saveDecksExam, saveDeckSettings } from "./decks.ts";
import { fitAccount, resetFit } from "./optimize-account.ts";
import { averageSeconds, PACE_MS, readLoad } from "./forecast.ts";
import { REVIEWS_TO_FIT } from "./optimizer.ts";
import { ensureDaySums } from "./service.ts";
import { countDueOf, countIntroduced, countReviews, listSchedules } from "./store.ts";

const DAY_MS = 86_400_000;

export const handlers: Handlers<typeof study> = {
  async getDeckSchedule(ctx, { componentId }) {
    const { own, clock, caller } = ctx;
    await requireDeck(own, componentId);
    const [timezone, heads] = await Promise.all([getTimezone(own), listDeckHeads(own)]);
    const [schedules, usage, settings, fit, load, sums] = await Promise.all([
      listSchedules(own, { componentId }),
      readUsage(ctx),
      readDeckSettings(own, componentId),
      readFit(own),
      readLoad(own, studyDayStartsAt(clock.now(), timezone), heads),
      listDaySums(own, utcDay(clock.now() - PACE_MS)),
    ]);
    const dailyLimit = dailyCardLimit(caller.plan, clock.now());
    const studiedToday = usage.totalCardsStudied;
    const fields = { schedules, studiedToday, dailyLimit, timezone, settings, load };
    return { ...fields, weights: fit?.weights ?? null, secondsPerReview: averageSeconds(sums) };
  },

  async saveDeckSettings({ own, clock }, { componentId, ...sent }) {
    await requireDeck(own, componentId);
    if (typeof sent.examAt === "number" && sent.examAt <= clock.now()) throw new Failure("bad_input", "exam_in_past");
    const definedFields = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
    // Setting an exam for one deck removes it from its joint exam.
    const set =
      "examAt" in definedFields || "minutesPerDay" in definedFields
        ? { ...definedFields, examId: null }
        : definedFields;
    return { settings: await saveDeckSettings(own, componentId, set) };
  },

  async saveExam({ own, clock }, { componentIds, examAt, minutesPerDay }) {
    if (examAt !== null && examAt <= clock.now()) throw new Failure("bad_input", "exam_in_past");
    if (examAt !== null && minutesPerDay === null) throw new Failure("bad_input", "exam_without_minutes");
    const decks = [...new Set(componentIds)];
    await Promise.all(decks.map((componentId) => requireDeck(own, componentId)));
    return { decks: await saveDecksExam(own, decks, { examAt, minutesPerDay }) };
  },

  async getDue({ own, clock }) {
    const [heads, timezone] = await Promise.all([listDeckHeads(own), getTimezone(own)]);
    const now = clock.now();
    const introducedByDeck = await countIntroduced(own, studyDayStartsAt(now, timezone));
    const studyTime = { now, dayEndsAt: studyDayEndsAt(now, timezone) };
    const decks = await Promise.all(
      heads.map(async (head) => {
        const { activeCards, total, settings, buriedNew = [] } = await countCards(own, head);
        const { seen, ...counts } = await countDueOf(own, head._id, studyTime);
        const { examAt, minutesPerDay, examId } = settings;
        const { _id: componentId, pageId, title } = head;
        const buried = buriedNew.filter((until) => until > now).length;
        const fresh = Math.max(0, activeCards - seen - buried);
        const introduced = introducedByDeck.get(componentId) ?? 0;
        return { componentId, pageId, title, ...counts, fresh, introduced, total, examAt, minutesPerDay, examId };
      }),
    );
    return { decks };
  },

  async getFit({ own }) {
    const [fit, reviews] = await Promise.all([readFit(own), countReviews(own)]);
    if (!fit) return { reviews, needed: REVIEWS_TO_FIT, fit: null };
    const { fittedAt, reviews: fittedReviews, lossBefore, lossAfter, startedBy = "student" } = fit;
    return {
      reviews,
      needed: REVIEWS_TO_FIT,
      fit: { fittedAt, reviews: fittedReviews, lossBefore, lossAfter, startedBy },
    };
  },

  async fitWeights(ctx) {
    return { ...(await fitAccount(ctx, "student")), needed: REVIEWS_TO_FIT };
  },

  async removeFit(ctx) {
    return { reviews: await resetFit(ctx), needed: REVIEWS_TO_FIT, fit: null };
  },

  async getStatistics(ctx, { componentId }) {
    const { own, clock } = ctx;
    if (componentId !== undefined) await requireDeck(own, componentId);
    await ensureDaySums(ctx);
    const now = clock.now();
    const startsAt = studyDayStartsAt(now, await getTimezone(own));
    const decks = componentId === undefined ? await listDeckHeads(own) : [{ _id: componentId }];
    const [sums, forecast, fit] = await Promise.all([
      listDaySums(own, utcDay(now - HEATMAP_MS), componentId),
      readLoad(own, startsAt, decks),
      readFit(own),
    ]);
    const calibratedSince = utcDay(now - CALIBRATION_MS);
    return {
      days: sumStudyDays(sums, startsAt),
      forecast,
      calibration: calibrationFromSums(
        sums.filter(({ period }) => period >= calibratedSince).flatMap(({ tests }) => tests),
      ),
      secondsPerReview: averageSeconds(sums),
      isFitted: fit?.weights !== undefined && fit.weights !== null,
    };
  },
};

/** The heatmap covers a year. */
const HEATMAP_MS = 371 * DAY_MS;
const CALIBRATION_MS = 90 * DAY_MS;

async function requireDeck(own: Own, componentId: string): Promise<void> {
  if (!(await isDeck(own, componentId))) throw new Failure("not_found", "no_deck", {}, { componentId });
}
