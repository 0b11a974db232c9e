/** Less than this is no sign that the sound plays on: a sound that was fetched anew reports where it was put. */
const PLAYED_MS = 250;

/** Position of the audio when it failed; undefined unless it was fetched again and has not played since. */
let failedAtMs: number | undefined;

/** Whether a sound that failed at this time is fetched anew: once, until it is heard on or the student asks again. */
export function beginRecovery(atMs: number): boolean {
  if (failedAtMs !== undefined) return false;
  failedAtMs = atMs;
  return true;
}

/** The sound is heard at this time. */
export function notePlayed(atMs: number): void {
  if (failedAtMs !== undefined && Math.abs(atMs - failedAtMs) > PLAYED_MS) failedAtMs = undefined;
}

/** The student asks for the sound: a failure after that is a new one. */
export const endRecovery = () => {
  failedAtMs = undefined;
};
