import { useEffect, useState } from "react";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "./sync.ts";

/** Pending items are polled, because the queue decides by its own clock when they are no longer pending. */
const POLL_INTERVAL_MS = 250;

const isPendingNow = (id: string, kind: "page" | "component") =>
  store.get(accountIdAtom) !== undefined && queue().isPending(id, kind);

/** Whether a page was created here within the last 2.5 s, or a component within the last 1.5 s. */
export function usePending(id: string, kind: "page" | "component"): boolean {
  const [isPending, setPending] = useState(() => isPendingNow(id, kind));
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(() => setPending(isPendingNow(id, kind)), POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isPending, id, kind]);
  return isPending;
}
