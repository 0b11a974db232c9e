import { useEffect, useLayoutEffect, useRef } from "react";

/**
 * Calls `commit` after a pause in changes of the draft, when the tab is hidden, and on unmount; nothing is pending while
 * the draft is null. Returns a function that commits at once.
 */
export function useCommit(draft: unknown, debounceMs: number, commit: () => void): () => void {
  const latest = useRef(commit);
  useLayoutEffect(() => {
    latest.current = commit;
  });
  useEffect(() => {
    if (draft === null) return undefined;
    const timer = setTimeout(() => latest.current(), debounceMs);
    return () => clearTimeout(timer);
  }, [draft, debounceMs]);
  // In the capture phase, so that this runs before the listeners that write changes to disk on the same events.
  useLayoutEffect(() => {
    const commitNow = () => latest.current();
    window.addEventListener("pagehide", commitNow, { capture: true });
    window.addEventListener("visibilitychange", commitNow, { capture: true });
    return () => {
      window.removeEventListener("pagehide", commitNow, { capture: true });
      window.removeEventListener("visibilitychange", commitNow, { capture: true });
      commitNow();
    };
  }, []);
  return () => latest.current();
}
