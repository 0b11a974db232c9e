import { useLayoutEffect } from "react";
import { handleSessionKey, type SessionKeys } from "#shared/study/session-keys.ts";

export function useStudyKeys(keys: SessionKeys): void {
  // A layout effect, so that an immediate key press does not reach the previous card.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => handleSessionKey(event, keys);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [keys]);
}
