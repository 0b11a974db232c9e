import { useEffect, useLayoutEffect, useRef, useState } from "react";

interface Drafting {
  value: string;
  /** The hand rests so long before what was typed is kept. */
  quietMs: number;
  onValue: (value: string) => void;
}

/**
 * What is typed into a field that keeps itself: when the hand rests or leaves, when the tab goes, and when the screen
 * does. `end` gives the field back to its value.
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
  // Ahead of whoever brings to the disk what this gives them: they take their leave in the same moments.
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
