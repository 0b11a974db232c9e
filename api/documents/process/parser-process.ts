import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startConfined } from "./confined.ts";
import type { FromParser, ReadFault, ReadRequest, RecogniseRequest, ToParser } from "./parser-messages.ts";
import { SILENCED } from "./watchdog.ts";

/** One way of reading in a process apart. */
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

export const pictureParser: ParserProgram = {
  file: fileURLToPath(new URL("../ocr/ocr-child.ts", import.meta.url)),
  heapMb: 512,
  usesNativeCode: true,
};

/** A parser that works is ended by its own watchdog; this one is for a parser that hangs without working. */
const MAX_SILENCE_MS = 180_000;
const WIND_DOWN_MS = 400;
const MAX_READ_MS = 600_000;
/** pdf.js keeps some of what it has seen; a fresh process is cheaper than a large one. */
const RETIRE_AT_BYTES = 320 * 1024 * 1024;
const RETIRE_AFTER_READS = 100;

/** One parser in a process of its own, so that a hostile file can take down nothing but itself. */
export class ParserProcess {
  readonly #child: ChildProcess;
  #receive: ((message: FromParser) => void) | undefined;
  #reads = 0;
  #fault: ReadFault | undefined;
  #request: ReadRequest | RecogniseRequest | undefined;
  isAlive = true;

  constructor({ file, heapMb, usesNativeCode }: ParserProgram) {
    this.#child = startConfined(file, { heapMb, usesNativeCode });
    this.#child.on("message", (message) => this.#receive?.(message as FromParser));
    this.#child.on("error", () => this.#end("crashed"));
    this.#child.on("exit", (_code, signal) => this.#end(faultBehind(signal)));
    this.rest();
  }

  /** A resting parser does not keep the program from ending. */
  rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  kill(fault: ReadFault): void {
    this.#fault ??= fault;
    this.#child.kill("SIGKILL");
    this.#end(fault);
  }

  /** Sends one request and yields what comes back until it is done; the parser is dead or free afterwards. */
  async *ask(request: ReadRequest | RecogniseRequest, signal: AbortSignal | undefined): AsyncGenerator<FromParser> {
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
        clock.heard();
        isDone = message.type === "done" || message.type === "failed";
        if (message.type === "done") this.#retireWhenWorn(message.memoryBytes);
        yield message;
      }
    } finally {
      clock.stop();
      signal?.removeEventListener("abort", abort);
      this.#receive = undefined;
      // A reader that stopped half way leaves a parser that is still at work.
      if (!isDone && this.isAlive) await this.#windDown(request.id);
      this.rest();
    }
  }

  /** Lets the parser come to the end of its page, so that it need not be started anew. */
  async #windDown(id: number): Promise<void> {
    const isStopped = new Promise<boolean>((resolve) => {
      const late = setTimeout(() => resolve(false), WIND_DOWN_MS);
      this.#receive = (message) => {
        if (message.id !== id || (message.type !== "done" && message.type !== "failed")) return;
        clearTimeout(late);
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

  #retireWhenWorn(memoryBytes: number): void {
    if (memoryBytes > RETIRE_AT_BYTES || this.#reads >= RETIRE_AFTER_READS) this.kill("crashed");
  }
}

function faultBehind(signal: NodeJS.Signals | null): ReadFault {
  if (signal === null) return "crashed";
  return signal === SILENCED ? "timeout" : "too_large";
}

class ReadClock {
  readonly #expire: () => void;
  readonly #total: NodeJS.Timeout;
  #silence: NodeJS.Timeout;

  constructor(expire: () => void) {
    this.#expire = expire;
    this.#total = setTimeout(expire, MAX_READ_MS);
    this.#silence = setTimeout(expire, MAX_SILENCE_MS);
  }

  heard(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(this.#expire, MAX_SILENCE_MS);
  }

  stop(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#silence);
  }
}
