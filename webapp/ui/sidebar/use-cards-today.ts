import { useAtomValue } from "jotai/react";
import { countSession } from "#shared/study/all-due.ts";
import { dueAtom } from "#webapp/study/due.ts";
import { useTodayOptions } from "#webapp/study/use-today-options.ts";

/** The number of cards in a session of all decks now. */
export function useCardsToday(): number {
  const due = useAtomValue(dueAtom);
  const options = useTodayOptions();
  return due.state === "ready" ? countSession(due.decks, options) : 0;
}
