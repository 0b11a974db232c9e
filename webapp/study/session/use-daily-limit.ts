import { useAtomValue } from "jotai/react";
import { useEffect, useRef } from "react";
import { dailyCardLimit } from "#shared/study/today.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { followDailyLimit } from "./state.ts";

/** Another plan takes effect in an open session: it goes on after an upgrade, and stops earlier after a downgrade. */
export function useDailyLimit(isReady: boolean): void {
  const user = useAtomValue(userAtom);
  const now = useNow();
  const limit = user ? dailyCardLimit(user.plan, now) : undefined;
  const known = useRef(limit);
  useEffect(() => {
    const before = known.current;
    // A change while the deck is loading is applied to it, since the server may have read the limit before.
    if (isReady || before === undefined) known.current = limit;
    // The server gives the limit with the deck: only a change of it matters here.
    if (isReady && before !== undefined && limit !== undefined && before !== limit) followDailyLimit(limit);
  }, [limit, isReady]);
}
