import { Worker } from "node:worker_threads";

export interface ProcessLimits {
  memoryBytes: number;
  /** CPU time of this process without a heartbeat. */
  maxSilentCpuMs: number;
}

/** Signal that distinguishes a process stopped for its silence from one that used too much memory. */
export const SILENCED = "SIGTERM";

const WATCH = `
const { workerData } = require("node:worker_threads");
const { memoryBytes, silenceMs, beats } = workerData;
const parent = process.ppid;
const count = new Int32Array(beats);
let lastCount = 0;
let since = process.cpuUsage();
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  const now = Atomics.load(count, 0);
  if (now !== lastCount) {
    lastCount = now;
    since = process.cpuUsage();
  }
  const { user, system } = process.cpuUsage(since);
  if (user + system > silenceMs * 1000) process.kill(process.pid, "${SILENCED}");
}, 40);`;

/**
 * Stops this process if it uses too much memory, works too long without a heartbeat, or loses its parent. Returns a
 * function that sends a heartbeat. Measures CPU time, which does not depend on the machine's load. Runs in another
 * thread, because a parser may be in a long synchronous loop.
 */
export function startWatchdog({ memoryBytes, maxSilentCpuMs }: ProcessLimits): () => void {
  const beats = new SharedArrayBuffer(4);
  const count = new Int32Array(beats);
  const watchdog = new Worker(WATCH, { eval: true, workerData: { memoryBytes, silenceMs: maxSilentCpuMs, beats } });
  watchdog.unref();
  return () => void Atomics.add(count, 0, 1);
}
