import { useAtomValue } from "jotai/react";
import { useMemo } from "react";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { getSamplePageIds } from "#webapp/user/sample-ids.ts";
import { plannedTodayAtom } from "./exam/planned-today.ts";

/** The options that decide which cards count for today, shared by the home screen and sessions across decks. */
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
