// `npm test`: runs every check: quick checks two at a time, checks that need the whole machine alone.
//   --no-browser  leaves out the journeys     --long  runs the long sweeps instead     --full  runs all cases of the samples
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureBrowser } from "./browser.mjs";
import { compileCache, ensureBuilt, ensureInstalled, findNode, nodeFlags, root, run, print } from "./runtime.mjs";

const long = process.argv.includes("--long");
const full = process.argv.includes("--full");
const withBrowser = !process.argv.includes("--no-browser");

await ensureInstalled();
Object.assign(process.env, compileCache);
if (full) process.env.ALL_CASES = "1";
const node = findNode();
const results = [];

const npm = (script) => ["npm", ["run", "--silent", script]];
const quick = [
  ["format", ...npm("check:format")],
  ["lint and types", ...npm("check:lint")],
  ["arrows", ...npm("check:arrows")],
  ["unused", ...npm("check:unused")],
  ["licences", node, ["scripts/licences.mjs"]],
];

/** Takes minutes of downloading and compiling on a new machine, and no time afterwards. */
const servers = ["servers for tests", node, [...nodeFlags, "tests/kit/programs/build-programs.ts"]];

const MEMORY_FOLDER = "/dev/shm";
const LEAST_MEMORY_BYTES = 8 * 1024 ** 3;

/**
 * A folder for temporary files, in memory where there is enough of it: a third of the API tests' time was spent waiting
 * for commits to reach the disk. Removed at the end, also when the run is interrupted.
 */
function makeTemporaryFolder() {
  const { bavail = 0, bsize = 0 } = existsSync(MEMORY_FOLDER) ? statfsSync(MEMORY_FOLDER) : {};
  const parent = bavail * bsize >= LEAST_MEMORY_BYTES ? MEMORY_FOLDER : tmpdir();
  const folder = mkdtempSync(join(parent, "lamplight-tests-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));
  return folder;
}

/** Far longer than any check takes. The output of a check that never ends is printed before the caller gives up. */
const LIMIT_MS = 25 * 60_000;

async function step([name, command, args], options = {}) {
  const startedAt = Date.now();
  const { code, output } = await run(command, args, { quiet: true, limitMs: full ? undefined : LIMIT_MS, ...options });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  results.push({ name, ok: code === 0 });
  print(`${code === 0 ? "ok  " : "FAIL"}  ${name.padEnd(24)} ${seconds.padStart(6)} s`);
  if (code === 124) print(`Did not end within ${LIMIT_MS / 60_000} minutes. The end of its output:`);
  if (code !== 0) print(extractFailures(output));
  else if (options.show) print(output.trim().split("\n").slice(-options.show).join("\n"));
}

const failureHeadings = [
  "Failed Suites",
  "Failed Tests",
  "Unhandled Errors",
  "Unhandled Rejection",
  "Uncaught Exception",
];

/** The failures in an output, or else its end, because the reader of a truncated log must see the cause first. */
function extractFailures(output) {
  const text = stripVTControlCharacters(output).trim();
  const starts = failureHeadings.map((heading) => text.indexOf(heading)).filter((at) => at >= 0);
  return starts.length > 0 ? text.slice(Math.min(...starts)) : text.split("\n").slice(-80).join("\n");
}

/** The failed files of a report, relative to the root; empty without a report. */
function listFailedFiles(report) {
  if (!existsSync(report)) return [];
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  return testResults.filter(({ status }) => status === "failed").map(({ name }) => relative(root, name));
}

/**
 * Runs tests that each need a browser and a server. Failed files are run once more, one at a time and from the start:
 * two browsers and two servers on two cores may time out, and retrying a single test would see the state its first
 * attempt left behind. Both outcomes are printed.
 */
async function runJourneys(name, config, options) {
  const report = join(temporaryFolder, "report.json");
  const suite = (more) => [
    "run",
    "--config",
    config,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...more,
  ];
  await step([name, "vitest", suite([])], options);
  const failedFiles = listFailedFiles(report);
  if (failedFiles.length > 0) {
    results.pop();
    rmSync(report);
    print(`Running again, one at a time: ${failedFiles.join(", ")}`);
    await step([`${name}, again`, "vitest", suite(["--maxWorkers=1", ...failedFiles])], options);
  }
}

async function runConcurrently(steps, width) {
  const rest = [...steps];
  const lane = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) await step(next);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

const temporaryFolder = makeTemporaryFolder();
const inMemory = { TMPDIR: temporaryFolder };

if (long) {
  const env = { CHROME_PATH: await ensureBrowser() };
  await ensureBuilt();
  await step(["long sweeps", node, [...nodeFlags, "tests/long/run.ts"]], { show: 200, env });
  await runJourneys("long journeys", "tests/long/vitest.config.ts", { show: 40, env: { ...env, ...inMemory } });
} else {
  await runConcurrently([servers, ...quick], Math.min(2, availableParallelism()));
  await step(["unit and API", "vitest", ["run", "--silent=passed-only"]], { show: 6, env: inMemory });
  if (withBrowser) {
    const browser = await ensureBrowser();
    await ensureBuilt();
    await runJourneys("journeys", "tests/journeys/vitest.config.ts", {
      show: 60,
      env: { CHROME_PATH: browser, ...inMemory },
    });
  }
}

const failed = results.filter((result) => !result.ok);
print(`\n${results.length - failed.length} passed, ${failed.length} failed`);
if (failed.length > 0) print(`Failed: ${failed.map((result) => result.name).join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
