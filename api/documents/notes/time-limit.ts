import { createContext, Script } from "node:vm";

/** Elapsed time, shorter than the CPU time after which the whole process is stopped. */
const FIRST_LIMIT_MS = 20_000;
const MIN_LIMIT_MS = 2_000;

/** Work was interrupted because it took too long. */
export class TimeLimitError extends Error {
  constructor() {
    super("Interrupted: it took too long");
    this.name = "TimeLimitError";
  }
}

const script = new Script("work()");
const isTimeout = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";

/**
 * Runs work that does not wait for anything, and interrupts it after `limitMs`, also in the middle of a loop or of a
 * regular expression. Only V8 can interrupt those, and only for code that a script of `node:vm` calls.
 */
export function runWithLimit<Result>(work: () => Result, limitMs: number): Result {
  const results: Result[] = [];
  try {
    script.runInContext(createContext({ work: () => void results.push(work()) }), { timeout: limitMs });
  } catch (error) {
    throw isTimeout(error) ? new TimeLimitError() : error;
  }
  return results[0] as Result;
}

/** Limits for the notes of one archive: each note that takes too long halves the limit for the next one. */
export class NoteTimes {
  #limitMs: number;

  constructor(limitMs = FIRST_LIMIT_MS) {
    this.#limitMs = limitMs;
  }

  run<Result>(work: () => Result): Result {
    try {
      return runWithLimit(work, this.#limitMs);
    } catch (error) {
      if (error instanceof TimeLimitError) this.#limitMs = Math.max(MIN_LIMIT_MS, this.#limitMs / 2);
      throw error;
    }
  }
}
