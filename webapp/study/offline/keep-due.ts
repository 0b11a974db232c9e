import type { DueDeck } from "#shared/study/schema.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { fetchCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import { client } from "#webapp/app/client.ts";
import { noteKept, readKeptAt } from "#shared/study/kept-decks.ts";
import { studyDoor } from "../door.ts";
import { loadDeck } from "../loading.ts";

const AGAIN_AFTER_MS = 3_600_000;
const MAX_DECKS = 30;

/** Prefetches the decks with cards to study, one at a time, so that they open offline. */
export async function keepDue(decks: readonly DueDeck[]): Promise<void> {
  const door = studyDoor();
  const accountId = door.accountId();
  if (accountId === undefined) return;
  const wanted = decks.filter((deck) => deck.due > 0 || deck.fresh > 0).toSorted((a, b) => b.due - a.due);
  for (const { pageId, componentId } of wanted.slice(0, MAX_DECKS)) {
    const names = { accountId, componentId };
    try {
      // Uses the stored time, so that a large account is not fetched again on every visit.
      if (door.now() - (await readKeptAt(names)) < AGAIN_AFTER_MS) continue;
      const fetchSchedules = () => client.study.getDeckSchedule({ componentId });
      const fetchFavourites = () => fetchCardFavourites(componentId);
      const { isFromDevice } = await loadDeck({ pageId, componentId, fetchSchedules, fetchFavourites }, door);
      // If the server is unreachable for one deck, stop; the next visit tries again.
      if (isFromDevice) return;
      await noteKept(names, door.now());
    } catch (error) {
      logTrouble("Could not prefetch a deck", error);
      return;
    }
  }
}
