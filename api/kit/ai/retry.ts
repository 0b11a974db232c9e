import { Failure } from "#shared/contract/failure.ts";
import { ModelSilent, ServerRefused, StreamCut } from "./server-failures.ts";

export interface RetryPolicy {
  /** How often one request is sent before its failure stands. */
  attempts: number;
  /** The first wait; it doubles with each further attempt. */
  baseDelayMs: number;
  /** The longest wait, and the longest that a server may ask for before we give up at once. */
  maxDelayMs: number;
}

export const ordinaryRetries: RetryPolicy = { attempts: 5, baseDelayMs: 500, maxDelayMs: 30_000 };

/** A silence has cost minutes already. */
const MAX_SILENCES = 2;

/** Too slow, in conflict, too often: the same request may well be served later. */
const PASSING = new Set([408, 409, 429]);

const isPassing = (error: unknown) => {
  if (error instanceof ModelSilent || error instanceof StreamCut) return true;
  if (!(error instanceof ServerRefused)) return false;
  const { status } = error;
  return status === undefined || status >= 500 || PASSING.has(status);
};

export const isBadRequest = (error: unknown) =>
  error instanceof ServerRefused && (error.status === 400 || error.status === 422);

export const isBroken = (error: unknown) => error instanceof ServerRefused && error.status === 500;

/** How long to wait before asking again, or undefined where asking again would not help. */
export function retryDelayMs(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  if (attempt >= (error instanceof ModelSilent ? MAX_SILENCES : policy.attempts) || !isPassing(error)) return undefined;
  const asked = error instanceof ServerRefused ? error.waitMs : undefined;
  if (asked !== undefined) return asked > policy.maxDelayMs ? undefined : asked;
  const waitMs = Math.min(policy.baseDelayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  return waitMs * (0.75 + Math.random() / 2);
}

/** What a student is told of a model server's failure: nothing of its own words, which may hold keys or prompts. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const status = error instanceof ServerRefused ? error.status : undefined;
  if (status === 429) return new Failure("model_unavailable", "model_busy");
  if (status !== undefined && status >= 400 && status < 500) return new Failure("model_unavailable", "model_refused");
  if (error instanceof ModelSilent) return new Failure("model_unavailable", "model_stopped");
  return new Failure("model_unavailable", "model_unreachable");
}

/** The kind of an error alone: its message may hold prompt or answer. */
export const nameOf = (error: unknown) => {
  const status = error instanceof ServerRefused ? error.status : undefined;
  return { kind: error instanceof Error ? error.constructor.name : typeof error, status };
};

/** Waits, but not beyond an abort, which rejects. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
