import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";

/** What the server has received of an upload. */
export interface Held {
  offset: number;
  isComplete: boolean;
}

/** The upload's phase for display. */
export type UploadPhase = "sending" | "waiting" | "finishing";

/** The calls of one upload; all are safe to retry and reject with `Failure` or `NoAnswer`. */
export interface UploadCalls<Made> {
  start(): Promise<Held>;
  state(): Promise<Held>;
  /** Sends the bytes from `offset` to `end` (exclusive); `onSent` reports how many of them were sent. */
  append(offset: number, end: number, onSent: (bytes: number) => void): Promise<Held>;
  complete(): Promise<Made>;
}

interface RunParts<Made> {
  calls: UploadCalls<Made>;
  sizeBytes: number;
  pieceBytes: number;
  /** Resolves after `ms`, or earlier when the connection is restored; rejects if the upload was stopped. */
  wait(ms: number): Promise<void>;
  /** Ends the upload with `NoAnswer("aborted")` before its next call. */
  isStopped(): boolean;
  onProgress: (sentBytes: number) => void;
  onPhase: (phase: UploadPhase) => void;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Retries after server errors; a lost connection is retried without limit. */
const MAX_REFUSALS = 8;
const MAX_STARTS = 4;

/** A file whose processing timed out would time out again. */
const isOfTheFile = ({ code, data }: Failure) => code === "timed_out" && data?.["reason"] !== undefined;
const waitsOn = (failure: Failure) =>
  !isOfTheFile(failure) && (failure.status === 429 || failure.status === 408 || failure.status >= 500);

/** Retry with exponential backoff: transient failures are retried, refusals are thrown. */
class Patience {
  readonly #parts: Pick<RunParts<unknown>, "wait" | "isStopped" | "onPhase">;
  #waits = 0;
  #refusals = 0;

  constructor(parts: Pick<RunParts<unknown>, "wait" | "isStopped" | "onPhase">) {
    this.#parts = parts;
  }

  gotOn(): void {
    this.#waits = 0;
    this.#refusals = 0;
  }

  /** Waits before the next attempt; throws if retrying cannot help. */
  async outlast(error: unknown): Promise<void> {
    if (this.#parts.isStopped()) throw new NoAnswer("aborted");
    if (!(error instanceof NoAnswer) && !(error instanceof Failure && waitsOn(error))) throw error;
    if (error instanceof NoAnswer && error.reason === "aborted") throw error;
    if (error instanceof Failure && ++this.#refusals > MAX_REFUSALS) throw error;
    this.#parts.onPhase("waiting");
    const asked = error instanceof Failure ? Number(error.data?.["retryAfterSeconds"] ?? 0) * 1000 : 0;
    await this.#parts.wait(Math.max(asked, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#waits++)));
  }

  /** Calls until it succeeds. */
  async ask<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#parts.isStopped()) throw new NoAnswer("aborted");
      try {
        return await call();
      } catch (error) {
        await this.outlast(error);
      }
    }
  }
}

const offsetOf = (error: unknown): number | undefined => {
  const offset = error instanceof Failure && error.code === "version_conflict" ? error.data?.["offset"] : undefined;
  return typeof offset === "number" ? offset : undefined;
};

const isForgotten = (error: unknown) => error instanceof Failure && error.code === "not_found";

/**
 * Uploads a file in chunks, resuming after lost connections and lost, duplicate or late responses, and returns the
 * result. The server's offset decides where the next chunk starts.
 */
export async function runUpload<Made>(parts: RunParts<Made>): Promise<Made> {
  const { calls, sizeBytes, onProgress } = parts;
  const patience = new Patience(parts);
  for (let starts = 1; ; starts += 1) {
    const held = await patience.ask(() => calls.start());
    onProgress(held.isComplete ? sizeBytes : held.offset);
    try {
      return await carryOn(parts, patience, held);
    } catch (error) {
      // The server discarded it meanwhile: restart, but not indefinitely.
      if (!isForgotten(error) || starts >= MAX_STARTS) throw error;
    }
  }
}

async function carryOn<Made>(parts: RunParts<Made>, patience: Patience, begun: Held): Promise<Made> {
  let { offset, isComplete } = begun;
  const { calls, sizeBytes, onProgress, onPhase } = parts;
  for (;;) {
    if (!isComplete) offset = await sendAll(parts, patience, offset);
    onPhase("finishing");
    onProgress(sizeBytes);
    try {
      return await patience.ask(() => calls.complete());
    } catch (error) {
      // The server had received less than expected.
      const there = offsetOf(error);
      if (there === undefined || there >= sizeBytes) throw error;
      offset = there;
      isComplete = false;
    }
  }
}

async function sendAll<Made>(parts: RunParts<Made>, patience: Patience, from: number): Promise<number> {
  const { calls, sizeBytes, pieceBytes, onProgress, onPhase } = parts;
  let offset = from;
  while (offset < sizeBytes) {
    if (parts.isStopped()) throw new NoAnswer("aborted");
    onPhase("sending");
    const begin = offset;
    const end = Math.min(sizeBytes, begin + pieceBytes);
    try {
      const held = await calls.append(begin, end, (bytes) => onProgress(Math.min(end, begin + bytes)));
      offset = held.offset;
    } catch (error) {
      offset = offsetOf(error) ?? (await askAfter(error, calls, patience)).offset;
    }
    if (offset > begin) patience.gotOn();
    onProgress(offset);
  }
  return offset;
}

/** It is unknown whether the chunk arrived: ask the server once it is reachable. */
async function askAfter<Made>(error: unknown, calls: UploadCalls<Made>, patience: Patience): Promise<Held> {
  await patience.outlast(error);
  return patience.ask(() => calls.state());
}
