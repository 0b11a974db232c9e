import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { FromParser, ReadFault, ReadRequest, RecogniseRequest, ToParser } from "./parser-messages.ts";

const HEAP_MB = 512;

/** One way of reading in a process apart, with what it may do and how long it may say nothing. */
export interface ParserProgram {
  file: string;
  /** Drawing and recognising pictures takes native code. */
  usesNativeCode: boolean;
  silenceMs: number;
}

export const textParser: ParserProgram = {
  file: fileURLToPath(new URL("./parser-child.ts", import.meta.url)),
  usesNativeCode: false,
  // Longer than any honest page takes, and short enough that an upload still answers in ten seconds.
  silenceMs: 8_000,
};

export const pictureParser: ParserProgram = {
  file: fileURLToPath(new URL("./ocr/ocr-child.ts", import.meta.url)),
  usesNativeCode: true,
  // A dense page takes some seconds, four times over where it lies on its side, and more on a busy machine.
  silenceMs: 120_000,
};

const WIND_DOWN_MS = 400;
const MAX_READ_MS = 600_000;
/** pdf.js keeps some of what it has seen; a fresh process is cheaper than a large one. */
const RETIRE_AT_BYTES = 320 * 1024 * 1024;
const RETIRE_AFTER_READS = 100;

/** One parser in a process of its own, so that a hostile file can take down nothing but itself. */
export class ParserProcess {
  readonly #child: ChildProcess;
  readonly #silenceMs: number;
  #receive: ((message: FromParser) => void) | undefined;
  #reads = 0;
  #fault: ReadFault | undefined;
  #request: ReadRequest | RecogniseRequest | undefined;
  isAlive = true;

  constructor({ file, usesNativeCode, silenceMs }: ParserProgram) {
    this.#silenceMs = silenceMs;
    const rights = [
      "--permission",
      "--allow-fs-read=*",
      "--allow-worker",
      ...(usesNativeCode ? ["--allow-addons"] : []),
    ];
    this.#child = fork(file, [], {
      // No writing and no programs; the parser's rights end at reading files.
      execArgv: [...rights, `--max-old-space-size=${HEAP_MB}`],
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child.on("message", (message) => this.#receive?.(message as FromParser));
    this.#child.on("error", () => this.#end("crashed"));
    this.#child.on("exit", (_code, signal) => this.#end(signal === null ? "crashed" : "too_large"));
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
    const clock = new ReadClock(this.#silenceMs, () => this.kill("timeout"));
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

class ReadClock {
  readonly #silenceMs: number;
  readonly #expire: () => void;
  readonly #total: NodeJS.Timeout;
  #silence: NodeJS.Timeout;

  constructor(silenceMs: number, expire: () => void) {
    this.#silenceMs = silenceMs;
    this.#expire = expire;
    this.#total = setTimeout(expire, MAX_READ_MS);
    this.#silence = setTimeout(expire, silenceMs);
  }

  heard(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(this.#expire, this.#silenceMs);
  }

  stop(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#silence);
  }
}
