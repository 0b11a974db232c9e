import { isUnlimited, limitsOf } from "#shared/billing/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import { groupBy } from "#shared/pages/rules.ts";
import type { study } from "#shared/study/contract.ts";
import { studyDayEndsAt, studyDayStartsAt } from "#shared/study/day.ts";
import { countDue } from "#shared/study/session.ts";
import type { Handlers } from "#api/kit/handler.ts";
import { findComponent, listDecks } from "#api/pages/service.ts";
import { readUsage, timezoneOf } from "#api/user/service.ts";
import { listSchedules } from "./store.ts";

export const handlers: Handlers<typeof study> = {
  async getDeckSchedule(ctx, { componentId }) {
    const { own, clock, caller } = ctx;
    const deck = await findComponent(own, componentId);
    if (deck?.type !== "flash_cards") throw new Failure("not_found", "There is no such deck.", { componentId });
    const limit = limitsOf(caller.plan, clock.now()).studyCards;
    const [schedules, usage, timezone] = await Promise.all([
      listSchedules(own, componentId),
      readUsage(ctx),
      timezoneOf(own),
    ]);
    const dailyLimit = isUnlimited("studyCards", limit) ? null : limit;
    return { schedules, studiedToday: usage.totalCardsStudied, dailyLimit, timezone };
  },

  async getDue({ own, clock }) {
    const [decks, schedules, timezone] = await Promise.all([listDecks(own), listSchedules(own), timezoneOf(own)]);
    const now = clock.now();
    const day = { now, startsAt: studyDayStartsAt(now, timezone), endsAt: studyDayEndsAt(now, timezone) };
    const ofDeck = groupBy(schedules, (schedule) => schedule.componentId);
    return {
      decks: decks.flatMap((deck) => {
        if (deck.type !== "flash_cards") return [];
        const { cards, title } = deck.content;
        const known = new Map((ofDeck.get(deck._id) ?? []).map((schedule) => [schedule.cardId, schedule]));
        const counts = countDue(
          cards.map((card) => card.id),
          known,
          day,
        );
        return [{ componentId: deck._id, pageId: deck.pageId, title, ...counts, total: cards.length }];
      }),
    };
  },
};
