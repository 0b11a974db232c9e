export const CHARS = 12_000;
const FACTOR = 8;
/** Linear work grows by the factor, quadratic work by its square, which is 64; garbage collection may triple either. */
export const MAX_GROWTH = 24;
const RUNS = 3;
const ATTEMPTS = 6;
/** Below this, in microseconds, a ratio of times is meaningless. */
const LEAST_CPU = 2000;

export const fill = (part: string, chars: number) => part.repeat(Math.ceil(chars / part.length)).slice(0, chars);

function measureCpu(text: string, parse: (text: string) => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    parse(text);
    return process.cpuUsage(before).user;
  });
  return Math.min(...times);
}

/**
 * How often the work for a text eight times as long is that for the shorter one; the least of some attempts, since other
 * work on the machine can only make one attempt worse.
 */
export function measureGrowth(
  parse: (text: string) => unknown,
  shape: (chars: number) => string,
  chars = CHARS,
): number {
  const plain = measureCpu(fill("some plain words. ", CHARS * FACTOR), parse);
  let growth = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && growth >= MAX_GROWTH; attempt += 1) {
    const short = measureCpu(shape(chars), parse);
    growth = Math.min(growth, measureCpu(shape(chars * FACTOR), parse) / Math.max(short, plain, LEAST_CPU));
  }
  return growth;
}

async function measureAsyncCpu(text: string, parse: (text: string) => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    await parse(text);
    least = Math.min(least, process.cpuUsage(before).user);
  }
  return least;
}

/** Like `measureGrowth`, for a reader that answers later; nothing else may run meanwhile. */
export async function measureAsyncGrowth(
  parse: (text: string) => Promise<unknown>,
  shape: (chars: number) => string,
): Promise<number> {
  await parse(shape(CHARS));
  let growth = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && growth >= MAX_GROWTH; attempt += 1) {
    const short = await measureAsyncCpu(shape(CHARS), parse);
    growth = Math.min(growth, (await measureAsyncCpu(shape(CHARS * FACTOR), parse)) / Math.max(short, LEAST_CPU));
  }
  return growth;
}
