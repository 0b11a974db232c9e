import type { IncomingMessage } from "node:http";
import { isMarkedAsUntransferable, Worker } from "node:worker_threads";
import type { FormFault, FormFile, FormLimits, FromForm, ToForm } from "./form-worker.ts";

/** Pieces go over together: a message costs about as much as reading 10 KB. */
const BATCH_BYTES = 256 * 1024;
/** How far a client may run ahead of the disk. */
const MAX_BATCHES_AHEAD = 3;
/** The pieces live for a moment; in a small nursery they are cleared away cheaply. */
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

/** A piece that has its memory to itself changes hands; of shared memory a copy does. */
function ownMemory(piece: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const isAlone = piece.length === piece.buffer.byteLength && !isMarkedAsUntransferable(piece.buffer);
  return isAlone ? piece : new Uint8Array(piece);
}

/**
 * Has a multipart form read, hashed and written by a thread beside the request loop, which only hands the pieces over.
 * Resolves when the files are on the disk, or when nothing of them is left.
 */
export function receiveBesideLoop(request: IncomingMessage, limits: FormLimits): Promise<Received> {
  // Its sender went away while it was looked up who that is: nothing would ever be heard of it again.
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
        // The rest is read and dropped, so that the answer reaches a client that is still sending.
        request.on("error", () => undefined).resume();
        resolve("fault" in received && isCancelled ? { fault: "cancelled" } : received);
      },
    });
    send({ id, kind: "open", limits });
    request.on("data", onData).on("end", onEnd).on("aborted", onCut).on("error", onCut);
  });
}
