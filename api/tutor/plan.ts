import { groupBy } from "#shared/pages/rules.ts";
import { studyDayEndsAt } from "#shared/study/day.ts";
import type { Schedule } from "#shared/study/schema.ts";
import { tutorPhrases } from "#shared/tutor/phrases.ts";

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

/** Cards due on each of the next seven study days; overdue ones count for the first. */
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

/** The plan as Markdown lines, without empty days. */
export function formatPlan({ days }: Plan, timezone: string): string[] {
  const name = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: timezone });
  return days
    .filter(({ decks }) => decks.length > 0)
    .map(({ timeMs, decks }) => {
      const total = decks.reduce((sum, deck) => sum + deck.cards, 0);
      const parts = decks
        .map(({ title, cards }) => `${title.replaceAll(/[\\`*_[\]<>#|~$!]/g, "")} ${cards}`)
        .join(", ");
      return tutorPhrases.planDay(name.format(timeMs), total, parts);
    });
}
