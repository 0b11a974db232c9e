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
    // Full or denied: what is half written then ends with the screen.
  }
}

/** A question that is written and not asked yet: it outlives a reload, and goes along to what is opened next in its tab. */
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
