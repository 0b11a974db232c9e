import { availableParallelism } from "node:os";
import { Gate } from "#api/jobs/gate.ts";
import { ParserProcess, type ParserProgram, pictureParser, textParser } from "./parser-process.ts";

const MAX_PARSERS = Math.max(1, Math.min(4, availableParallelism()));
const IDLE_MS = 60_000;

/** Processes of one program, so many at once and no more. */
class ParserPool {
  readonly #program: ParserProgram;
  readonly #places: Gate;
  readonly #idle: ParserProcess[] = [];
  #sweep: NodeJS.Timeout | undefined;

  constructor(program: ParserProgram, max: number) {
    this.#program = program;
    this.#places = new Gate(max);
  }

  /** Lends a parser to `work`, waiting for a free one, and keeps it warm for the next. */
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

  /** Parsers hold a hundred megabytes each: nobody asking for a minute gives it back. */
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
/** Recognising takes a whole core for seconds: one at a time leaves the others to those who wait for an answer. */
const pictures = new ParserPool(pictureParser, 1);

export const withParser = <Out>(work: (parser: ParserProcess) => AsyncIterable<Out>) => texts.lend(work);

export const withRecogniser = <Out>(work: (parser: ParserProcess) => AsyncIterable<Out>) => pictures.lend(work);

/** Ends the parsers that have nothing to do. */
export function closeParsers(): void {
  texts.close();
  pictures.close();
}
