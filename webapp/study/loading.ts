import { type DeckSource, loadDeck as loadWith, type Loaded } from "#shared/study/loading.ts";
import { logTrouble } from "#webapp/app/log.ts";
import type { StudyDoor } from "./door.ts";
import { paramsOf } from "./terms.ts";

export type { Loaded } from "#shared/study/loading.ts";

/** A deck with its schedules from the server, unsaved changes applied; or as cached on this device. */
export const loadDeck = (source: DeckSource, door: StudyDoor): Promise<Loaded> =>
  loadWith(source, { ...door, paramsOf, trouble: logTrouble });
