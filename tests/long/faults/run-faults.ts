// `npm run faults [ROW…]`: the rows of docs/faults.md that need no browser, one after the other, and a table of them.
// With `--browser`, the rows that need one too (CHROME_PATH names it).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Tests by file and title, or a sweep: a program of its own that exits with 3 when it finds a fault. */
type Check =
  | { tests: string; title?: string; config?: string; needsBrowser?: true }
  | { sweep: string; args?: string[]; env?: Record<string, string>; mustFail?: true; needsBrowser?: true };

interface FaultRow {
  row: string;
  fault: string;
  checks: readonly Check[];
}

const LONG = "tests/long/vitest.config.ts";

const rows: readonly FaultRow[] = [
  {
    row: "R1",
    fault: "kill -9 of the server while 16 clients write",
    checks: [
      { sweep: "tests/long/kill-nine.ts" },
      { sweep: "tests/long/kill-nine.ts", env: { ACK_BEFORE_COMMIT: "1" }, mustFail: true },
    ],
  },
  {
    row: "R2",
    fault: "the database does not answer",
    checks: [{ tests: "tests/store/faults/store-busy.test.ts" }, { tests: "tests/store/faults/mongo-stopped.test.ts" }],
  },
  {
    row: "R3",
    fault: "answers are lost after the commit, and requests come twice",
    checks: [
      { tests: "tests/sync/api.test.ts", title: "the same id twice|the same request from two tabs" },
      { tests: "tests/sync/property.test.ts" },
    ],
  },
  {
    row: "R4",
    fault: "answers and batches come late and in another order",
    checks: [{ tests: "tests/sync/property.test.ts" }, { tests: "tests/sync/mutations.test.ts" }],
  },
  {
    row: "R5",
    fault: "clocks that are hours or days apart",
    checks: [
      { tests: "tests/study/reviews/two-devices.test.ts" },
      { tests: "tests/auth/web.test.tsx", title: "clock" },
      { tests: "tests/study/rules.test.ts", title: "never dated before" },
    ],
  },
  {
    row: "R6",
    fault: "the tab is killed while typing",
    checks: [
      { tests: "tests/sync/queue.test.ts", title: "after the tab was killed" },
      { tests: "tests/long/journeys/killed-browser.test.ts", config: LONG, needsBrowser: true },
    ],
  },
  {
    row: "R7",
    fault: "two tabs write at the same time",
    checks: [
      { tests: "tests/sync/local-store.test.ts", title: "two tabs share one queue" },
      { sweep: "tests/long/ledger.ts", needsBrowser: true },
    ],
  },
  { row: "R8", fault: "the server is gone for minutes", checks: [{ tests: "tests/sync/outage.test.ts" }] },
  {
    row: "R9",
    fault: "twenty clients come online at once, each with 2,000 changes",
    checks: [
      { tests: "tests/sync/api.test.ts", title: "of a long offline queue are committed together" },
      { sweep: "tests/long/faults/offline-masses.ts" },
    ],
  },
  {
    row: "R10",
    fault: "one change of a batch can never be applied",
    checks: [{ tests: "tests/sync/api.test.ts", title: "an invalid line fails alone" }],
  },
  {
    row: "R11",
    fault: "a model's stream stops, breaks off or is cut anywhere",
    checks: [
      { tests: "tests/ai/ai-reader.test.ts" },
      { tests: "tests/tutor/model.test.ts", title: "however the stream splits" },
      { tests: "tests/tutor/bad-input.test.ts", title: "is refunded" },
    ],
  },
  {
    row: "R12",
    fault: "a model's answer is malformed",
    checks: [
      { tests: "tests/flashcards/bad-answers.test.ts" },
      { tests: "tests/flashcards/api.test.ts", title: "malformed answer and cut stream" },
    ],
  },
  {
    row: "R13",
    fault: "speech fails, or the server stops, at each stage of an episode",
    checks: [{ tests: "tests/podcasts/faults.test.ts" }],
  },
  {
    row: "R14",
    fault: "a large upload is cut, the server killed, the disk full",
    checks: [
      { sweep: "tests/long/big-upload.ts" },
      { tests: "tests/pages/sweeping.test.ts" },
      { tests: "tests/store/store-full.test.ts" },
    ],
  },
  {
    row: "R15",
    fault: "the extension is stopped before, while and after it sends a capture",
    checks: [{ tests: "tests/long/journeys/extension/extension-killed.test.ts", config: LONG, needsBrowser: true }],
  },
  {
    row: "R16",
    fault: "the website agent's socket breaks off, closes with each code and fails again and again",
    checks: [{ tests: "tests/website/chat.test.ts" }, { tests: "tests/website/socket.test.ts" }],
  },
  {
    row: "R17",
    fault: "payment events come twice, in another order, days late or not at all",
    checks: [{ tests: "tests/billing/events.test.ts" }],
  },
  {
    row: "R18",
    fault: "many uses at once at the limit, also through two processes",
    checks: [
      { tests: "tests/store/two-processes.test.ts" },
      { tests: "tests/user/api.test.ts", title: "a hundred concurrent uses" },
      { tests: "tests/tutor/answers.test.ts", title: "of sixty concurrent questions" },
    ],
  },
  {
    row: "R19",
    fault: "half of the capacity for a long time",
    checks: [{ sweep: "tests/long/faults/soak.ts", args: ["3"] }],
  },
  {
    row: "R20",
    fault: "a backup under load, damaged backups and databases, an older data folder",
    checks: [
      { tests: "tests/store/store-backup.test.ts" },
      { tests: "tests/store/faults/damaged-data.test.ts" },
      { tests: "tests/store/data-folders/data-folder.test.ts" },
    ],
  },
];

