import { Worker } from "node:worker_threads";

export interface Limits {
  memoryBytes: number;
  /** Processor time of this process without a sign of life. */
  silenceMs: number;
}

/** How a parser that was ended by its watchdog for its silence can be told from one that held too much memory. */
export const SILENCED = "SIGTERM";

const WATCH = `
const { workerData } = require("node:worker_threads");
const { memoryBytes, silenceMs, beats } = workerData;
const parent = process.ppid;
const count = new Int32Array(beats);
let heard = 0;
let since = process.cpuUsage();
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  const now = Atomics.load(count, 0);
  if (now !== heard) {
    heard = now;
    since = process.cpuUsage();
  }
  const { user, system } = process.cpuUsage(since);
  if (user + system > silenceMs * 1000) process.kill(process.pid, "${SILENCED}");
}, 40);`;

/**
 * Ends this process when it holds too much memory, when it works for too long without a sign of life, or when the one
 * that started it is gone. Answers how to give a sign of life. What counts is processor time: on a busy machine a good
 * file takes as little of it as ever. A parser may be deep in one file's loop, so all this is watched from another thread.
 */
export function watchOver({ memoryBytes, silenceMs }: Limits): () => void {
  const beats = new SharedArrayBuffer(4);
  const count = new Int32Array(beats);
  const watchdog = new Worker(WATCH, { eval: true, workerData: { memoryBytes, silenceMs, beats } });
  watchdog.unref();
  return () => void Atomics.add(count, 0, 1);
}
