import { loadDeck as loadWith, type LoadedDeck } from "#shared/study/deck/load-deck.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { fetchCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import type { StudyPort } from "./study-port.ts";
import { getStudyParams } from "./scheduling-params.ts";

export type { LoadedDeck } from "#shared/study/deck/load-deck.ts";

interface DeckRef {
  pageId: string;
  componentId: string;
}

/** Loads a deck with its schedules and applies unsaved changes. Without a connection, loads the copy on this device. */
export function loadDeck({ pageId, componentId }: DeckRef, port: StudyPort): Promise<LoadedDeck> {
  const fetchSchedules = () => client.study.getDeckSchedule({ componentId });
  const fetchFavourites = () => fetchCardFavourites(componentId);
  const source = { pageId, componentId, fetchSchedules, fetchFavourites };
  return loadWith(source, { ...port, paramsOf: getStudyParams, logProblem: logWarning });
}
