import { fileURLToPath } from "node:url";
import type { AnkiFault, FromAnki, OutgoingPackage, ToAnki } from "./anki-messages.ts";
import { callChild, ChildProcessError, type ChildProgram } from "../process/call-child.ts";

const program: ChildProgram = {
  file: fileURLToPath(new URL("./anki-child.ts", import.meta.url)),
  heapMb: 900,
  silenceTimeoutMs: 120_000,
  totalTimeoutMs: 600_000,
  maxProcesses: 2,
};

/** The Anki process could not read or write a package, for the reason in `fault`. */
export class AnkiProcessError extends Error {
  readonly fault: AnkiFault;

  constructor(fault: AnkiFault) {
    super(`Package: ${fault}`);
    this.name = "AnkiProcessError";
    this.fault = fault;
  }
}

async function* callAnki(request: ToAnki, signal: AbortSignal | undefined): AsyncGenerator<FromAnki> {
  try {
    yield* callChild<FromAnki>(program, request, signal);
  } catch (error) {
    throw error instanceof ChildProcessError ? new AnkiProcessError(error.fault) : error;
  }
}

/** Reads a package (.apkg, .colpkg or a bare collection) of any version; throws `AnkiProcessError`. */
export async function* readAnki(path: string, signal?: AbortSignal): AsyncGenerator<FromAnki> {
  for await (const message of callAnki({ type: "read", path }, signal)) {
    if (message.type === "failed") throw new AnkiProcessError(message.fault);
    yield message;
  }
}

/** Writes decks as an Anki package; throws `AnkiProcessError`. */
export async function writeAnki(outgoing: OutgoingPackage, signal?: AbortSignal): Promise<Uint8Array> {
  for await (const message of callAnki({ type: "write", package: outgoing }, signal)) {
    if (message.type === "failed") throw new AnkiProcessError(message.fault);
    if (message.type === "written") return message.bytes;
  }
  throw new AnkiProcessError("crashed");
}
