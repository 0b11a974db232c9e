import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";

const storageKey = (accountId: string) => `lamplight_question_${accountId}`;

function readDraft(accountId: string): string {
  try {
    return sessionStorage.getItem(storageKey(accountId)) ?? "";
  } catch {
    return "";
  }
}

function saveDraft(accountId: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(storageKey(accountId));
    else sessionStorage.setItem(storageKey(accountId), text);
  } catch {
    // The storage is full or denied, so the draft lasts only as long as the screen.
  }
}

/** Draft of a question; survives a reload and navigation within the tab. */
export function useQuestionDraft(): [text: string, write: (text: string) => void] {
  const accountId = useAtomValue(accountIdAtom);
  const [text, setText] = useState("");
  const [owner, setOwner] = useState<string>();
  if (accountId !== undefined && accountId !== owner) {
    setOwner(accountId);
    if (text === "") setText(readDraft(accountId));
  }
  const writeDraft = (next: string) => {
    setText(next);
    if (accountId !== undefined) saveDraft(accountId, next);
  };
  return [text, writeDraft];
}
