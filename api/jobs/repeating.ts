import type { Log } from "#api/log.ts";

interface Repeated {
  everyMs: number;
  /** Where the first time is not to wait as long as the others. */
  firstMs?: number;
  log: Log;
  /** What is logged where it failed: the next time it is tried anew. */
  failed: string;
  work: () => Promise<unknown>;
}

/** Does something now and then, never twice at once, until it is stopped; answers how to stop. Keeps no process alive. */
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
