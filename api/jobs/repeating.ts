import type { Log } from "#api/log.ts";

interface Repeated {
  everyMs: number;
  /** Delay of the first run, if it should not wait for a whole interval. */
  firstMs?: number;
  log: Log;
  /** Log message when a run fails; the next run tries again. */
  failed: string;
  work: () => Promise<unknown>;
}

/**
 * Runs work at an interval, never twice at once, and returns a function that stops it. Does not keep the process alive.
 */
export function repeat({ everyMs, firstMs, log, failed, work }: Repeated): () => void {
  let isRunning = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, failed);
    } finally {
      isRunning = false;
    }
  };
  const timers = [setInterval(() => void run(), everyMs)];
  if (firstMs !== undefined) timers.push(setTimeout(() => void run(), firstMs));
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
