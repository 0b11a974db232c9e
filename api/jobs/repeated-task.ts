import type { Log } from "#api/log.ts";

interface RepeatedTask {
  intervalMs: number;
  /** Delay of the first run, if it should not wait for a whole interval. */
  firstDelayMs?: number;
  log: Log;
  /** Log message when a run fails; the next run tries again. */
  failureMessage: string;
  work: () => Promise<unknown>;
}

/**
 * Runs work at an interval, never twice at once, and returns a function that stops it. Does not keep the process alive.
 */
export function runRepeatedly({ intervalMs, firstDelayMs, log, failureMessage, work }: RepeatedTask): () => void {
  let isRunning = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, failureMessage);
    } finally {
      isRunning = false;
    }
  };
  const timers = [setInterval(() => void run(), intervalMs)];
  if (firstDelayMs !== undefined) timers.push(setTimeout(() => void run(), firstDelayMs));
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
