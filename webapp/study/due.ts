import { atom } from "jotai/vanilla";
import type { DueDeck } from "#shared/study/schema.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { client } from "#webapp/app/client.ts";
import { keepAsItIs, keptLists, recalled } from "#webapp/offline/keep-lists.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

export type Due = { state: "loading" } | { state: "failed" } | { state: "ready"; decks: readonly DueDeck[] };

const currentAtom = accountAtom<Due>({ state: "loading" });
/** What is due, deck by deck. */
export const dueAtom = atom((get) => get(currentAtom));

/** An exam lies ahead: what is asked of the deck follows its plan, and not what is due. */
export const isPlanned = ({ examAt, minutesPerDay }: DueDeck, now: number): boolean =>
  examAt !== null && minutesPerDay !== null && examAt > now;

/** Cards that are due in decks without a plan. */
export const dueCountAtom = atom((get) => {
  const due = get(currentAtom);
  if (due.state !== "ready") return 0;
  const now = Date.now();
  return due.decks.reduce((sum, deck) => sum + (isPlanned(deck, now) ? 0 : deck.due), 0);
});

export async function loadDue(): Promise<void> {
  const accountId = store.get(accountIdAtom);
  try {
    store.set(currentAtom, { state: "ready", ...(await client.study.getDue({})) });
  } catch (error) {
    logTrouble("Failed to load what is due", error);
    if (store.get(currentAtom).state === "ready") return;
    const decks = await recalled(accountId, error, async (id) => (await keptLists()).findKeptList(id, "due"));
    if (store.get(accountIdAtom) !== accountId || store.get(currentAtom).state === "ready") return;
    store.set(currentAtom, decks ? { state: "ready", decks } : { state: "failed" });
  }
}

keepAsItIs("due", currentAtom, (due) => (due.state === "ready" ? due.decks : undefined));

/** Shows at once what an answer changed, before the server has heard of it. */
export function showDeckDue(componentId: string, counts: Pick<DueDeck, "due" | "fresh">): void {
  store.set(currentAtom, (shown) =>
    shown.state === "ready"
      ? {
          ...shown,
          decks: shown.decks.map((deck) => (deck.componentId === componentId ? { ...deck, ...counts } : deck)),
        }
      : shown,
  );
}
