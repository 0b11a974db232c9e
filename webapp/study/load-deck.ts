import { NoResponseError } from "#shared/client/client.ts";
import { loadDeck as loadWith, type LoadedDeck } from "#shared/study/deck/load-deck.ts";
import { watchSession } from "#webapp/app/session/load-for-account.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { fetchCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import type { StudyPort } from "./study-port.ts";
import { getDeckStudyParams } from "./scheduling-params.ts";

export type { LoadedDeck } from "#shared/study/deck/load-deck.ts";

interface DeckRef {
  pageId: string;
  componentId: string;
}

/** Loads a deck with its schedules and applies unsaved changes. Without a connection, loads the copy on this device. */
export function loadDeck({ pageId, componentId }: DeckRef, port: StudyPort): Promise<LoadedDeck> {
  const isCurrent = watchSession();
  const fetchSchedules = async () => {
    const schedules = await client.study.getDeckSchedule({ componentId });
    // What arrives after its session has ended must not be cached on this device.
    if (!isCurrent()) throw new NoResponseError("aborted");
    return schedules;
  };
  const fetchFavourites = () => fetchCardFavourites(componentId);
  const source = { pageId, componentId, fetchSchedules, fetchFavourites };
  return loadWith(source, { ...port, paramsOf: getDeckStudyParams, logProblem: logWarning });
}
