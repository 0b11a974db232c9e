import { logTrouble } from "#webapp/app/log.ts";
import { writeBestMatch } from "#shared/study/kept-decks.ts";
import { studyDoor } from "../door.ts";

/** Keeps the time where it is the best on this device; resolves to the best there was before, null where there was none. */
export async function keepBestMatch(componentId: string, ms: number): Promise<number | null> {
  const accountId = studyDoor().accountId();
  if (accountId === undefined) return null;
  try {
    return await writeBestMatch({ accountId, componentId }, ms);
  } catch (error) {
    logTrouble("Failed to keep a time on this device", error);
    return null;
  }
}
