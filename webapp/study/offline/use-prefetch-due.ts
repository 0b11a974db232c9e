import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { dueAtom } from "../due.ts";

/** Delay, so that the visible screen loads first. */
const DELAY_MS = 3000;

/** Prefetches due decks while the home screen is open, for offline study. */
export function usePrefetchDue(): void {
  const due = useAtomValue(dueAtom);
  useEffect(() => {
    if (due.state !== "ready") return undefined;
    const { decks } = due;
    const timer = setTimeout(
      () => void import("./prefetch-due.ts").then(({ prefetchDueDecks }) => prefetchDueDecks(decks)),
      DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [due]);
}
