import { NoResponse } from "#shared/client/client.ts";
import { readBestMatches, writeBestMatch } from "#shared/study/deck/cached-decks.ts";
import { fasterOf } from "#shared/study/deck/match-time.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { getStudyPort } from "../study-port.ts";

/** Without a connection the time stays on this device, and is sent when the deck is next played with one. */
async function sendBestMatch(componentId: string, bestMatchMs: number): Promise<void> {
  try {
    await client.study.saveDeckSettings({ componentId, bestMatchMs });
  } catch (error) {
    if (!(error instanceof NoResponse)) logWarning("Failed to send a match time", error);
  }
}

/** The best time on this device or any other; null if there is none. */
export async function readBestMatch(componentId: string): Promise<number | null> {
  const accountId = getStudyPort().accountId();
  if (accountId === undefined) return null;
  try {
    const { onDevice, onServer } = await readBestMatches({ accountId, componentId });
    const best = fasterOf(onDevice, onServer);
    if (best !== undefined && best !== onServer) void sendBestMatch(componentId, best);
    return best ?? null;
  } catch (error) {
    logWarning("Failed to read the best match time", error);
    return null;
  }
}

/** Stores a best time on this device and sends it to the server. */
export async function saveBestMatch(componentId: string, durationMs: number): Promise<void> {
  const accountId = getStudyPort().accountId();
  if (accountId === undefined) return;
  try {
    await writeBestMatch({ accountId, componentId }, durationMs);
  } catch (error) {
    logWarning("Failed to store a match time on this device", error);
  }
  await sendBestMatch(componentId, durationMs);
}
