import type { IncomingMessage } from "node:http";
import { isMarkedAsUntransferable, Worker } from "node:worker_threads";
import type { FormFault, FormFile, FormLimits, FromForm, ToForm } from "./form-worker.ts";

/** Chunks are sent in batches, because a message costs about as much as parsing 10 KB. */
const BATCH_BYTES = 256 * 1024;
/** Backpressure: how many batches a client may be ahead of the disk. */
const MAX_BATCHES_AHEAD = 3;
/** Chunks are short-lived; a small young generation collects them cheaply. */
const NURSERY_MB = 4;

export type FormResult = { fields: [string, string][]; files: FormFile[] } | { fault: FormFault | "cancelled" };

interface Listener {
  ready(): void;
  settle(received: FormResult): void;
}

let worker: Worker | undefined;
let lastId = 0;
const listeners = new Map<number, Listener>();

function startThread(): Worker {
  const thread = new Worker(new URL("./form-worker.ts", import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB, maxOldGenerationSizeMb: 512 },
    execArgv: [],
  });
  thread.unref();
  thread.on("message", handleMessage);
  thread.on("error", () => undefined);
  thread.on("exit", () => {
    worker = undefined;
    for (const listener of listeners.values()) listener.settle({ fault: "disk" });
    listeners.clear();
  });
  return thread;
}

function handleMessage(message: FromForm): void {
  const listener = listeners.get(message.id);
  if (message.kind === "ready") return listener?.ready();
  listeners.delete(message.id);
  return listener?.settle(message.kind === "done" ? message : { fault: message.fault });
}

function send(message: ToForm, transfer: ArrayBuffer[] = []): void {
  worker ??= startThread();
  worker.postMessage(message, transfer);
}

/** Returns a chunk that can be transferred: the chunk itself, or a copy if its buffer is shared. */
function toTransferable(chunk: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const ownsBuffer = chunk.length === chunk.buffer.byteLength && !isMarkedAsUntransferable(chunk.buffer);
  return ownsBuffer ? chunk : new Uint8Array(chunk);
}

/**
 * Parses, hashes and writes a multipart form in a worker thread; the event loop only passes the chunks on. Resolves
 * when the files are on disk, or when all of them have been removed.
 */
export function receiveFormInWorker(request: IncomingMessage, limits: FormLimits): Promise<FormResult> {
  // The client disconnected during authentication, so the request would emit no further event.
  if (request.destroyed) return Promise.resolve({ fault: "cancelled" });
  lastId += 1;
  const id = lastId;
  let batch: Uint8Array<ArrayBuffer>[] = [];
  let batchBytes = 0;
  let batchesAhead = 0;
  let isCancelled = false;

  const flushBatch = () => {
    if (batch.length === 0) return;
    const chunks = batch;
    batch = [];
    batchBytes = 0;
    batchesAhead += 1;
    send(
      { id, kind: "pieces", pieces: chunks },
      chunks.map(({ buffer }) => buffer),
    );
    if (batchesAhead >= MAX_BATCHES_AHEAD) request.pause();
  };
  const onData = (chunk: Buffer<ArrayBuffer>) => {
    const ownedChunk = toTransferable(chunk);
    batch.push(ownedChunk);
    batchBytes += ownedChunk.length;
    if (batchBytes >= BATCH_BYTES) flushBatch();
  };
  const onEnd = () => {
    flushBatch();
    send({ id, kind: "end" });
  };
  const handleAbort = () => {
    isCancelled = true;
    send({ id, kind: "drop" });
  };
  return new Promise<FormResult>((resolve) => {
    listeners.set(id, {
      ready() {
        batchesAhead -= 1;
        if (batchesAhead < MAX_BATCHES_AHEAD) request.resume();
      },
      settle(received) {
        request.off("data", onData).off("end", onEnd).off("aborted", handleAbort).off("error", handleAbort);
        // Drain the rest, so that the response reaches a client that is still sending.
        request.on("error", () => undefined).resume();
        resolve("fault" in received && isCancelled ? { fault: "cancelled" } : received);
      },
    });
    send({ id, kind: "open", limits });
    request.on("data", onData).on("end", onEnd).on("aborted", handleAbort).on("error", handleAbort);
  });
}
