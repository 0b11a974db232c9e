import { groupBy } from "#shared/pages/rules.ts";
import { studyDayEndsAt } from "#shared/study/day.ts";
import type { Schedule } from "#shared/study/schema.ts";
import { phrase } from "#shared/tutor/phrases.ts";
import type { MessagePart } from "#shared/tutor/schema.ts";

export interface PlannedDay {
  /** A time within the day, epoch ms. */
  timeMs: number;
  decks: { title: string; cards: number }[];
}

export interface Plan {
  days: PlannedDay[];
  newCards: number;
}

interface PlannedDeck {
  _id: string;
  title: string;
  cardIds: readonly string[];
}

const PLAN_DAYS = 7;
const HOUR_MS = 3_600_000;

/** Cards due on each of the next seven study days; overdue cards count for the first day. */
export function planWeek(
  decks: readonly PlannedDeck[],
  schedules: readonly Schedule[],
  { now, timezone }: { now: number; timezone: string },
): Plan {
  const schedulesByDeck = groupBy(schedules, (schedule) => schedule.componentId);
  const due = decks.map(({ _id, title, cardIds }) => {
    const times = new Map((schedulesByDeck.get(_id) ?? []).map((schedule) => [schedule.cardId, schedule.dueAt]));
    const dueAt = cardIds.flatMap((id) => times.get(id) ?? []);
    return { title, dueAt, newCards: cardIds.length - dueAt.length };
  });
  const days: PlannedDay[] = [];
  let from = 0;
  let to = studyDayEndsAt(now, timezone);
  for (let day = 0; day < PLAN_DAYS; day += 1) {
    const [after, before] = [from, to];
    const decksOfDay = due
      .map(({ title, dueAt }) => ({
        title,
        cards: dueAt.filter((timeMs) => timeMs >= after && timeMs < before).length,
      }))
      .filter(({ cards }) => cards > 0);
    days.push({ timeMs: day === 0 ? now : from + HOUR_MS, decks: decksOfDay });
    from = to;
    to = studyDayEndsAt(to, timezone);
  }
  return { days, newCards: due.reduce((sum, deck) => sum + deck.newCards, 0) };
}

/** The plan as a Markdown list, without empty days. */
export function describeDays({ days }: Plan, timezone: string): MessagePart[] {
  // The form `2026-09-01`.
  const isoDate = new Intl.DateTimeFormat("en-CA", { timeZone: timezone });
  return days
    .filter(({ decks }) => decks.length > 0)
    .flatMap(({ timeMs, decks }, index): MessagePart[] => {
      const count = decks.reduce((sum, deck) => sum + deck.cards, 0);
      const parts = decks
        .map(({ title, cards }) => `${title.replaceAll(/[\\`*_[\]<>#|~$!]/g, "")} ${cards}`)
        .join(", ");
      const day = { date: isoDate.format(timeMs) };
      return [
        { type: "text", text: `${index === 0 ? "\n\n" : "\n"}- ` },
        phrase("plan_day", { day, count }),
        { type: "text", text: ` (${parts})` },
      ];
    });
}
