import { useLayoutEffect } from "react";
import { handleSessionKey, type SessionKeys } from "#shared/study/session-keys.ts";

export function useStudyKeys(keys: SessionKeys): void {
  // Layout effect: an immediate key press must not reach the previous card.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => handleSessionKey(event, keys);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [keys]);
}
