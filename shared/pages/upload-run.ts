import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";

/** What a server holds of an upload. */
export interface Held {
  offset: number;
  isComplete: boolean;
}

/** Where the run stands, for the eye. */
export type UploadPhase = "sending" | "waiting" | "finishing";

/** The calls of one upload, each as often as asked; rejecting with `Failure` or `NoAnswer`. */
export interface UploadCalls<Made> {
  start(): Promise<Held>;
  state(): Promise<Held>;
  /** Sends the bytes from `offset` to `end` (exclusive); `onSent` hears how many of them have gone. */
  append(offset: number, end: number, onSent: (bytes: number) => void): Promise<Held>;
  complete(): Promise<Made>;
}

interface RunParts<Made> {
  calls: UploadCalls<Made>;
  sizeBytes: number;
  pieceBytes: number;
  /** Resolves after so many ms, or sooner where the connection is back; rejects where the upload was stopped. */
  wait(ms: number): Promise<void>;
  /** Ends the run with `NoAnswer("aborted")` before its next call. */
  isStopped(): boolean;
  onProgress: (sentBytes: number) => void;
  onPhase: (phase: UploadPhase) => void;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** So often a server that answers with its own trouble is asked again; a missing connection is waited for. */
const MAX_REFUSALS = 8;
const MAX_STARTS = 4;

/** A file that took too long to read takes as long the next time. */
const isOfTheFile = ({ code, data }: Failure) => code === "timed_out" && data?.["reason"] !== undefined;
const waitsOn = (failure: Failure) =>
  !isOfTheFile(failure) && (failure.status === 429 || failure.status === 408 || failure.status >= 500);

/** Tells trouble that passes from a refusal: the one is waited out with growing pauses, the other is thrown. */
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

  /** Throws what waiting does not mend. */
  async outlast(error: unknown): Promise<void> {
    if (this.#parts.isStopped()) throw new NoAnswer("aborted");
    if (!(error instanceof NoAnswer) && !(error instanceof Failure && waitsOn(error))) throw error;
    if (error instanceof NoAnswer && error.reason === "aborted") throw error;
    if (error instanceof Failure && ++this.#refusals > MAX_REFUSALS) throw error;
    this.#parts.onPhase("waiting");
    const asked = error instanceof Failure ? Number(error.data?.["retryAfterSeconds"] ?? 0) * 1000 : 0;
    await this.#parts.wait(Math.max(asked, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#waits++)));
  }

  /** Asks until there is an answer. */
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
 * Brings a file to the server in pieces, from wherever it stands, through lost connections and lost, doubled and late
 * answers, and answers with what it became. What the server says it holds decides where the next piece begins.
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
      // Forgotten there meanwhile: it begins anew, unless that happens again and again.
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
      // Less stood there than it seemed.
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

/** Nobody knows whether the piece arrived: the server is asked, once it can be. */
async function askAfter<Made>(error: unknown, calls: UploadCalls<Made>, patience: Patience): Promise<Held> {
  await patience.outlast(error);
  return patience.ask(() => calls.state());
}
