import type { DueDeck } from "#shared/study/schema.ts";
import { logWarning } from "#webapp/app/log.ts";
import { recordPrefetch, readPrefetchedAt } from "#shared/study/deck/cached-decks.ts";
import { getStudyPort } from "../study-port.ts";
import { loadDeck } from "../load-deck.ts";

const REFRESH_INTERVAL_MS = 3_600_000;
const MAX_DECKS = 30;

/** Prefetches the decks with cards to study, one at a time, so that they open offline. */
export async function prefetchDueDecks(decks: readonly DueDeck[]): Promise<void> {
  const port = getStudyPort();
  const accountId = port.accountId();
  if (accountId === undefined) return;
  const studyableDecks = decks.filter((deck) => deck.due > 0 || deck.fresh > 0).toSorted((a, b) => b.due - a.due);
  for (const { pageId, componentId } of studyableDecks.slice(0, MAX_DECKS)) {
    const scope = { accountId, componentId };
    try {
      // Uses the stored time, so that a large account is not fetched again on every visit.
      if (port.now() - (await readPrefetchedAt(scope)) < REFRESH_INTERVAL_MS) continue;
      const { isCached } = await loadDeck({ pageId, componentId }, port);
      // If the server is unreachable for one deck, stop; the next visit tries again.
      if (isCached) return;
      await recordPrefetch(scope, port.now());
    } catch (error) {
      logWarning("Could not prefetch a deck", error);
      return;
    }
  }
}
