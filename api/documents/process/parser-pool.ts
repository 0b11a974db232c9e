import { availableParallelism } from "node:os";
import { Semaphore } from "#api/semaphore.ts";
import { ParserProcess, type ParserProgram, imageParser, textParser } from "./parser-process.ts";

const MAX_PARSERS = Math.max(1, Math.min(4, availableParallelism()));
const IDLE_MS = 60_000;

/** A pool with a maximum number of processes of one program. */
class ParserPool {
  readonly #program: ParserProgram;
  readonly #permits: Semaphore;
  readonly #idle: ParserProcess[] = [];
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(program: ParserProgram, max: number) {
    this.#program = program;
    this.#permits = new Semaphore(max);
  }

  /** Runs `work` with a parser from the pool. Waits for a free one; `signal` can end the wait. */
  run<Out>(work: (parser: ParserProcess) => AsyncIterable<Out>, signal?: AbortSignal): AsyncGenerator<Out> {
    return this.#permits.stream(() => this.#runWithParser(work), signal);
  }

  async *#runWithParser<Out>(work: (parser: ParserProcess) => AsyncIterable<Out>): AsyncGenerator<Out> {
    const parser = this.#popIdle() ?? new ParserProcess(this.#program);
    try {
      yield* work(parser);
    } finally {
      if (parser.isAlive) this.#idle.push(parser);
      this.#scheduleSweep();
    }
  }

  #popIdle(): ParserProcess | undefined {
    for (let parser = this.#idle.pop(); parser; parser = this.#idle.pop()) {
      if (parser.isAlive) return parser;
    }
    return undefined;
  }

  /** Each parser uses about 100 MB, so idle ones are stopped after a minute. */
  #scheduleSweep(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.close(), IDLE_MS);
    this.#idleTimer.unref();
  }

  close(): void {
    for (const parser of this.#idle.splice(0)) parser.kill("crashed");
  }
}

const textParsers = new ParserPool(textParser, MAX_PARSERS);
/** OCR uses a whole core for seconds, so running one at a time leaves the other cores for requests. */
const imageParsers = new ParserPool(imageParser, 1);

export const withParser = <Out>(work: (parser: ParserProcess) => AsyncIterable<Out>) => textParsers.run(work);

/** Waits for a free parser; `signal` can end the wait. */
export const withImageParser = <Out>(work: (parser: ParserProcess) => AsyncIterable<Out>, signal?: AbortSignal) =>
  imageParsers.run(work, signal);

/** Stops all idle parsers. */
export function closeParsers(): void {
  textParsers.close();
  imageParsers.close();
}
