import { useEffect, useState } from "react";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "./sync.ts";

/** Looked at again so often, as long as the flag holds: what was made is told by the queue's own clock. */
const LOOK_MS = 250;

const isPendingNow = (id: string, kind: "page" | "component") =>
  store.get(accountIdAtom) !== undefined && queue().isPending(id, kind);

/** Whether a thing was made here a moment ago: a page in the last 2.5 s, a component in the last 1.5 s. */
export function usePending(id: string, kind: "page" | "component"): boolean {
  const [isPending, setPending] = useState(() => isPendingNow(id, kind));
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(() => setPending(isPendingNow(id, kind)), LOOK_MS);
    return () => clearInterval(timer);
  }, [isPending, id, kind]);
  return isPending;
}
