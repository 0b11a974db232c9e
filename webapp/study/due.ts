import { atom } from "jotai/vanilla";
import { isPlanned } from "#shared/study/all-due.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { client } from "#webapp/app/client.ts";
import { cacheOnChange, loadListCache, readCachedIfOffline } from "#webapp/offline/cache-lists.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

export type DueState = { state: "loading" } | { state: "failed" } | { state: "ready"; decks: readonly DueDeck[] };

const dueStateAtom = accountAtom<DueState>({ state: "loading" });
/** Due counts by deck. */
export const dueAtom = atom((get) => get(dueStateAtom));

/** The number of due cards in decks without a study plan. */
export const dueCountAtom = atom((get) => {
  const due = get(dueStateAtom);
  if (due.state !== "ready") return 0;
  const now = Date.now();
  return due.decks.reduce((sum, deck) => sum + (isPlanned(deck, now) ? 0 : deck.due), 0);
});

export async function loadDue(): Promise<void> {
  const accountId = store.get(accountIdAtom);
  try {
    store.set(dueStateAtom, { state: "ready", ...(await client.study.getDue({})) });
  } catch (error) {
    logWarning("Failed to load due cards", error);
    if (store.get(dueStateAtom).state === "ready") return;
    const decks = await readCachedIfOffline(accountId, error, async (id) =>
      (await loadListCache()).findCachedList(id, "due"),
    );
    if (store.get(accountIdAtom) !== accountId || store.get(dueStateAtom).state === "ready") return;
    store.set(dueStateAtom, decks ? { state: "ready", decks } : { state: "failed" });
  }
}

cacheOnChange("due", dueStateAtom, (due) => (due.state === "ready" ? due.decks : undefined));

/** Updates a deck's counts before the server has acknowledged the review. */
export function showDeckDue(componentId: string, counts: Pick<DueDeck, "due" | "fresh" | "introduced">): void {
  store.set(dueStateAtom, (state) =>
    state.state === "ready"
      ? {
          ...state,
          decks: state.decks.map((deck) => (deck.componentId === componentId ? { ...deck, ...counts } : deck)),
        }
      : state,
  );
}
