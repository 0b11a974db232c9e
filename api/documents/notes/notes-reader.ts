import { fileURLToPath } from "node:url";
import { callChild, ChildProcessError, type ChildProgram } from "../process/call-child.ts";
import type { FromNotes, NotesFault, ToNotes } from "./notes-messages.ts";

const program: ChildProgram = {
  file: fileURLToPath(new URL("./notes-child.ts", import.meta.url)),
  heapMb: 900,
  silenceTimeoutMs: 120_000,
  totalTimeoutMs: 1_800_000,
  maxProcesses: 2,
  isAcknowledged: true,
};

/** An archive of notes that cannot be read, with the reason. */
export class NotesProcessError extends Error {
  readonly fault: NotesFault;
  /** Where an unexpected error was thrown. */
  readonly trace: string | undefined;

  constructor(fault: NotesFault, trace?: string) {
    super(`Notes: ${fault}`);
    this.name = "NotesProcessError";
    this.fault = fault;
    this.trace = trace;
  }
}

/**
 * Reads an archive of notes in a child process; yields each file before the page that shows it. Throws `NotesProcessError`.
 */
export async function* readNotes(request: ToNotes, signal: AbortSignal): AsyncGenerator<FromNotes> {
  try {
    for await (const message of callChild<FromNotes>(program, request, signal)) {
      if (message.type === "failed") throw new NotesProcessError(message.fault, message.trace);
      yield message;
    }
  } catch (error) {
    throw error instanceof ChildProcessError ? new NotesProcessError(error.fault) : error;
  }
}
