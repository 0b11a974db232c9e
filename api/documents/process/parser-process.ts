import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startSandboxed } from "./sandboxed-process.ts";
import type { FromParser, ReadFault, ReadRequest, RecogniseRequest, ToParser } from "./parser-messages.ts";
import { SILENCED } from "./watchdog.ts";

/** A reader program for a child process. */
export interface ParserProgram {
  file: string;
  heapMb: number;
  usesNativeCode: boolean;
}

export const textParser: ParserProgram = {
  file: fileURLToPath(new URL("./parser-child.ts", import.meta.url)),
  heapMb: 512,
  usesNativeCode: false,
};

export const imageParser: ParserProgram = {
  file: fileURLToPath(new URL("../ocr/ocr-child.ts", import.meta.url)),
  heapMb: 512,
  usesNativeCode: true,
};

/** For a parser that hangs without using the CPU; a busy one is stopped by its own watchdog. */
const MAX_SILENCE_MS = 180_000;
const STOP_TIMEOUT_MS = 400;
const MAX_READ_MS = 600_000;
/** pdf.js caches what it has parsed, so a fresh process is cheaper than a large one. */
const RETIRE_AT_BYTES = 320 * 1024 * 1024;
const RETIRE_AFTER_READS = 100;

/** A parser in a child process, so that a malicious file can only crash that process. */
export class ParserProcess {
  readonly #child: ChildProcess;
  #receive: ((message: FromParser) => void) | undefined;
  #reads = 0;
  #fault: ReadFault | undefined;
  #request: ReadRequest | RecogniseRequest | undefined;
  isAlive = true;

  constructor({ file, heapMb, usesNativeCode }: ParserProgram) {
    this.#child = startSandboxed(file, { heapMb, usesNativeCode });
    this.#child.on("message", (message) => this.#receive?.(message as FromParser));
    this.#child.on("error", () => this.#end("crashed"));
    this.#child.on("exit", (_code, signal) => this.#end(toFault(signal)));
    this.unref();
  }

  /** An idle parser does not keep this process alive. */
  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  kill(fault: ReadFault): void {
    this.#fault ??= fault;
    this.#child.kill("SIGKILL");
    this.#end(fault);
  }

  /** Sends one request and yields the responses until it is done; afterwards the parser is either free or stopped. */
  async *request(request: ReadRequest | RecogniseRequest, signal: AbortSignal | undefined): AsyncGenerator<FromParser> {
    const inbox: FromParser[] = [];
    let wake: (() => void) | undefined;
    this.#receive = (message) => {
      inbox.push(message);
      wake?.();
    };
    const abort = (): void => this.kill("crashed");
    signal?.addEventListener("abort", abort, { once: true });
    this.#child.ref();
    this.#child.channel?.ref();
    this.#reads++;
    const clock = new ReadClock(() => this.kill("timeout"));
    let isDone = false;
    try {
      this.#post(request);
      while (!isDone) {
        const message = inbox.shift();
        if (!message) {
          await new Promise<void>((resolve) => (wake = resolve));
          continue;
        }
        if (message.id !== request.id) continue;
        clock.reset();
        isDone = message.type === "done" || message.type === "failed";
        if (message.type === "done") this.#retireIfWorn(message.memoryBytes);
        yield message;
      }
    } finally {
      clock.stop();
      signal?.removeEventListener("abort", abort);
      this.#receive = undefined;
      // The consumer stopped early, so the parser is still working.
      if (!isDone && this.isAlive) await this.#stopReading(request.id);
      this.unref();
    }
  }

  /** Lets the parser finish its current page, so that it can be reused. */
  async #stopReading(id: number): Promise<void> {
    const isStopped = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), STOP_TIMEOUT_MS);
      this.#receive = (message) => {
        if (message.id !== id || (message.type !== "done" && message.type !== "failed")) return;
        clearTimeout(timer);
        resolve(true);
      };
    });
    this.#child.send({ type: "stop", id } satisfies ToParser, (error) => error && this.#end("crashed"));
    if (!(await isStopped)) this.kill("crashed");
    this.#receive = undefined;
  }

  #post(request: ReadRequest | RecogniseRequest): void {
    this.#request = request;
    if (!this.isAlive) this.#report(this.#fault ?? "crashed");
    else this.#child.send(request, (error) => error && this.#end("crashed"));
  }

  #end(fault: ReadFault): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#fault ??= fault;
    this.#report(this.#fault);
  }

  #report(fault: ReadFault): void {
    this.#receive?.({ type: "failed", id: this.#request?.id ?? -1, fault });
  }

  #retireIfWorn(memoryBytes: number): void {
    if (memoryBytes > RETIRE_AT_BYTES || this.#reads >= RETIRE_AFTER_READS) this.kill("crashed");
  }
}

function toFault(signal: NodeJS.Signals | null): ReadFault {
  if (signal === null) return "crashed";
  return signal === SILENCED ? "timeout" : "too_large";
}

class ReadClock {
  readonly #expire: () => void;
  readonly #totalTimer: NodeJS.Timeout;
  #silenceTimer: NodeJS.Timeout;

  constructor(expire: () => void) {
    this.#expire = expire;
    this.#totalTimer = setTimeout(expire, MAX_READ_MS);
    this.#silenceTimer = setTimeout(expire, MAX_SILENCE_MS);
  }

  reset(): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(this.#expire, MAX_SILENCE_MS);
  }

  stop(): void {
    clearTimeout(this.#totalTimer);
    clearTimeout(this.#silenceTimer);
  }
}
