import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Failure } from "#shared/contract/failure.ts";
import { Semaphore } from "#api/semaphore.ts";
import type { EngineMessage, EngineTask } from "./builtin-worker.ts";

/**
 * Leaves one core for requests, but uses at least two threads, so that one huge source does not block all other users.
 */
const MAX_THREADS = Math.max(2, availableParallelism() - 1);
const IDLE_MS = 60_000;
const MAX_MEMORY_MB = 512;

const noop = () => undefined;

interface Thread {
  worker: Worker;
  idleTimer?: NodeJS.Timeout;
}

interface EngineLimits {
  signal: AbortSignal;
  timeLimitMs: number;
}

const idle: Thread[] = [];
const permits = new Semaphore(MAX_THREADS);

function startThread(): Thread {
  const worker = new Worker(new URL("./builtin-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    execArgv: [],
  });
  worker.unref();
  // A permanent listener, so that a thread that crashes while idle does not end the process.
  worker.on("error", noop);
  const thread: Thread = { worker };
  worker.once("exit", () => removeIdle(thread));
  return thread;
}

/** A dead thread in the list would take a task and never answer. */
function removeIdle(thread: Thread): void {
  clearTimeout(thread.idleTimer);
  const index = idle.indexOf(thread);
  if (index >= 0) idle.splice(index, 1);
}

/** The caller must hold a permit. */
function acquireThread(): Thread {
  const thread = idle.pop();
  if (!thread) return startThread();
  clearTimeout(thread.idleTimer);
  return thread;
}

/** Starts a thread if none is idle, so that its word lists are loaded by the time the source has been read. */
export function warmThread(): void {
  if (idle.length > 0 || !permits.tryAcquire()) return;
  try {
    releaseThread(startThread(), true);
  } finally {
    permits.release();
  }
}

/** A thread that has finished its task is reused. An interrupted thread is terminated, which stops its work. */
function releaseThread(thread: Thread, isReusable: boolean) {
  if (isReusable) {
    thread.idleTimer = setTimeout(() => {
      removeIdle(thread);
      void thread.worker.terminate();
    }, IDLE_MS).unref();
    idle.push(thread);
  } else void thread.worker.terminate();
}

/**
 * Runs a task of the built-in engine in a worker thread; an abort, the time limit or leaving the loop terminates it at
 * once.
 */
export const runEngine = (task: EngineTask, limits: EngineLimits): AsyncGenerator<EngineMessage> =>
  permits.stream(() => runOnThread(task, limits), limits.signal);

async function* runOnThread(task: EngineTask, limits: EngineLimits): AsyncGenerator<EngineMessage> {
  const thread = acquireThread();
  const inbox: EngineMessage[] = [];
  let failure: Error | undefined;
  let wake: () => void = noop;
  const fail = (error: Error) => {
    failure ??= error;
    wake();
  };
  const onMessage = (message: EngineMessage) => {
    inbox.push(message);
    wake();
  };
  const onExit = () => fail(new Failure("model_unavailable", "source_too_large_for_engine"));
  const onAbort = () => fail(limits.signal.reason as Error);
  const timer = setTimeout(() => fail(new Failure("timed_out", "source_too_large_for_engine")), limits.timeLimitMs);
  thread.worker.on("message", onMessage).on("exit", onExit);
  limits.signal.addEventListener("abort", onAbort, { once: true });
  let hasEnded = false;
  try {
    limits.signal.throwIfAborted();
    thread.worker.postMessage(task, []);
    while (!hasEnded) {
      if (inbox.length === 0 && !failure) await new Promise<void>((resolve) => (wake = resolve));
      if (failure) throw failure;
      const message = inbox.shift();
      if (message === undefined) continue;
      hasEnded = message.type === "end" || message.type === "failed";
      yield message;
    }
  } finally {
    clearTimeout(timer);
    limits.signal.removeEventListener("abort", onAbort);
    thread.worker.off("message", onMessage).off("exit", onExit);
    releaseThread(thread, hasEnded);
  }
}
