import { useEffect, useLayoutEffect, useRef, useState } from "react";

interface DraftOptions {
  value: string;
  /** Typing pause before the draft is saved. */
  debounceMs: number;
  onValue: (value: string) => void;
}

/**
 * An autosaving field. It saves after a pause, on blur (`end`), when the tab is hidden and on unmount. `end` also
 * resets the draft to the saved value.
 */
export function useDraft({ value, debounceMs, onValue }: DraftOptions) {
  const [draft, setDraft] = useState<string | null>(null);
  const commit = useRef(() => {});
  useLayoutEffect(() => {
    commit.current = () => {
      if (draft !== null && draft !== value) onValue(draft);
    };
  });
  useEffect(() => {
    if (draft === null) return undefined;
    const timer = setTimeout(() => commit.current(), debounceMs);
    return () => clearTimeout(timer);
  }, [draft, debounceMs]);
  // In the capture phase, so that this runs before the listeners that write changes to disk on the same events.
  useLayoutEffect(() => {
    const commitNow = () => commit.current();
    window.addEventListener("pagehide", commitNow, { capture: true });
    window.addEventListener("visibilitychange", commitNow, { capture: true });
    return () => {
      window.removeEventListener("pagehide", commitNow, { capture: true });
      window.removeEventListener("visibilitychange", commitNow, { capture: true });
      commitNow();
    };
  }, []);
  const finish = () => {
    commit.current();
    setDraft(null);
  };
  return { shown: draft ?? value, write: setDraft, end: finish };
}
