/** Backoff of parked requests. After an outage of any length they are retried within 9 s of the server's return. */
const MIN_BACKOFF_MS = 3_000;
const MAX_BACKOFF_MS = 7_000;
/** Spreads the calls of many clients when the server returns. */
const JITTER_MS = 1_000;
/** The shortest time between two attempts during an outage. */
const MIN_PAUSE_MS = 1_800;

interface RetryTimerDeps {
  clock: { now(): number };
  /** Calls `work` after `delayMs`; the returned function cancels it. */
  schedule: (work: () => void, delayMs: number) => () => void;
  /** From 0 up to 1. */
  random: () => number;
  retry: () => void;
}

/** Schedules the retries of requests that the network parked. */
export class RetryTimer {
  readonly #deps: RetryTimerDeps;
  #cancel: (() => void) | null = null;
  #dueAt = 0;
  #attempts = 0;
  /** When a flush last did not reach the server, epoch ms; null if it was reached since. */
  #unreachedAt: number | null = null;

  constructor(deps: RetryTimerDeps) {
    this.#deps = deps;
  }

  get isUnreached(): boolean {
    return this.#unreachedAt !== null;
  }

  /** The delay between attempts during an outage; random, so that clients do not call at the same time. */
  outageDelayMs(): number {
    return MIN_PAUSE_MS + this.#deps.random() * JITTER_MS;
  }

  recordFlush(isReached: boolean): void {
    this.#unreachedAt = isReached ? null : this.#deps.clock.now();
  }

  /** Restarts the backoff. Call when the connection changed or the server acknowledged a request. */
  reset(): void {
    this.#attempts = 0;
    this.#unreachedAt = null;
  }

  /** Plans the next retry by exponential backoff, unless one is planned. */
  plan(): void {
    if (this.#cancel) return;
    const backoffMs = Math.min(MIN_BACKOFF_MS * 2 ** this.#attempts, MAX_BACKOFF_MS);
    this.planIn(backoffMs * (0.75 + this.#deps.random() / 2));
  }

  planIn(delayMs: number): void {
    this.stop();
    this.#dueAt = this.#deps.clock.now() + delayMs;
    this.#cancel = this.#deps.schedule(() => {
      this.#cancel = null;
      this.#attempts += 1;
      this.#deps.retry();
    }, delayMs);
  }

  /** Moves the next retry forward, but not into the pause after the last attempt. */
  wake(): void {
    const now = this.#deps.clock.now();
    const pauseMs = Math.max(0, (this.#unreachedAt ?? 0) + MIN_PAUSE_MS - now);
    const delayMs = pauseMs + this.#deps.random() * JITTER_MS;
    if (!this.#cancel || this.#dueAt > now + delayMs) this.planIn(delayMs);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
