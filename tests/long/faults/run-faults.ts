// `npm run faults [ROW…]`: checks the rows of docs/faults.md one after the other, and prints a table. Checks that need a
// browser run only with `--browser` (CHROME_PATH names the browser).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Check, type FaultRow, faultRows } from "./fault-rows.ts";

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

interface TestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    /** Why the whole file failed, for example in `beforeAll`. */
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

/** A title that matches no test counts as a failure, because a row that checks nothing proves nothing. */
async function runTests({ tests: file, title, config }: Extract<Check, { tests: string }>): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-faults-"));
  const report = join(folder, "report.json");
  try {
    const filter = title === undefined ? [] : ["-t", title];
    const setup = config === undefined ? [] : ["--config", config];
    const args = ["run", file, ...setup, ...filter, "--reporter=json", `--outputFile=${report}`];
    const { output } = await runNode(["node_modules/vitest/vitest.mjs", ...args]);
    const found = JSON.parse(readFileSync(report, "utf8")) as TestReport;
    const { numPassedTests: passed, numFailedTests: failed } = found;
    const failures = found.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join("\n")}`);
    const messages = found.testResults.map(({ message }) => message).filter((message) => message !== "");
    const lines = failures.length > 0 ? failures : [...messages, output];
    return { passed, failed: failed + (passed === 0 ? 1 : 0), output: `${lines.join("\n")}\n${file} ${title ?? ""}` };
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
  let [passed, failed, skippedCount] = [0, 0, 0];
  for (const check of checks) {
    if (check.needsBrowser && !withBrowser) {
      skippedCount += 1;
      continue;
    }
    const outcome = await runCheck(check);
    passed += outcome.passed;
    failed += outcome.failed;
    if (outcome.failed > 0) print(outcome.output.trim().split("\n").slice(-30).join("\n"));
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const state = failed > 0 ? "RED" : "ok";
  const skipped = skippedCount > 0 ? `, ${skippedCount} need a browser` : "";
  print(
    `| ${row.padEnd(3)} | ${fault.padEnd(87)} | ${state.padEnd(3)} | ${`${passed} passed${skipped}`.padEnd(28)} | ${seconds.padStart(6)} s |`,
  );
  return failed === 0;
}

const words = process.argv.slice(2);
const withBrowser = words.includes("--browser");
const wanted = words.filter((word) => !word.startsWith("--")).map((word) => word.toUpperCase());
const unknown = wanted.filter((word) => !faultRows.some(({ row }) => row === word));
if (unknown.length > 0) {
  print(`Unknown: ${unknown.join(", ")}. Rows: ${faultRows.map(({ row }) => row).join(" ")}`);
  process.exit(1);
}
let red = 0;
for (const row of faultRows)
  if (wanted.length === 0 || wanted.includes(row.row)) red += (await runRow(row, withBrowser)) ? 0 : 1;
process.exit(red === 0 ? 0 : 1);
