import { logTrouble } from "#webapp/kit/log.ts";
import { fetchCardFavourites } from "#webapp/kit/card-favourites.ts";
import type { DueDeck } from "#webapp/kit/due.ts";
import { client } from "#webapp/kit/client.ts";
import { studyDoor } from "./door.ts";
import { loadDeck } from "./loading.ts";

const AGAIN_AFTER_MS = 3_600_000;
const MAX_DECKS = 30;

const keptAt = new Map<string, number>();

/** Keeps the decks with something to study on this device, one after the other, so that they open without a network. */
export async function keepDue(decks: readonly DueDeck[]): Promise<void> {
  const door = studyDoor();
  const wanted = decks.filter((deck) => deck.due > 0 || deck.fresh > 0).toSorted((a, b) => b.due - a.due);
  for (const { pageId, componentId } of wanted.slice(0, MAX_DECKS)) {
    const key = `${door.accountId()}:${componentId}`;
    if (door.now() - (keptAt.get(key) ?? 0) < AGAIN_AFTER_MS) continue;
    try {
      const fetchSchedules = () => client.study.getDeckSchedule({ componentId });
      const fetchFavourites = () => fetchCardFavourites(componentId);
      const { isFromDevice } = await loadDeck({ pageId, componentId, fetchSchedules, fetchFavourites }, door);
      // No answer for one is no answer for the others: the next visit tries again.
      if (isFromDevice) return;
      keptAt.set(key, door.now());
    } catch (error) {
      logTrouble("A deck could not be kept on this device", error);
      return;
    }
  }
}
