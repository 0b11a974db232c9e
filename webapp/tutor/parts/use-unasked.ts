import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";

const keyOf = (accountId: string) => `lamplight_question_${accountId}`;

function readUnasked(accountId: string): string {
  try {
    return sessionStorage.getItem(keyOf(accountId)) ?? "";
  } catch {
    return "";
  }
}

function keepUnasked(accountId: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(keyOf(accountId));
    else sessionStorage.setItem(keyOf(accountId), text);
  } catch {
    // Full or denied: the draft then lasts only as long as the screen.
  }
}

/** Draft of a question; survives a reload and navigation within the tab. */
export function useUnasked(): [text: string, write: (text: string) => void] {
  const accountId = useAtomValue(accountIdAtom);
  const [text, setText] = useState("");
  const [owner, setOwner] = useState<string>();
  if (accountId !== undefined && accountId !== owner) {
    setOwner(accountId);
    if (text === "") setText(readUnasked(accountId));
  }
  const write = (next: string) => {
    setText(next);
    if (accountId !== undefined) keepUnasked(accountId, next);
  };
  return [text, write];
}
