import { Worker } from "node:worker_threads";

/**
 * Ends this process when it holds more than `limitBytes`, or when the one that started it is gone. A parser may be deep
 * in one file's loop, so this is watched from another thread.
 */
export function watchMemory(limitBytes: number): void {
  const watchdog = new Worker(
    `const { workerData } = require("node:worker_threads");
     const parent = process.ppid;
     setInterval(() => {
       if (process.memoryUsage.rss() > workerData.limit || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
     }, 40);`,
    { eval: true, workerData: { limit: limitBytes } },
  );
  watchdog.unref();
}
