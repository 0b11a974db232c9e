import { z } from "zod";
import { Failure, type FailureCode } from "#shared/contract/failure.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { RetryTimer } from "#shared/sync/retry-timer.ts";
import { readLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { serverNow } from "#webapp/app/server-clock.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";

const Position = z.object({ position_ms: z.int().min(0), listened_at: z.number(), isSent: z.boolean() });
type Position = z.infer<typeof Position>;
const Positions = z.record(z.string(), Position);
/** Only the positions of the episodes that were played last are stored. */
const MAX_POSITIONS = 50;

/** The key contains the account's id, so that the entry is removed on sign-out. */
function storageKey(): string | undefined {
  const accountId = store.get(accountIdAtom);
  return accountId === undefined ? undefined : `lamplight_podcast_positions_${accountId}`;
}

function readPositions(): Record<string, Position> {
  const key = storageKey();
  try {
    return Positions.parse(JSON.parse((key && readLocal(key)) || "{}"));
  } catch {
    return {};
  }
}

function writePosition(id: string, position: Position): void {
  const key = storageKey();
  if (key === undefined) return;
  const latest = Object.entries({ ...readPositions(), [id]: position }).toSorted(
    ([, a], [, b]) => b.listened_at - a.listened_at,
  );
  writeLocal(key, JSON.stringify(Object.fromEntries(latest.slice(0, MAX_POSITIONS))));
}

/** The position on this device that still has to be sent, if any. */
export function findUnsentPosition(id: string): number | undefined {
  const position = readPositions()[id];
  return position?.isSent === false ? position.position_ms : undefined;
}

/** The last position on this device, for an episode that is shown without a connection. */
export const findLocalPosition = (id: string): number | undefined => readPositions()[id]?.position_ms;

/** After this time, playback starts without the server's answer. */
const LOOK_UP_LIMIT_MS = 1500;

async function fetchPosition(id: string): Promise<number | undefined> {
  try {
    return (await client.podcasts.getPodcast({ id })).podcast.position_ms;
  } catch (error) {
    logWarning("Could not look up the position in a podcast", error);
    return undefined;
  }
}

/**
 * Where the listener stopped on another device after `knownMs`, which this device knows; undefined if nowhere, or if the
 * server does not answer in time.
 */
export async function findNewerPosition({ _id: id }: Podcast, knownMs: number): Promise<number | undefined> {
  if (!navigator.onLine || findUnsentPosition(id) !== undefined) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LOOK_UP_LIMIT_MS);
  });
  const storedMs = await Promise.race([fetchPosition(id), late]);
  clearTimeout(timer);
  // The server keeps the position with the latest time, so a different one was stored by another device.
  return storedMs === undefined || storedMs === (findLocalPosition(id) ?? knownMs) ? undefined : storedMs;
}

const FINAL_CODES: ReadonlySet<FailureCode> = new Set(["not_found", "bad_input"]);

/** Whether a retry of a request about an episode cannot succeed. */
export const isFinal = (error: unknown): boolean => error instanceof Failure && FINAL_CODES.has(error.code);

/** Retries with backoff while the browser is online, because the server may still be unreachable. */
const retries = new RetryTimer({
  clock: { now: () => Date.now() },
  schedule(work, delayMs) {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  retry: sendPositions,
});

async function send(id: string, { isSent: _isSent, ...position }: Position): Promise<void> {
  try {
    await client.podcasts.savePosition({ id, ...position });
  } catch (error) {
    if (!isFinal(error)) {
      // Without a connection, the positions are sent when it returns.
      if (navigator.onLine) retries.plan();
      return;
    }
    // Counts as sent, because sending would fail again, for example if the episode no longer exists.
    logWarning("Could not store the position in a podcast", error);
  }
  retries.reset();
  // A newer position may already be waiting.
  if (readPositions()[id]?.listened_at === position.listened_at) writePosition(id, { ...position, isSent: true });
}

/** Sends the position for other devices. Without a connection it is stored on this device and sent later. */
export function savePosition(id: string, ms: number): void {
  const position = { position_ms: Math.max(0, Math.round(ms)), listened_at: serverNow(), isSent: false };
  writePosition(id, position);
  void send(id, position);
}

/** Sends the positions that were stored without a connection. */
export function sendPositions(): void {
  for (const [id, position] of Object.entries(readPositions())) if (!position.isSent) void send(id, position);
}
