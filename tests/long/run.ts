// `npm run test:long`: the sweeps that take minutes, each a process of its own. By default the largest of them take a
// sample; `npm run test:long -- --full` (LONG_FULL=1) takes every case.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { isFull } from "./full.ts";

interface Sweep {
  name: string;
  file: string;
  env: Record<string, string>;
  /** A check that cannot fail proves nothing: with its protection taken away it must. */
  mustFail: boolean;
}

/** The longest first, so that both lanes end together. */
const sweeps: Sweep[] = [
  {
    name: `${isFull ? "every file" : "six files of each class"} of the corpus through the calls that take and read it`,
    file: "tests/long/corpus-sweep.ts",
    env: {},
    mustFail: false,
  },
  { name: "packages of cards that are far too large", file: "tests/long/packages.ts", env: {}, mustFail: false },
  {
    name: "200 MB in pieces over a line that is cut, to a server that is killed",
    file: "tests/long/big-upload.ts",
    env: {},
    mustFail: false,
  },
  {
    name: `kill -9 under 16 writers, ${isFull ? 20 : 8} times`,
    file: "tests/long/kill-nine.ts",
    env: {},
    mustFail: false,
  },
  {
    name: "the same with acknowledgement before the commit, which must lose writes",
    file: "tests/long/kill-nine.ts",
    env: { ACK_BEFORE_COMMIT: "1" },
    mustFail: true,
  },
  {
    name: "writing in two tabs over a line that swallows answers, to a server that is killed",
    file: "tests/long/ledger.ts",
    env: {},
    mustFail: false,
  },
  {
    name: `${isFull ? "1,500" : "500"} quotes found again in the corpus, and as many that are not there`,
    file: "tests/long/anchoring.ts",
    env: {},
    mustFail: false,
  },
  {
    name: "2,000 uploads at once in every manner that a line has, of which no whole one is refused",
    file: "tests/long/upload-storm.ts",
    env: {},
    mustFail: false,
  },
  {
    name: "articles of pages that a folder holds, where one is named",
    file: "tests/long/article-score.ts",
    env: {},
    mustFail: false,
  },
  {
    name: "articles of 492 pages on which no rule was chosen, where they were fetched",
    file: "tests/long/article-held-out.ts",
    env: {},
    mustFail: false,
  },
  {
    name: "articles of 72 of them, every line of which was marked by hand",
    file: "tests/long/article-whole.ts",
    env: {},
    mustFail: false,
  },
  {
    name: "what a recogniser hears from each built-in voice, where one is named",
    file: "tests/long/speech/word-errors.ts",
    env: {},
    mustFail: false,
  },
  {
    name: "Mozilla's linter over the extension for Firefox",
    file: "tests/long/web-ext.ts",
    env: {},
    mustFail: false,
  },
];

/** What a sweep exits with when it found what must not be; any other code is a fault of the sweep. */
const FOUND_FAULTS = 3;

let red = 0;

async function sweepOnce({ name, file, env, mustFail }: Sweep): Promise<void> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", file], {
    env: { ...process.env, ...env },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  const isGreen = code === (mustFail ? FOUND_FAULTS : 0);
  if (!isGreen) red += 1;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`\n${Buffer.concat(chunks).toString()}${isGreen ? "ok" : "FAIL"}  ${name}  ${seconds} s\n`);
}

async function lane(): Promise<void> {
  for (let next = sweeps.shift(); next; next = sweeps.shift()) await sweepOnce(next);
}
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane));
process.exit(red === 0 ? 0 : 1);
