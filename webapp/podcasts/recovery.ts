/** A smaller change of position does not prove that the audio plays: fetched audio first reports its start position. */
const PLAYED_MS = 250;

/** The position at which the audio failed, until the audio that was fetched again has played. */
let failedAtMs: number | undefined;

/** Whether to fetch the audio again after a failure: true once, until the audio plays or the student presses play. */
export function beginRecovery(atMs: number): boolean {
  if (failedAtMs !== undefined) return false;
  failedAtMs = atMs;
  return true;
}

/** Ends the recovery once the audio has moved on from the position of the failure. */
export function notePlayed(atMs: number): void {
  if (failedAtMs !== undefined && Math.abs(atMs - failedAtMs) > PLAYED_MS) failedAtMs = undefined;
}

/** Call when the student presses play, so that the next failure is recovered again. */
export const endRecovery = () => {
  failedAtMs = undefined;
};
