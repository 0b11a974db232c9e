import { logWarning } from "#webapp/app/log.ts";
import { writeBestMatch } from "#shared/study/deck/cached-decks.ts";
import { getStudyPort } from "../study-port.ts";

/** Stores the time if it is the best on this device; resolves to the previous best, null if there was none. */
export async function saveBestMatch(componentId: string, durationMs: number): Promise<number | null> {
  const accountId = getStudyPort().accountId();
  if (accountId === undefined) return null;
  try {
    return await writeBestMatch({ accountId, componentId }, durationMs);
  } catch (error) {
    logWarning("Failed to store a match time on this device", error);
    return null;
  }
}
