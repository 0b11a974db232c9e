import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";

/** What the server has received of an upload. */
export interface UploadProgress {
  offset: number;
  isComplete: boolean;
}

/** The upload's phase for display. */
export type UploadPhase = "sending" | "waiting" | "finishing";

/** The calls of one upload; all are safe to retry and reject with `Failure` or `NoResponseError`. */
export interface UploadCalls<Made> {
  start(): Promise<UploadProgress>;
  state(): Promise<UploadProgress>;
  /** Sends the bytes from `offset` to `end` (exclusive); `onSent` reports how many of them were sent. */
  append(offset: number, end: number, onSent: (bytes: number) => void): Promise<UploadProgress>;
  complete(): Promise<Made>;
}

interface UploadDeps<Made> {
  calls: UploadCalls<Made>;
  sizeBytes: number;
  pieceBytes: number;
  /** Resolves after `ms`, or earlier when the connection is restored; rejects if the upload was stopped. */
  wait(ms: number): Promise<void>;
  /** Ends the upload with `NoResponseError("aborted")` before its next call. */
  isStopped(): boolean;
  onProgress: (sentBytes: number) => void;
  onPhase: (phase: UploadPhase) => void;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Retries after server errors; a lost connection is retried without limit. */
const MAX_SERVER_ERRORS = 8;
const MAX_STARTS = 4;

/** A file whose processing timed out would time out again. */
const isFileTimeout = ({ code, data }: Failure) => code === "timed_out" && data?.["reason"] !== undefined;
const isTransient = (failure: Failure) =>
  !isFileTimeout(failure) && (failure.status === 429 || failure.status === 408 || failure.status >= 500);

/** Retry with exponential backoff: transient failures are retried, refusals are thrown. */
class RetryPolicy {
  readonly #deps: Pick<UploadDeps<unknown>, "wait" | "isStopped" | "onPhase">;
  #waits = 0;
  #serverErrors = 0;

  constructor(deps: Pick<UploadDeps<unknown>, "wait" | "isStopped" | "onPhase">) {
    this.#deps = deps;
  }

  reset(): void {
    this.#waits = 0;
    this.#serverErrors = 0;
  }

  /** Waits before the next attempt; throws if retrying cannot help. */
  async waitBeforeRetry(error: unknown): Promise<void> {
    if (this.#deps.isStopped()) throw new NoResponseError("aborted");
    if (!(error instanceof NoResponseError) && !(error instanceof Failure && isTransient(error))) throw error;
    if (error instanceof NoResponseError && error.reason === "aborted") throw error;
    if (error instanceof Failure && ++this.#serverErrors > MAX_SERVER_ERRORS) throw error;
    this.#deps.onPhase("waiting");
    const retryAfterMs = error instanceof Failure ? Number(error.data?.["retryAfterSeconds"] ?? 0) * 1000 : 0;
    await this.#deps.wait(Math.max(retryAfterMs, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#waits++)));
  }

  /** Calls until it succeeds. */
  async callUntilAnswered<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#deps.isStopped()) throw new NoResponseError("aborted");
      try {
        return await call();
      } catch (error) {
        await this.waitBeforeRetry(error);
      }
    }
  }
}

const offsetOf = (error: unknown): number | undefined => {
  const offset = error instanceof Failure && error.code === "version_conflict" ? error.data?.["offset"] : undefined;
  return typeof offset === "number" ? offset : undefined;
};

const isDiscarded = (error: unknown) => error instanceof Failure && error.code === "not_found";

/**
 * Uploads a file in chunks, resuming after lost connections and lost, duplicate or late responses, and returns the
 * result. The server's offset decides where the next chunk starts.
 */
export async function runUpload<Made>(deps: UploadDeps<Made>): Promise<Made> {
  const { calls, sizeBytes, onProgress } = deps;
  const retry = new RetryPolicy(deps);
  for (let starts = 1; ; starts += 1) {
    const progress = await retry.callUntilAnswered(() => calls.start());
    onProgress(progress.isComplete ? sizeBytes : progress.offset);
    try {
      return await sendAndComplete(deps, retry, progress);
    } catch (error) {
      // The server discarded it meanwhile: restart, but not indefinitely.
      if (!isDiscarded(error) || starts >= MAX_STARTS) throw error;
    }
  }
}

async function sendAndComplete<Made>(
  deps: UploadDeps<Made>,
  retry: RetryPolicy,
  initial: UploadProgress,
): Promise<Made> {
  let { offset, isComplete } = initial;
  const { calls, sizeBytes, onProgress, onPhase } = deps;
  for (;;) {
    if (!isComplete) offset = await sendChunks(deps, retry, offset);
    onPhase("finishing");
    onProgress(sizeBytes);
    try {
      return await retry.callUntilAnswered(() => calls.complete());
    } catch (error) {
      // The server had received less than expected.
      const serverOffset = offsetOf(error);
      if (serverOffset === undefined || serverOffset >= sizeBytes) throw error;
      offset = serverOffset;
      isComplete = false;
    }
  }
}

async function sendChunks<Made>(deps: UploadDeps<Made>, retry: RetryPolicy, from: number): Promise<number> {
  const { calls, sizeBytes, pieceBytes, onProgress, onPhase } = deps;
  let offset = from;
  while (offset < sizeBytes) {
    if (deps.isStopped()) throw new NoResponseError("aborted");
    onPhase("sending");
    const begin = offset;
    const end = Math.min(sizeBytes, begin + pieceBytes);
    try {
      const progress = await calls.append(begin, end, (bytes) => onProgress(Math.min(end, begin + bytes)));
      offset = progress.offset;
    } catch (error) {
      offset = offsetOf(error) ?? (await queryProgress(error, calls, retry)).offset;
    }
    if (offset > begin) retry.reset();
    onProgress(offset);
  }
  return offset;
}

/** It is unknown whether the chunk arrived: ask the server once it is reachable. */
async function queryProgress<Made>(
  error: unknown,
  calls: UploadCalls<Made>,
  retry: RetryPolicy,
): Promise<UploadProgress> {
  await retry.waitBeforeRetry(error);
  return retry.callUntilAnswered(() => calls.state());
}
