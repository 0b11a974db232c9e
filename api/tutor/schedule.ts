import { wordings } from "#shared/tutor/wordings.ts";
import type { Own } from "#api/store/owned.ts";
import { findComponent, listDeckHeads } from "#api/pages/service.ts";
import { schedulesOf } from "#api/study/service.ts";
import { timezoneOf } from "#api/user/service.ts";
import { planLines, planWeek } from "./plan.ts";

/** Describes the cards due in the next seven study days, in Markdown. */
export async function describeWeek(own: Own, now: number): Promise<string> {
  const [heads, schedules, timezone] = await Promise.all([listDeckHeads(own), schedulesOf(own), timezoneOf(own)]);
  const decks = await Promise.all(heads.map(({ _id }) => findComponent(own, _id)));
  const planned = decks.flatMap((deck) =>
    deck?.type === "flash_cards"
      ? [{ _id: deck._id, title: deck.content.title, cardIds: deck.content.cards.map(({ id }) => id) }]
      : [],
  );
  const plan = planWeek(planned, schedules, { now, timezone });
  const lines = planLines(plan, timezone);
  const fresh = plan.newCards > 0 ? [wordings.planNew(plan.newCards)] : [];
  const due = lines.length === 0 ? wordings.planEmpty : `${wordings.planLead}\n\n${lines.join("\n")}`;
  return [due, ...fresh].join("\n\n");
}
