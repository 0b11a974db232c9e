import { APICallError } from "ai";
import { Failure } from "#shared/contract/failure.ts";

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

/** The model server said nothing for too long. */
export class ModelSilent extends Error {}
/** The stream ended before the answer did. */
export class StreamCut extends Error {}

function askedWaitMs(error: APICallError): number | undefined {
  const exact = Number(error.responseHeaders?.["retry-after-ms"] ?? Number.NaN);
  if (exact >= 0) return exact;
  const header = error.responseHeaders?.["retry-after"];
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

const isPassing = (error: unknown) => {
  if (error instanceof ModelSilent || error instanceof StreamCut) return true;
  if (APICallError.isInstance(error)) return error.isRetryable || error.statusCode === undefined;
  return false;
};

export const isBadRequest = (error: unknown) =>
  APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422);

/** How long to wait before asking again, or undefined where asking again would not help. */
export function retryDelayMs(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  if (attempt >= (error instanceof ModelSilent ? MAX_SILENCES : policy.attempts) || !isPassing(error)) return undefined;
  const asked = APICallError.isInstance(error) ? askedWaitMs(error) : undefined;
  if (asked !== undefined) return asked > policy.maxDelayMs ? undefined : asked;
  const waitMs = Math.min(policy.baseDelayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  return waitMs * (0.75 + Math.random() / 2);
}

/** What a student is told of a model server's failure: nothing of its own words, which may hold keys or prompts. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  if (status === 429)
    return new Failure("model_unavailable", "The AI model is busy right now. Please try again in a few minutes.");
  if (status !== undefined && status >= 400 && status < 500)
    return new Failure(
      "model_unavailable",
      "The AI model refused the request. Choose another model, or ask whoever runs this server to check its settings.",
    );
  if (error instanceof ModelSilent)
    return new Failure("model_unavailable", "The AI model stopped answering. Please try again.");
  return new Failure("model_unavailable", "The AI model could not be reached. Please try again in a moment.");
}

/** The kind of an error alone: its message may hold prompt or answer. */
export const nameOf = (error: unknown) => {
  const status = (error as { statusCode?: unknown }).statusCode;
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
