import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ServerProcess } from "#tests/kit/servers/server-process.ts";

const MB = 1024 * 1024;

/** Memory, files and load of a server process at one moment. */
export interface Sample {
  minute: number;
  rssMb: number;
  /** The part of `rssMb` that the process itself allocated; the rest is mapped files, such as its program. */
  anonymousMb: number;
  heapMb: number;
  /** Memory that V8 has reserved for its heap, used or not. */
  heapReservedMb: number;
  /** Buffers and other memory outside the heap that Node reports. */
  externalMb: number;
  /** The files of the two databases. */
  storeMb: number;
  indexMb: number;
  /** CPU time of the process since its start. */
  cpuSeconds: number;
  loopP99Ms: number;
  files: number;
}

/** Reads the server's metrics once; the returned function finds one by name. */
export async function readMetrics(origin: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (.+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

export async function takeSample({ origin, dataDir, pid = 0 }: ServerProcess, startedAt: number): Promise<Sample> {
  const read = await readMetrics(origin);
  const mapped = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const mappedMb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(mapped)?.[1]) / 1024;
  const fileMb = (name: string) => (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0) / MB;
  return {
    minute: (performance.now() - startedAt) / 60_000,
    rssMb: mappedMb("Rss"),
    anonymousMb: mappedMb("Anonymous"),
    heapMb: read("nodejs_heap_size_used_bytes") / MB,
    heapReservedMb: read("nodejs_heap_size_total_bytes") / MB,
    externalMb: read("nodejs_external_memory_bytes") / MB,
    storeMb: fileMb("lamplight.db"),
    indexMb: fileMb("lamplight-index.db"),
    cpuSeconds: read("process_cpu_seconds_total"),
    loopP99Ms: read("nodejs_eventloop_lag_p99_seconds") * 1000,
    files: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** SQLite caches this much of each database (`cache_size`), so up to this size memory grows with the data. */
const CACHE_MB = 64;
const withoutCaches = ({ rssMb, storeMb, indexMb }: Sample) =>
  rssMb - Math.min(storeMb, CACHE_MB) - Math.min(indexMb, CACHE_MB);

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Slope per minute, by least squares. */
function slope(samples: readonly Sample[], read: (sample: Sample) => number): number {
  const [x, y] = [mean(samples.map(({ minute }) => minute)), mean(samples.map(read))];
  const covariance = samples.reduce((sum, sample) => sum + (sample.minute - x) * (read(sample) - y), 0);
  return covariance / samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
}

/** Memory of libraries such as SQLite and of other threads, and memory that the allocator has not released. */
const otherMb = ({ anonymousMb, heapReservedMb, externalMb }: Sample) => anonymousMb - heapReservedMb - externalMb;

const measures: readonly (readonly [name: string, read: (sample: Sample) => number])[] = [
  ["memory (RSS), MB", ({ rssMb }) => rssMb],
  ["memory without cached databases, MB", withoutCaches],
  ["allocated (anonymous), MB", ({ anonymousMb }) => anonymousMb],
  ["mapped files, MB", ({ rssMb, anonymousMb }) => rssMb - anonymousMb],
  ["heap used, MB", ({ heapMb }) => heapMb],
  ["heap reserved, MB", ({ heapReservedMb }) => heapReservedMb],
  ["buffers (external), MB", ({ externalMb }) => externalMb],
  ["allocated outside heap and buffers, MB", otherMb],
  ["database, MB", ({ storeMb }) => storeMb],
  ["passage index, MB", ({ indexMb }) => indexMb],
  ["open files", ({ files }) => files],
  ["event loop delay p99, ms", ({ loopP99Ms }) => loopP99Ms],
];

export const CURVE_HEAD = `| minute | RSS | anonymous | heap used | heap reserved | external | other | database | index | CPU |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |`;

/** A line of the curve in MB, with the share of one core since the previous line. */
export function curveLine(sample: Sample, previous: Sample): string {
  const { minute, rssMb, anonymousMb, heapMb, heapReservedMb, externalMb, storeMb, indexMb } = sample;
  const sizes = [rssMb, anonymousMb, heapMb, heapReservedMb, externalMb, otherMb(sample), storeMb, indexMb];
  const share = (sample.cpuSeconds - previous.cpuSeconds) / (minute - previous.minute) / 60;
  return `| ${minute.toFixed(1)} | ${sizes.map((size) => size.toFixed(0)).join(" | ")} | ${(share * 100).toFixed(0)} % |`;
}

/** How the memory without cached databases grew after the warm-up. */
interface MemoryGrowth {
  mbPerMinute: number;
  totalMb: number;
}

/** Prints a table of the slopes, of each quarter and after the warm-up. */
export function printSlopes(
  samples: readonly Sample[],
  warmUpShare: number,
  print: (line: string) => void,
): MemoryGrowth {
  const warm = samples.slice(Math.floor(samples.length * warmUpShare));
  const [first, last] = [warm[0], warm.at(-1)];
  if (!first || !last) throw new Error("The run was too short for a sample");
  const quarters = [0, 1, 2, 3].map((n) =>
    samples.slice(Math.floor((samples.length * n) / 4), Math.floor((samples.length * (n + 1)) / 4)),
  );
  print(
    `| after the warm-up (${first.minute.toFixed(0)} min) | first | last | per minute | in each quarter of the run |`,
  );
  print("| --- | --- | --- | --- | --- |");
  for (const [name, read] of measures) {
    const slopes = quarters.map((quarter) => slope(quarter, read).toFixed(2)).join(", ");
    print(
      `| ${name} | ${read(first).toFixed(1)} | ${read(last).toFixed(1)} | ${slope(warm, read).toFixed(2)} | ${slopes} |`,
    );
  }
  return { mbPerMinute: slope(warm, withoutCaches), totalMb: withoutCaches(last) - withoutCaches(first) };
}
