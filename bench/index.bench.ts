import { mkdtemp, rm } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IndexedPassage } from "#api/store/search/port.ts";
import { openSqlitePassages } from "#api/store/sqlite/sqlite-passage-index.ts";
import { type Bench, median } from "./row.ts";

const SOURCES = 500;
const PASSAGES = 200;
const QUESTIONS = 200;
const VOCABULARY = 30_000;

/** Seeded random numbers (mulberry32), the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Words with a natural distribution (Zipf): the n-th most frequent is 1/n as frequent as the first. */
function randomText(next: () => number, count: number): string {
  return Array.from({ length: count }, () => `w${Math.floor(VOCABULARY ** next())}`).join(" ");
}

async function measureTimes(count: number, work: (n: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedAt = performance.now();
    await work(n);
    times.push(performance.now() - startedAt);
  }
  return times;
}

const percentile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

export const bench: Bench = {
  name: "index",
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "lamplight-bench-"));
    const index = openSqlitePassages(folder);
    try {
      const next = createRandom(7);
      const texts: string[] = [];
      const filling = await measureTimes(SOURCES, async (source) => {
        const passages = Array.from({ length: PASSAGES }, (_, n): IndexedPassage => {
          const text = randomText(next, 40);
          if (n % 20 === 0) texts.push(text);
          return { id: String(n), text, kind: "paragraph", locator: { page: 1 + (n >> 3) }, componentId: `c${source}` };
        });
        await index.put("student", { id: `s${source}`, version: "1" }, passages);
      });
      const questions = texts.slice(0, QUESTIONS).map((text) => {
        const words = text.split(" ");
        return Array.from({ length: 7 }, () => words[Math.floor(next() * words.length)]).join(" ");
      });
      const search = (text: string | undefined, sourceIds?: string[]) =>
        index.search("student", { text: text ?? "", limit: 40, ...(sourceIds && { sourceIds }) });
      await measureTimes(20, (n) => search(questions[n]));
      const allSources = await measureTimes(QUESTIONS, (n) => search(questions[n]));
      const oneSource = await measureTimes(QUESTIONS, (n) => search(questions[n], [`s${n}`]));
      return [
        { what: "100,000 passages: a query, p50", value: percentile(allSources, 0.5), unit: "ms", goal: "reported" },
        { what: "100,000 passages: a query, p95", value: percentile(allSources, 0.95), unit: "ms", goal: "<= 50" },
        { what: "the same, in one of 500 sources, p95", value: percentile(oneSource, 0.95), unit: "ms", goal: "<= 50" },
        { what: "indexing a source of 200 passages", value: median(filling), unit: "ms", goal: "reported" },
      ];
    } finally {
      await index.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
