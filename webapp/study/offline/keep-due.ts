import type { DueDeck } from "#shared/study/schema.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { fetchCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import { client } from "#webapp/app/client.ts";
import { noteKept, readKeptAt } from "#shared/study/kept-decks.ts";
import { studyDoor } from "../door.ts";
import { loadDeck } from "../loading.ts";

const AGAIN_AFTER_MS = 3_600_000;
const MAX_DECKS = 30;

/** Keeps the decks with something to study on this device, one after the other, so that they open without a network. */
export async function keepDue(decks: readonly DueDeck[]): Promise<void> {
  const door = studyDoor();
  const accountId = door.accountId();
  if (accountId === undefined) return;
  const wanted = decks.filter((deck) => deck.due > 0 || deck.fresh > 0).toSorted((a, b) => b.due - a.due);
  for (const { pageId, componentId } of wanted.slice(0, MAX_DECKS)) {
    const names = { accountId, componentId };
    try {
      // By what the device remembers, and not this page: a large account is not fetched anew at each visit.
      if (door.now() - (await readKeptAt(names)) < AGAIN_AFTER_MS) continue;
      const fetchSchedules = () => client.study.getDeckSchedule({ componentId });
      const fetchFavourites = () => fetchCardFavourites(componentId);
      const { isFromDevice } = await loadDeck({ pageId, componentId, fetchSchedules, fetchFavourites }, door);
      // No answer for one is no answer for the others: the next visit tries again.
      if (isFromDevice) return;
      await noteKept(names, door.now());
    } catch (error) {
      logTrouble("A deck could not be kept on this device", error);
      return;
    }
  }
}
