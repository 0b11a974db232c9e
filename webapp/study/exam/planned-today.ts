import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import type { PlannedToday } from "#shared/study/all-due.ts";
import type { Exam, Forecast } from "./exams.ts";

/** Today's part of each computed exam plan, by deck; null if the deck has no plan to follow. */
export const plannedTodayAtom = accountAtom<ReadonlyMap<string, PlannedToday | null>>(new Map());

export function showPlannedToday({ decks }: Exam, forecast: Forecast): void {
  store.set(plannedTodayAtom, (before) => {
    const parts = decks.map(({ componentId }) => [componentId, computePart(forecast, componentId)] as const);
    const isSame = parts.every(([id, part]) => before.has(id) && isEqualPart(before.get(id) ?? null, part));
    return isSame ? before : new Map([...before, ...parts]);
  });
}

const isEqualPart = (a: PlannedToday | null, b: PlannedToday | null) =>
  a?.cards === b?.cards && a?.minutes === b?.minutes;

/** The plan gives minutes for all decks of an exam; they are divided by the number of cards of each deck. */
function computePart(forecast: Forecast, componentId: string): PlannedToday | null {
  if (forecast.state !== "planned") return null;
  const { today, minutesToday } = forecast;
  const cards = today.filter((card) => card.componentId === componentId).length;
  return { cards, minutes: (minutesToday * cards) / Math.max(1, today.length) };
}
