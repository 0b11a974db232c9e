import { useState } from "react";
import { useCommit } from "./use-commit.ts";

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
  const commit = useCommit(draft, debounceMs, () => {
    if (draft !== null && draft !== value) onValue(draft);
  });
  const finish = () => {
    commit();
    setDraft(null);
  };
  return { shown: draft ?? value, write: setDraft, end: finish };
}
