import { useEffect, useRef } from "react";
import { parseCardSet, hasCards, type CardSet } from "./card-set.ts";
import { removeExpiredCards } from "./store-pending-cards.ts";

/** A larger set is not stored. */
const MAX_STORED_CHARS = 1_000_000;
const SAVE_DELAY_MS = 300;

const keyOf = (tool: string) => `lamplight_tool_cards_${tool}`;

function readSet(tool: string): CardSet | undefined {
  try {
    return parseCardSet(sessionStorage.getItem(keyOf(tool)) ?? "");
  } catch {
    // The browser blocks storage.
    return undefined;
  }
}

function saveSet(tool: string, set: CardSet): void {
  try {
    const text = hasCards(set) ? JSON.stringify(set) : "";
    if (text === "" || text.length > MAX_STORED_CHARS) sessionStorage.removeItem(keyOf(tool));
    else sessionStorage.setItem(keyOf(tool), text);
  } catch {
    // Without storage, the cards last as long as the page is open.
  }
}

/** Stores the cards of a tool in this tab, so that a reload, Back or a link does not lose them. */
export function useStoredSet(tool: string, set: CardSet, restore: (set: CardSet) => void): void {
  // `hasChanged` is false until the cards differ from those that the page was opened with.
  const latest = useRef({ set, hasChanged: false });
  useEffect(() => {
    const stored = readSet(tool);
    if (stored) restore(stored);
    removeExpiredCards();
    const save = () => {
      if (latest.current.hasChanged) saveSet(tool, latest.current.set);
    };
    window.addEventListener("pagehide", save);
    return () => window.removeEventListener("pagehide", save);
    // oxlint-disable-next-line react/exhaustive-deps -- restored once, when the page is opened
  }, []);
  useEffect(() => {
    if (set === latest.current.set) return undefined;
    latest.current = { set, hasChanged: true };
    const timer = setTimeout(() => saveSet(tool, set), SAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [tool, set]);
}
