import { Gate } from "#api/jobs/gate.ts";
import { startConfined } from "./confined.ts";
import { SILENCED } from "./watchdog.ts";

/** A program that answers one request in a child process and then exits. */
export interface ChildProgram {
  file: string;
  heapMb: number;
  /** Kills a process that hangs; a slow one stops itself. */
  silenceMs: number;
  maxMs: number;
  /** How many processes run at once. */
  places: number;
  /** Backpressure: the program waits for "taken" after each message, so that unread messages do not pile up. */
  waitsForTaking?: true;
}

/** The program sent nothing for too long, or ended early. */
export class ChildTrouble extends Error {
  readonly fault: "timeout" | "crashed";

  constructor(fault: "timeout" | "crashed") {
    super(`Child process: ${fault}`);
    this.name = "ChildTrouble";
    this.fault = fault;
  }
}

const gates = new Map<string, Gate>();

function placesOf({ file, places }: ChildProgram): Gate {
  const known = gates.get(file) ?? new Gate(places);
  gates.set(file, known);
  return known;
}

/** Starts a child process and yields its messages until it ends. Throws `ChildTrouble`. */
export function askChild<Answer>(
  program: ChildProgram,
  request: object,
  signal: AbortSignal | undefined,
): AsyncGenerator<Answer> {
  return placesOf(program).stream(() => talkTo<Answer>(program, request, signal), signal);
}

async function* talkTo<Answer>(
  program: ChildProgram,
  request: object,
  signal: AbortSignal | undefined,
): AsyncGenerator<Answer> {
  const child = startConfined(program.file, { heapMb: program.heapMb, usesNativeCode: false });
  const inbox: Answer[] = [];
  let wake: (() => void) | undefined;
  let fault: ChildTrouble["fault"] | undefined;
  let isOver = false;
  const end = (why: ChildTrouble["fault"]) => {
    fault ??= why;
    isOver = true;
    child.kill("SIGKILL");
    wake?.();
  };
  const abort = () => end("crashed");
  const total = setTimeout(() => end("timeout"), program.maxMs);
  let silence = setTimeout(() => end("timeout"), program.silenceMs);
  signal?.addEventListener("abort", abort, { once: true });
  child.on("message", (message) => {
    clearTimeout(silence);
    // While the program waits for us, its silence does not count.
    if (!program.waitsForTaking) silence = setTimeout(() => end("timeout"), program.silenceMs);
    inbox.push(message as Answer);
    wake?.();
  });
  child.on("error", () => end("crashed"));
  child.on("exit", (code, by) => {
    if (code !== 0) fault ??= by === SILENCED ? "timeout" : "crashed";
    isOver = true;
    wake?.();
  });
  const taken = () => {
    if (!program.waitsForTaking || isOver) return;
    silence = setTimeout(() => end("timeout"), program.silenceMs);
    child.send("taken", (error) => error && !isOver && end("crashed"));
  };
  try {
    signal?.throwIfAborted();
    child.send(request, (error) => error && end("crashed"));
    for (;;) {
      const message = inbox.shift();
      if (message) {
        yield message;
        taken();
      } else if (isOver) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    signal?.throwIfAborted();
    if (fault) throw new ChildTrouble(fault);
  } finally {
    clearTimeout(total);
    clearTimeout(silence);
    signal?.removeEventListener("abort", abort);
    child.kill("SIGKILL");
  }
}
