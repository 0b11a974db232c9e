import { isUnlimited, limitsOf } from "#shared/billing/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import { DESIRED_RETENTION } from "#shared/study/rules.ts";
import { calibrate, studiedDays } from "#shared/study/statistics.ts";
import type { study } from "#shared/study/contract.ts";
import { studyDayEndsAt, studyDayStartsAt } from "#shared/study/day.ts";
import type { Handlers } from "#api/kit/handler.ts";
import type { Own } from "#api/kit/store/owned.ts";
import { findComponent, listDeckHeads } from "#api/pages/service.ts";
import { readUsage, timezoneOf } from "#api/user/service.ts";
import { countCards, readDeckSettings, readFit, saveDeckSettings, saveFit } from "./decks.ts";
import { fitWeights, REVIEWS_TO_FIT } from "./fitting.ts";
import { saveSchedules } from "./service.ts";
import { countDueOf, listDueTimes, listReviews, listSchedules } from "./store.ts";

const DAY_MS = 86_400_000;
/** How far ahead days are balanced. */
const LOAD_DAYS = 120;

export const handlers: Handlers<typeof study> = {
  async getDeckSchedule(ctx, { componentId }) {
    const { own, clock, caller } = ctx;
    await requireDeck(own, componentId);
    const limit = limitsOf(caller.plan, clock.now()).studyCards;
    const timezone = await timezoneOf(own);
    const [schedules, usage, settings, fit, load] = await Promise.all([
      listSchedules(own, componentId),
      readUsage(ctx),
      readDeckSettings(own, componentId),
      readFit(own),
      readLoad(own, studyDayStartsAt(clock.now(), timezone)),
    ]);
    const dailyLimit = isUnlimited("studyCards", limit) ? null : limit;
    const studiedToday = usage.totalCardsStudied;
    return { schedules, studiedToday, dailyLimit, timezone, settings, weights: fit?.weights ?? null, load };
  },

  async saveDeckSettings({ own, clock }, { componentId, ...sent }) {
    await requireDeck(own, componentId);
    if (typeof sent.examAt === "number" && sent.examAt <= clock.now())
      throw new Failure("bad_input", "examAt: An exam lies in the future.");
    const set = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
    return { settings: await saveDeckSettings(own, componentId, set) };
  },

  async getDue({ own, clock }) {
    const [heads, timezone] = await Promise.all([listDeckHeads(own), timezoneOf(own)]);
    const now = clock.now();
    const at = { now, dayEndsAt: studyDayEndsAt(now, timezone) };
    const decks = await Promise.all(
      heads.map(async (head) => {
        const { asked, total, settings } = await countCards(own, head);
        const { due, seen } = await countDueOf(own, head._id, at);
        const { examAt, minutesPerDay } = settings;
        const { _id: componentId, pageId, title } = head;
        return { componentId, pageId, title, due, fresh: Math.max(0, asked - seen), total, examAt, minutesPerDay };
      }),
    );
    return { decks };
  },

  async fitWeights(ctx) {
    const { own, clock, signal } = ctx;
    const reviews = await listReviews(own, { since: 0 });
    const told = { reviews: reviews.length, needed: REVIEWS_TO_FIT };
    const none = { ...told, lossBefore: null, lossAfter: null };
    if (reviews.length < REVIEWS_TO_FIT) return { state: "too_few" as const, ...none };
    const answer = await fitWeights(reviews, signal);
    if (answer.state === "unavailable") return { state: answer.state, ...none };
    const { weights, lossBefore, lossAfter } = answer;
    if (!(lossAfter < lossBefore)) return { state: "kept" as const, ...told, lossBefore, lossAfter };
    await saveFit(own, { weights, fittedAt: clock.now(), reviews: reviews.length, lossBefore, lossAfter });
    const names = new Map(
      reviews.map(({ componentId, cardId }) => [`${componentId}\n${cardId}`, { componentId, cardId }]),
    );
    await saveSchedules(ctx, [...names.values()]);
    return { state: "fitted" as const, ...told, lossBefore, lossAfter };
  },

  async getStatistics({ own, clock }, { componentId }) {
    if (componentId !== undefined) await requireDeck(own, componentId);
    const startsAt = studyDayStartsAt(clock.now(), await timezoneOf(own));
    const [reviews, forecast, fit] = await Promise.all([
      listReviews(own, componentId === undefined ? { since: 0 } : { componentId }),
      readLoad(own, startsAt, componentId),
      readFit(own),
    ]);
    const params = { desiredRetention: DESIRED_RETENTION, weights: fit?.weights ?? null };
    const timed = reviews.filter(({ durationMs }) => durationMs > 0);
    const totalMs = timed.reduce((sum, { durationMs }) => sum + Math.min(durationMs, LONGEST_MS), 0);
    return {
      days: studiedDays(reviews, startsAt),
      forecast,
      calibration: calibrate(reviews, { params, since: clock.now() - CALIBRATED_MS }),
      secondsPerReview: timed.length === 0 ? USUAL_SECONDS : totalMs / timed.length / 1000,
      isFitted: fit?.weights !== undefined && fit.weights !== null,
    };
  },
};

const CALIBRATED_MS = 90 * DAY_MS;
/** Before anything was timed. */
const USUAL_SECONDS = 8;
/** Someone who answers after two minutes was away. */
const LONGEST_MS = 120_000;

async function requireDeck(own: Own, componentId: string): Promise<void> {
  const deck = await findComponent(own, componentId);
  if (deck?.type !== "flash_cards") throw new Failure("not_found", "There is no such deck.", { componentId });
}

/** Cards due on each study day of the account, today first; what is overdue counts for today. */
async function readLoad(own: Own, startsAt: number, componentId?: string): Promise<number[]> {
  const load = Array.from({ length: LOAD_DAYS }, () => 0);
  for (const dueAt of await listDueTimes(own, startsAt + LOAD_DAYS * DAY_MS, componentId)) {
    const day = Math.max(0, Math.floor((dueAt - startsAt) / DAY_MS));
    load[day] = (load[day] ?? 0) + 1;
  }
  return load;
}
