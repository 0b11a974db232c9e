import { NoResponseError } from "#shared/client/client.ts";
import { readBestMatches, writeBestMatch } from "#shared/study/deck/cached-decks.ts";
import { minDefined } from "#shared/study/deck/match-time.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { getStudyPort } from "../study-port.ts";

/** Without a connection, the time stays on this device and is sent when the deck is next played with a connection. */
async function sendBestMatch(componentId: string, bestMatchMs: number): Promise<void> {
  try {
    await client.study.saveDeckSettings({ componentId, bestMatchMs });
  } catch (error) {
    if (!(error instanceof NoResponseError)) logWarning("Failed to send a match time", error);
  }
}

/**
 * The best times of this tab, by account and deck. If neither the server nor this device's storage accepted a time, it
 * is sent when the deck is next played in this tab.
 */
const bestInTab = new Map<string, number>();

const keyOf = (accountId: string, componentId: string) => `${accountId} ${componentId}`;

/** The stored best times. If this device's storage fails, only the server's. */
async function readStoredBest(accountId: string, componentId: string) {
  try {
    return await readBestMatches({ accountId, componentId });
  } catch (error) {
    logWarning("Failed to read the best match time on this device", error);
    const { settings } = await client.study.getDeckSchedule({ componentId });
    return { onDevice: undefined, onServer: settings.bestMatchMs };
  }
}

/** The best time on any device; null if there is none. */
export async function readBestMatch(componentId: string): Promise<number | null> {
  const accountId = getStudyPort().accountId();
  if (accountId === undefined) return null;
  const inTab = bestInTab.get(keyOf(accountId, componentId));
  try {
    const { onDevice, onServer } = await readStoredBest(accountId, componentId);
    const best = minDefined(minDefined(inTab, onDevice), onServer);
    if (best !== undefined && best !== onServer) void sendBestMatch(componentId, best);
    return best ?? null;
  } catch (error) {
    if (!(error instanceof NoResponseError)) logWarning("Failed to read the best match time", error);
    return inTab ?? null;
  }
}

/** Stores a best time on this device and sends it to the server; neither waits for the other. */
export async function saveBestMatch(componentId: string, durationMs: number): Promise<void> {
  const accountId = getStudyPort().accountId();
  if (accountId === undefined) return;
  const key = keyOf(accountId, componentId);
  bestInTab.set(key, minDefined(bestInTab.get(key), durationMs) ?? durationMs);
  const stored = writeBestMatch({ accountId, componentId }, durationMs).catch((error: unknown) =>
    logWarning("Failed to store a match time on this device", error),
  );
  await Promise.all([stored, sendBestMatch(componentId, durationMs)]);
}
