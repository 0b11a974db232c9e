import { tutorPhrases } from "#shared/tutor/phrases.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { listDeckHeads } from "#api/pages/overview.ts";
import { listAllSchedules } from "#api/study/service.ts";
import { getTimezone } from "#api/user/service.ts";
import { formatPlan, planWeek } from "./plan.ts";

/** Describes the cards due in the next seven study days, in Markdown. */
export async function describeDueWeek(own: Own, now: number): Promise<string> {
  const [heads, schedules, timezone] = await Promise.all([listDeckHeads(own), listAllSchedules(own), getTimezone(own)]);
  const decks = await Promise.all(heads.map(({ _id }) => findComponent(own, _id)));
  const planned = decks.flatMap((deck) =>
    deck?.type === "flash_cards"
      ? [{ _id: deck._id, title: deck.content.title, cardIds: deck.content.cards.map(({ id }) => id) }]
      : [],
  );
  const plan = planWeek(planned, schedules, { now, timezone });
  const lines = formatPlan(plan, timezone);
  const newCardLines = plan.newCards > 0 ? [tutorPhrases.planNew(plan.newCards)] : [];
  const due = lines.length === 0 ? tutorPhrases.planEmpty : `${tutorPhrases.planLead}\n\n${lines.join("\n")}`;
  return [due, ...newCardLines].join("\n\n");
}
