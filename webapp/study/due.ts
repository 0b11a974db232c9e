import { atom } from "jotai/vanilla";
import type { KnownDeck } from "#shared/study/all-due.ts";
import type { DueCounts } from "#shared/study/session.ts";
import { studyDayEndsAt } from "#shared/study/day.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { client } from "#webapp/app/client.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { cacheOnChange, loadListCache, readCachedIfOffline } from "#webapp/offline/cache-lists.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

export type DueState = { state: "loading" } | { state: "failed" } | { state: "ready"; decks: readonly KnownDeck[] };

const dueStateAtom = accountAtom<DueState>({ state: "loading" });
/** Due counts by deck. */
export const dueAtom = atom((get) => get(dueStateAtom));

/** Stores the end of the study day with the counts, because the number of introduced cards is valid only until then. */
function withDayEnd<T extends Pick<DueDeck, "introduced">>(counts: T): T & Pick<KnownDeck, "introducedUntil"> {
  const user = store.get(userAtom);
  return user ? { ...counts, introducedUntil: studyDayEndsAt(Date.now(), user.timezone) } : counts;
}

export function loadDue(): Promise<void> {
  const accountId = store.get(accountIdAtom);
  return loadForAccount(
    () => client.study.getDue({}),
    ({ decks }) => store.set(dueStateAtom, { state: "ready", decks: decks.map(withDayEnd) }),
    async (error, isCurrent) => {
      logWarning("Failed to load due cards", error);
      if (store.get(dueStateAtom).state === "ready") return;
      const decks = await readCachedIfOffline(accountId, error, async (id) =>
        (await loadListCache()).findCachedList(id, "due"),
      );
      if (!isCurrent() || store.get(dueStateAtom).state === "ready") return;
      store.set(dueStateAtom, decks ? { state: "ready", decks } : { state: "failed" });
    },
  );
}

cacheOnChange("due", dueStateAtom, (due) => (due.state === "ready" ? due.decks : undefined));

/** Updates a deck's counts before the server has acknowledged the review. */
export function setDeckCounts(componentId: string, counts: DueCounts): void {
  store.set(dueStateAtom, (shown) =>
    shown.state === "ready"
      ? {
          ...shown,
          decks: shown.decks.map((deck) =>
            deck.componentId === componentId ? { ...deck, ...withDayEnd(counts) } : deck,
          ),
        }
      : shown,
  );
}
