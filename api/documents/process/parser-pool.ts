import { availableParallelism } from "node:os";
import { Gate } from "#api/jobs/gate.ts";
import { ParserProcess, type ParserProgram, pictureParser, textParser } from "./parser-process.ts";

const MAX_PARSERS = Math.max(1, Math.min(4, availableParallelism()));
const IDLE_MS = 60_000;

/** A pool with a maximum number of processes of one program. */
class ParserPool {
  readonly #program: ParserProgram;
  readonly #places: Gate;
  readonly #idle: ParserProcess[] = [];
  #sweep: NodeJS.Timeout | undefined;

  constructor(program: ParserProgram, max: number) {
    this.#program = program;
    this.#places = new Gate(max);
  }

  /** Runs `work` with a parser from the pool, waiting for a free one. */
  lend<Out>(work: (parser: ParserProcess) => AsyncIterable<Out>): AsyncGenerator<Out> {
    return this.#places.stream(() => this.#useOne(work));
  }

  async *#useOne<Out>(work: (parser: ParserProcess) => AsyncIterable<Out>): AsyncGenerator<Out> {
    const parser = this.#takeIdle() ?? new ParserProcess(this.#program);
    try {
      yield* work(parser);
    } finally {
      if (parser.isAlive) this.#idle.push(parser);
      this.#scheduleSweep();
    }
  }

  #takeIdle(): ParserProcess | undefined {
    for (let parser = this.#idle.pop(); parser; parser = this.#idle.pop()) {
      if (parser.isAlive) return parser;
    }
    return undefined;
  }

  /** Each parser holds about 100 MB, so idle ones are stopped after a minute. */
  #scheduleSweep(): void {
    clearTimeout(this.#sweep);
    this.#sweep = setTimeout(() => this.close(), IDLE_MS);
    this.#sweep.unref();
  }

  close(): void {
    for (const parser of this.#idle.splice(0)) parser.kill("crashed");
  }
}

const texts = new ParserPool(textParser, MAX_PARSERS);
/** OCR uses a whole core for seconds: running one at a time leaves the other cores for requests. */
const pictures = new ParserPool(pictureParser, 1);

export const withParser = <Out>(work: (parser: ParserProcess) => AsyncIterable<Out>) => texts.lend(work);

export const withRecogniser = <Out>(work: (parser: ParserProcess) => AsyncIterable<Out>) => pictures.lend(work);

/** Stops all idle parsers. */
export function closeParsers(): void {
  texts.close();
  pictures.close();
}
