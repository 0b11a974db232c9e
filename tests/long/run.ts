// `npm run test:long`: the sweeps that take minutes, each in its own process. By default the largest sweeps use a sample;
// `npm run test:long -- --full` (ALL_CASES=1) uses every case.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { isFull } from "#tests/kit/all-cases.ts";

interface Sweep {
  name: string;
  file: string;
  args?: readonly string[];
  env: Record<string, string>;
  /** The sweep runs without the protection, so it must find faults: a check that cannot fail proves nothing. */
  mustFail: boolean;
}

/** The longest sweeps first, so that both lanes end together. */
const sweeps: Sweep[] = [
  {
    name: `${isFull ? "every file" : "four files of each class"} of the corpus, uploaded and read through the API`,
    file: "tests/long/corpus-sweep.ts",
    env: {},
    mustFail: false,
  },
  { name: "card packages that are far too large", file: "tests/long/packages.ts", env: {}, mustFail: false },
  {
    name: "200 MB in pieces over a connection that is cut, to a server that is killed",
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
    name: "kill -9 with acknowledgement before the commit, which must lose writes",
    file: "tests/long/kill-nine.ts",
    env: { ACK_BEFORE_COMMIT: "1" },
    mustFail: true,
  },
  {
    name: "writing in two tabs while answers are lost and the server is killed",
    file: "tests/long/ledger.ts",
    env: {},
    mustFail: false,
  },
  {
    name: `${isFull ? "1,500" : "500"} quotes of the corpus that must be found, and as many that must not`,
    file: "tests/long/anchoring.ts",
    env: {},
    mustFail: false,
  },
  {
    name: "2,000 concurrent uploads over good and bad connections, of which no complete one is refused",
    file: "tests/long/upload-storm.ts",
    env: {},
    mustFail: false,
  },
  {
    name: `${isFull ? "3,000" : "1,500"} stories of the sync queue`,
    file: "node_modules/vitest/vitest.mjs",
    args: ["run", "tests/sync/property.test.ts"],
    env: { SYNC_RUNS: isFull ? "3000" : "1500" },
    mustFail: false,
  },
  {
    name: "articles of the pages in a folder, if one is named",
    file: "tests/long/article-score.ts",
    env: {},
    mustFail: false,
  },
  {
    name: "articles of 492 held-out pages, if they were fetched",
    file: "tests/long/article-held-out.ts",
    env: {},
    mustFail: false,
  },
  {
    name: "articles of 72 held-out pages with every line marked by hand",
    file: "tests/long/article-whole.ts",
    env: {},
    mustFail: false,
  },
  {
    name: "what a speech recogniser hears from each built-in voice, if one is named",
    file: "tests/long/speech/word-errors.ts",
    env: {},
    mustFail: false,
  },
  {
    name: "Mozilla's linter on the extension for Firefox",
    file: "tests/long/web-ext.ts",
    env: {},
    mustFail: false,
  },
];

/** The exit code of a sweep that found faults; any other code except 0 is a failure of the sweep itself. */
const FOUND_FAULTS = 3;

let failedCount = 0;

async function runSweep({ name, file, args = [], env, mustFail }: Sweep): Promise<void> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", file, ...args], {
    env: { ...process.env, ...env },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  const isGreen = code === (mustFail ? FOUND_FAULTS : 0);
  if (!isGreen) failedCount += 1;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`\n${Buffer.concat(chunks).toString()}${isGreen ? "ok" : "FAIL"}  ${name}  ${seconds} s\n`);
}

async function lane(): Promise<void> {
  for (let next = sweeps.shift(); next; next = sweeps.shift()) await runSweep(next);
}
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane));
process.exit(failedCount === 0 ? 0 : 1);
