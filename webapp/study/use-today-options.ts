import { useAtomValue } from "jotai/react";
import { useMemo } from "react";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { getSamplePageIds } from "#webapp/user/sample-ids.ts";
import { plannedTodayAtom } from "./exam/planned-today.ts";

/** What decides which cards are for today, as home and a session across decks count them. */
export function useTodayOptions() {
  const now = useNow();
  const accountId = useAtomValue(accountIdAtom);
  const planned = useAtomValue(plannedTodayAtom);
  const newPerDay = useAtomValue(preferencesAtom).flashcards.new_cards_per_day;
  return useMemo(
    () => ({ now, newPerDay, planned, samplePageIds: new Set(Object.values(getSamplePageIds(accountId ?? ""))) }),
    [now, newPerDay, planned, accountId],
  );
}
