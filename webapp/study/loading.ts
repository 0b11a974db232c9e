import { type DeckSource, loadDeck as loadWith, type Loaded } from "#shared/study/loading.ts";
import { logTrouble } from "#webapp/app/log.ts";
import type { StudyDoor } from "./door.ts";
import { paramsOf } from "./terms.ts";

export type { Loaded } from "#shared/study/loading.ts";

/** A deck with its schedules as the server has them and what is unsaved laid over, or as this device kept them. */
export const loadDeck = (source: DeckSource, door: StudyDoor): Promise<Loaded> =>
  loadWith(source, { ...door, paramsOf, trouble: logTrouble });
