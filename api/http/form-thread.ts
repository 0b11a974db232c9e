import type { IncomingMessage } from "node:http";
import { isMarkedAsUntransferable, Worker } from "node:worker_threads";
import type { FormFault, FormFile, FormLimits, FromForm, ToForm } from "./form-worker.ts";

/** Chunks are sent in batches: a message costs about as much as parsing 10 KB. */
const BATCH_BYTES = 256 * 1024;
/** Backpressure: how many batches a client may be ahead of the disk. */
const MAX_BATCHES_AHEAD = 3;
/** Chunks are short-lived; a small young generation collects them cheaply. */
const NURSERY_MB = 4;

export type Received = { fields: [string, string][]; files: FormFile[] } | { fault: FormFault | "cancelled" };

interface Listener {
  ready(): void;
  settle(received: Received): void;
}

let worker: Worker | undefined;
let lastId = 0;
const listeners = new Map<number, Listener>();

function startThread(): Worker {
  const made = new Worker(new URL("./form-worker.ts", import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB, maxOldGenerationSizeMb: 512 },
    execArgv: [],
  });
  made.unref();
  made.on("message", hear);
  made.on("error", () => undefined);
  made.on("exit", () => {
    worker = undefined;
    for (const listener of listeners.values()) listener.settle({ fault: "disk" });
    listeners.clear();
  });
  return made;
}

function hear(message: FromForm): void {
  const listener = listeners.get(message.id);
  if (message.kind === "ready") return listener?.ready();
  listeners.delete(message.id);
  return listener?.settle(message.kind === "done" ? message : { fault: message.fault });
}

function send(message: ToForm, transfer: ArrayBuffer[] = []): void {
  worker ??= startThread();
  worker.postMessage(message, transfer);
}

/** Transfers a chunk that has its buffer to itself; copies one whose buffer is shared. */
function ownMemory(piece: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const isAlone = piece.length === piece.buffer.byteLength && !isMarkedAsUntransferable(piece.buffer);
  return isAlone ? piece : new Uint8Array(piece);
}

/**
 * Parses, hashes and writes a multipart form in a worker thread; the event loop only passes the chunks on. Resolves
 * when the files are on disk, or when all of them have been removed.
 */
export function receiveBesideLoop(request: IncomingMessage, limits: FormLimits): Promise<Received> {
  // The client disconnected during authentication: the request would emit no further event.
  if (request.destroyed) return Promise.resolve({ fault: "cancelled" });
  const id = (lastId += 1);
  let batch: Uint8Array<ArrayBuffer>[] = [];
  let batchBytes = 0;
  let ahead = 0;
  let isCancelled = false;

  const handOver = () => {
    if (batch.length === 0) return;
    const pieces = batch;
    batch = [];
    batchBytes = 0;
    ahead += 1;
    send(
      { id, kind: "pieces", pieces },
      pieces.map(({ buffer }) => buffer),
    );
    if (ahead >= MAX_BATCHES_AHEAD) request.pause();
  };
  const onData = (piece: Buffer<ArrayBuffer>) => {
    const own = ownMemory(piece);
    batch.push(own);
    batchBytes += own.length;
    if (batchBytes >= BATCH_BYTES) handOver();
  };
  const onEnd = () => {
    handOver();
    send({ id, kind: "end" });
  };
  const onCut = () => {
    isCancelled = true;
    send({ id, kind: "drop" });
  };
  return new Promise<Received>((resolve) => {
    listeners.set(id, {
      ready() {
        ahead -= 1;
        if (ahead < MAX_BATCHES_AHEAD) request.resume();
      },
      settle(received) {
        request.off("data", onData).off("end", onEnd).off("aborted", onCut).off("error", onCut);
        // Drain the rest, so that the response reaches a client that is still sending.
        request.on("error", () => undefined).resume();
        resolve("fault" in received && isCancelled ? { fault: "cancelled" } : received);
      },
    });
    send({ id, kind: "open", limits });
    request.on("data", onData).on("end", onEnd).on("aborted", onCut).on("error", onCut);
  });
}
