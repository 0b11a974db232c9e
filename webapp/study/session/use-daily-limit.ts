import { useAtomValue } from "jotai/react";
import { useEffect, useRef } from "react";
import { dailyCardLimit } from "#shared/study/today.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { followDailyLimit } from "./state.ts";

/** Applies a change of plan to an open session, which then continues after an upgrade or stops after a downgrade. */
export function useDailyLimit(isReady: boolean): void {
  const user = useAtomValue(userAtom);
  const now = useNow();
  const limit = user ? dailyCardLimit(user.plan, now) : undefined;
  const known = useRef(limit);
  useEffect(() => {
    const before = known.current;
    // Keeps the older limit while the deck is loading, because the server may have sent the deck with that limit.
    if (isReady || before === undefined) known.current = limit;
    // The server sends the limit with the deck, so only a change matters here.
    if (isReady && before !== undefined && limit !== undefined && before !== limit) followDailyLimit(limit);
  }, [limit, isReady]);
}
