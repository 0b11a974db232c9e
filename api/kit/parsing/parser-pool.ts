import { availableParallelism } from "node:os";
import { ParserProcess } from "./parser-process.ts";

const MAX_PARSERS = Math.max(1, Math.min(4, availableParallelism()));
const IDLE_MS = 60_000;

const idle: ParserProcess[] = [];
const waiting: (() => void)[] = [];
let taken = 0;
let sweep: NodeJS.Timeout | undefined;

/** Lends a parser to `work`, waiting for a free one, and keeps it warm for the next. */
export async function* withParser<Out>(work: (parser: ParserProcess) => AsyncIterable<Out>): AsyncGenerator<Out> {
  if (taken < MAX_PARSERS) taken++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  const parser = takeIdle() ?? new ParserProcess();
  try {
    yield* work(parser);
  } finally {
    if (parser.isAlive) idle.push(parser);
    const next = waiting.shift();
    // Who waited takes over the place itself, so that nobody slips in between.
    if (next) next();
    else taken--;
    scheduleSweep();
  }
}

function takeIdle(): ParserProcess | undefined {
  for (let parser = idle.pop(); parser; parser = idle.pop()) {
    if (parser.isAlive) return parser;
  }
  return undefined;
}

/** Parsers hold a hundred megabytes each: nobody asking for a minute gives it back. */
function scheduleSweep(): void {
  clearTimeout(sweep);
  sweep = setTimeout(closeParsers, IDLE_MS);
  sweep.unref();
}

/** Ends the parsers that have nothing to do. */
export function closeParsers(): void {
  for (const parser of idle.splice(0)) parser.kill("crashed");
}
