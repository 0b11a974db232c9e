import { groupBy } from "#shared/pages/rules.ts";
import { studyDayEndsAt, studyDayStartsAt } from "#shared/study/day.ts";
import type { Schedule } from "#shared/study/schema.ts";
import { escapeMarkdown, phrase } from "#shared/tutor/phrases.ts";
import type { MessagePart } from "#shared/tutor/schema.ts";

export interface PlannedDay {
  /** Epoch ms. Its date is that of the study day, which ends some hours after midnight. */
  startsAt: number;
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

/** Cards due on each of the next seven study days; overdue cards count for the first day. */
export function planWeek(
  decks: readonly PlannedDeck[],
  schedules: readonly Schedule[],
  { now, timezone }: { now: number; timezone: string },
): Plan {
  const schedulesByDeck = groupBy(schedules, (schedule) => schedule.componentId);
  const due = decks.map(({ _id, title, cardIds }) => {
    const times = new Map((schedulesByDeck.get(_id) ?? []).map((schedule) => [schedule.cardId, schedule.dueAt]));
    const dueTimes = cardIds.flatMap((id) => times.get(id) ?? []);
    return { title, dueTimes, newCards: cardIds.length - dueTimes.length };
  });
  const starts = [studyDayStartsAt(now, timezone)];
  while (starts.length <= PLAN_DAYS) starts.push(studyDayEndsAt(starts.at(-1) ?? now, timezone));
  const days = starts.slice(0, PLAN_DAYS).map((startsAt, day): PlannedDay => {
    const after = day === 0 ? 0 : startsAt;
    const before = starts[day + 1] ?? Infinity;
    const decksOfDay = due
      .map(({ title, dueTimes }) => ({
        title,
        cards: dueTimes.filter((timeMs) => timeMs >= after && timeMs < before).length,
      }))
      .filter(({ cards }) => cards > 0);
    return { startsAt, decks: decksOfDay };
  });
  return { days, newCards: due.reduce((sum, deck) => sum + deck.newCards, 0) };
}

/** The plan as a Markdown list, without empty days. */
export function describeDays({ days }: Plan, timezone: string): MessagePart[] {
  // The en-CA locale formats a date as 2026-09-01.
  const isoDate = new Intl.DateTimeFormat("en-CA", { timeZone: timezone });
  return days
    .filter(({ decks }) => decks.length > 0)
    .flatMap(({ startsAt, decks }, index): MessagePart[] => {
      const count = decks.reduce((sum, deck) => sum + deck.cards, 0);
      const parts = decks.map(({ title, cards }) => `${escapeMarkdown(title)} ${cards}`).join(", ");
      const day = { date: isoDate.format(startsAt) };
      return [
        { type: "text", text: `${index === 0 ? "\n\n" : "\n"}- ` },
        phrase("plan_day", { day, count }),
        { type: "text", text: ` (${parts})` },
      ];
    });
}
