import { logTrouble } from "#webapp/app/log.ts";
import { writeBestMatch } from "#shared/study/kept-decks.ts";
import { studyDoor } from "../door.ts";

/** Stores the time if it is the best on this device; resolves to the previous best, null if there was none. */
export async function keepBestMatch(componentId: string, ms: number): Promise<number | null> {
  const accountId = studyDoor().accountId();
  if (accountId === undefined) return null;
  try {
    return await writeBestMatch({ accountId, componentId }, ms);
  } catch (error) {
    logTrouble("Failed to store a match time on this device", error);
    return null;
  }
}
