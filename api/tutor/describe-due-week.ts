import { phrase } from "#shared/tutor/phrases.ts";
import type { MessagePart } from "#shared/tutor/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { listDeckHeads } from "#api/pages/overview.ts";
import { listAllSchedules } from "#api/study/service.ts";
import { getTimezone } from "#api/user/service.ts";
import { describeDays, planWeek } from "./due-week.ts";

/** Describes the cards due in the next seven study days, as Markdown. */
export async function describeDueWeek(own: Own, now: number): Promise<MessagePart[]> {
  const [heads, schedules, timezone] = await Promise.all([listDeckHeads(own), listAllSchedules(own), getTimezone(own)]);
  const decks = await Promise.all(heads.map(({ _id }) => findComponent(own, _id)));
  const planned = decks.flatMap((deck) =>
    deck?.type === "flash_cards"
      ? [{ _id: deck._id, title: deck.content.title, cardIds: deck.content.cards.map(({ id }) => id) }]
      : [],
  );
  const plan = planWeek(planned, schedules, { now, timezone });
  const days = describeDays(plan, timezone);
  const newCards: MessagePart[] =
    plan.newCards > 0 ? [{ type: "text", text: "\n\n" }, phrase("plan_new", { count: plan.newCards })] : [];
  return [phrase(days.length === 0 ? "plan_empty" : "plan_lead"), ...days, ...newCards];
}
