import { Semaphore } from "#api/semaphore.ts";
import { startSandboxed } from "./sandboxed-process.ts";
import { SILENCED } from "./watchdog.ts";

/** A program that answers one request in a child process and then exits. */
export interface ChildProgram {
  file: string;
  heapMb: number;
  /** Kills a process that hangs; a slow one stops itself. */
  silenceTimeoutMs: number;
  totalTimeoutMs: number;
  maxProcesses: number;
  /** Backpressure: the program waits for "ack" after each message, so that unread messages do not pile up. */
  isAcknowledged?: true;
}

/** The program sent nothing for too long, or ended early. */
export class ChildProcessError extends Error {
  readonly fault: "timeout" | "crashed";

  constructor(fault: "timeout" | "crashed") {
    super(`Child process: ${fault}`);
    this.name = "ChildProcessError";
    this.fault = fault;
  }
}

const semaphores = new Map<string, Semaphore>();

function getSemaphore({ file, maxProcesses }: ChildProgram): Semaphore {
  const semaphore = semaphores.get(file) ?? new Semaphore(maxProcesses);
  semaphores.set(file, semaphore);
  return semaphore;
}

/** Starts a child process and yields its messages until it ends. Throws `ChildProcessError`. */
export function callChild<Answer>(
  program: ChildProgram,
  request: object,
  signal: AbortSignal | undefined,
): AsyncGenerator<Answer> {
  return getSemaphore(program).stream(() => runChild<Answer>(program, request, signal), signal);
}

async function* runChild<Answer>(
  program: ChildProgram,
  request: object,
  signal: AbortSignal | undefined,
): AsyncGenerator<Answer> {
  const child = startSandboxed(program.file, { heapMb: program.heapMb, usesNativeCode: false });
  const inbox: Answer[] = [];
  let wake: (() => void) | undefined;
  let fault: ChildProcessError["fault"] | undefined;
  let hasEnded = false;
  const end = (reason: ChildProcessError["fault"]) => {
    fault ??= reason;
    hasEnded = true;
    child.kill("SIGKILL");
    wake?.();
  };
  const abort = () => end("crashed");
  const totalTimer = setTimeout(() => end("timeout"), program.totalTimeoutMs);
  let silenceTimer = setTimeout(() => end("timeout"), program.silenceTimeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  child.on("message", (message) => {
    clearTimeout(silenceTimer);
    // While the program waits for us, its silence does not count.
    if (!program.isAcknowledged) silenceTimer = setTimeout(() => end("timeout"), program.silenceTimeoutMs);
    inbox.push(message as Answer);
    wake?.();
  });
  child.on("error", () => end("crashed"));
  child.on("exit", (code, signalName) => {
    if (code !== 0) fault ??= signalName === SILENCED ? "timeout" : "crashed";
    hasEnded = true;
    wake?.();
  });
  const acknowledge = () => {
    if (!program.isAcknowledged || hasEnded) return;
    silenceTimer = setTimeout(() => end("timeout"), program.silenceTimeoutMs);
    child.send("ack", (error) => error && !hasEnded && end("crashed"));
  };
  try {
    signal?.throwIfAborted();
    child.send(request, (error) => error && end("crashed"));
    for (;;) {
      const message = inbox.shift();
      if (message) {
        yield message;
        acknowledge();
      } else if (hasEnded) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    signal?.throwIfAborted();
    if (fault) throw new ChildProcessError(fault);
  } finally {
    clearTimeout(totalTimer);
    clearTimeout(silenceTimer);
    signal?.removeEventListener("abort", abort);
    child.kill("SIGKILL");
  }
}
