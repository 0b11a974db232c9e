// Limits of the website chat's connection, for browser and server.

export const CONNECT_TIMEOUT_MS = 30_000;
/** Attempts to connect, or to send a message. */
export const ATTEMPTS = 3;
/** The wait before the second attempt; it is longer before each further one. */
export const RETRY_MS = 1_000;
/** After so many failed connections none is tried for `BREAKER_RESET_MS`. */
export const BREAKER_FAILURES = 3;
export const BREAKER_RESET_MS = 30_000;
/** A message fails if nothing arrives for this long. */
export const MESSAGE_TIMEOUT_MS = 120_000;
/** A preview that nobody looked at for this long is stopped. */
export const PREVIEW_IDLE_MS = 10 * 60_000;
