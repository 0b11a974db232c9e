import { type DeckFetcher, loadDeck as loadWith, type LoadedDeck } from "#shared/study/load-deck.ts";
import { logWarning } from "#webapp/app/log.ts";
import type { StudyPort } from "./study-port.ts";
import { getStudyParams } from "./scheduling-params.ts";

export type { LoadedDeck } from "#shared/study/load-deck.ts";

/** A deck with its schedules from the server, unsaved changes applied; or as cached on this device. */
export const loadDeck = (source: DeckFetcher, port: StudyPort): Promise<LoadedDeck> =>
  loadWith(source, { ...port, paramsOf: getStudyParams, logProblem: logWarning });
