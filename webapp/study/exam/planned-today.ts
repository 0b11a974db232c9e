import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import type { Exam, Forecast } from "./exams.ts";

/** Today's cards of each exam plan that was computed, by deck; null where there is no plan to follow. */
export const plannedTodayAtom = accountAtom<ReadonlyMap<string, number | null>>(new Map());

export function showPlannedToday({ decks }: Exam, forecast: Forecast): void {
  const today = forecast.state === "planned" ? forecast.today : null;
  store.set(plannedTodayAtom, (before) => {
    const counts = new Map(before);
    for (const { componentId } of decks)
      counts.set(componentId, today && today.filter((card) => card.componentId === componentId).length);
    return counts;
  });
}