const FOUND_FAULTS = 3;
const print = (line: string) => process.stdout.write(`${line}\n`);

async function runNode(args: readonly string[], env: Record<string, string> = {}) {
  const flags = ["--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, ...args], { env: { ...process.env, ...env } });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: Buffer.concat(chunks).toString() };
}

interface Outcome {
  passed: number;
  failed: number;
  output: string;
}

/** A title that matches no test counts as a failure: a row that checks nothing proves nothing. */
async function runTests({ tests: file, title, config }: Extract<Check, { tests: string }>): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-faults-"));
  const report = join(folder, "report.json");
  try {
    const filter = title === undefined ? [] : ["-t", title];
    const setup = config === undefined ? [] : ["--config", config];
    const args = ["run", file, ...setup, ...filter, "--reporter=json", `--outputFile=${report}`];
    const { output } = await runNode(["node_modules/vitest/vitest.mjs", ...args]);
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, "utf8")) as {
      numPassedTests: number;
      numFailedTests: number;
    };
    return { passed, failed: failed + (passed === 0 ? 1 : 0), output: `${output}\n${file} ${title ?? ""}` };
  } catch (cause) {
    return { passed: 0, failed: 1, output: String(cause) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runCheck(check: Check): Promise<Outcome> {
  if ("tests" in check) return runTests(check);
  const { code, output } = await runNode([check.sweep, ...(check.args ?? [])], check.env);
  const isGreen = code === (check.mustFail ? FOUND_FAULTS : 0);
  return { passed: isGreen ? 1 : 0, failed: isGreen ? 0 : 1, output };
}

async function runRow({ row, fault, checks }: FaultRow, withBrowser: boolean): Promise<boolean> {
  const startedAt = performance.now();
  let [passed, failed, left] = [0, 0, 0];
  for (const check of checks) {
    if (check.needsBrowser && !withBrowser) {
      left += 1;
      continue;
    }
    const outcome = await runCheck(check);
    passed += outcome.passed;
    failed += outcome.failed;
    if (outcome.failed > 0) print(outcome.output.trim().split("\n").slice(-30).join("\n"));
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const state = failed > 0 ? "RED" : "ok";
  const skipped = left > 0 ? `, ${left} for a browser` : "";
  print(
    `| ${row.padEnd(3)} | ${fault.padEnd(75)} | ${state.padEnd(3)} | ${`${passed} passed${skipped}`.padEnd(28)} | ${seconds.padStart(6)} s |`,
  );
  return failed === 0;
}

const words = process.argv.slice(2);
const withBrowser = words.includes("--browser");
const wanted = words.filter((word) => !word.startsWith("--")).map((word) => word.toUpperCase());
const unknown = wanted.filter((word) => !rows.some(({ row }) => row === word));
if (unknown.length > 0) {
  print(`Unknown: ${unknown.join(", ")}. Rows: ${rows.map(({ row }) => row).join(" ")}`);
  process.exit(1);
}
let red = 0;
for (const row of rows)
  if (wanted.length === 0 || wanted.includes(row.row)) red += (await runRow(row, withBrowser)) ? 0 : 1;
process.exit(red === 0 ? 0 : 1);
