import { useEffect, useLayoutEffect, useRef, useState } from "react";

interface Drafting {
  value: string;
  /** Typing pause before the draft is saved. */
  quietMs: number;
  onValue: (value: string) => void;
}

/**
 * An autosaving field: saves after a pause, on blur (`end`), when the tab is hidden and on unmount. `end` also resets
 * the draft to the saved value.
 */
export function useDraft({ value, quietMs, onValue }: Drafting) {
  const [draft, setDraft] = useState<string | null>(null);
  const commit = useRef(() => {});
  useLayoutEffect(() => {
    commit.current = () => {
      if (draft !== null && draft !== value) onValue(draft);
    };
  });
  useEffect(() => {
    if (draft === null) return undefined;
    const timer = setTimeout(() => commit.current(), quietMs);
    return () => clearTimeout(timer);
  }, [draft, quietMs]);
  // Capture phase: runs before the listeners that write changes to disk on the same events.
  useLayoutEffect(() => {
    const leave = () => commit.current();
    window.addEventListener("pagehide", leave, { capture: true });
    window.addEventListener("visibilitychange", leave, { capture: true });
    return () => {
      window.removeEventListener("pagehide", leave, { capture: true });
      window.removeEventListener("visibilitychange", leave, { capture: true });
      leave();
    };
  }, []);
  const end = () => {
    commit.current();
    setDraft(null);
  };
  return { shown: draft ?? value, write: setDraft, end };
}
