import { Failure } from "#shared/contract/failure.ts";
import { ModelSilentError, ServerRefusedError, ServerUnreachableError, StreamCutError } from "./server-failures.ts";

export interface RetryPolicy {
  /** Maximum number of attempts per request. */
  attempts: number;
  /** Delay before the first retry; doubles with each further attempt. */
  baseDelayMs: number;
  /** The longest delay. If the server asks for more, the request fails at once. */
  maxDelayMs: number;
}

export const defaultRetries: RetryPolicy = { attempts: 5, baseDelayMs: 500, maxDelayMs: 30_000 };

/** Each silent request has already cost minutes. */
const MAX_SILENT_ATTEMPTS = 2;

/** After a request timeout, a conflict or too many requests, a retry may succeed. */
const TRANSIENT_STATUSES = new Set([408, 409, 429]);

const isTransient = (error: unknown) => {
  if ([ModelSilentError, ServerUnreachableError, StreamCutError].some((kind) => error instanceof kind)) return true;
  return error instanceof ServerRefusedError && (error.status >= 500 || TRANSIENT_STATUSES.has(error.status));
};

export const isBadRequest = (error: unknown) =>
  error instanceof ServerRefusedError && (error.status === 400 || error.status === 422);

export const isServerError = (error: unknown) => error instanceof ServerRefusedError && error.status === 500;

/**
 * Delay before the next attempt (exponential backoff with jitter, or the server's Retry-After), or undefined if a retry
 * would not help.
 */
export function retryDelayMs(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  if (attempt >= (error instanceof ModelSilentError ? MAX_SILENT_ATTEMPTS : policy.attempts) || !isTransient(error))
    return undefined;
  const retryAfterMs = error instanceof ServerRefusedError ? error.retryAfterMs : undefined;
  if (retryAfterMs !== undefined) return retryAfterMs > policy.maxDelayMs ? undefined : retryAfterMs;
  const waitMs = Math.min(policy.baseDelayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  return waitMs * (0.75 + Math.random() / 2);
}

/** The failure shown to the student. It excludes the server's own message, which may contain keys or prompts. */
export function toModelFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const status = error instanceof ServerRefusedError ? error.status : undefined;
  if (status === 429) return new Failure("model_unavailable", "model_busy");
  if (status !== undefined && status >= 400 && status < 500) return new Failure("model_unavailable", "model_refused");
  if (error instanceof ModelSilentError) return new Failure("model_unavailable", "model_stopped");
  return new Failure("model_unavailable", "model_unreachable");
}

/** Only the kind and status of an error, because its message may contain the prompt or the answer. */
export const describeError = (error: unknown) => {
  const status = error instanceof ServerRefusedError ? error.status : undefined;
  return { kind: error instanceof Error ? error.constructor.name : typeof error, status };
};

/** Resolves after `ms`; rejects on abort. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
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
