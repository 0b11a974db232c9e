// `node tests/long/faults/take-away.ts [ID…]`: removes each protection from a copy of the source, and runs the tests that
// must then fail. Prints a table; exits with 3 if they pass without a protection.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { allProtections } from "./protections/all-protections.ts";
import type { Protection } from "./protections/protection.ts";

const FOUND_FAULTS = 3;
/** Files that a test run needs; `node_modules` is linked. */
const SOURCE = ["api", "shared", "webapp", "extension", "tests", "scripts", "docs", "package.json", "tsconfig.json"];

const print = (line: string) => process.stdout.write(`${line}\n`);

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

function copySource(): string {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-unprotected-"));
  for (const name of [...SOURCE, "vitest.config.ts"]) cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}

async function runTests(folder: string, { tests, title }: Protection): Promise<Report | undefined> {
  const report = join(folder, "report.json");
  rmSync(report, { force: true });
  const filter = title === undefined ? [] : ["-t", title];
  const config = tests.startsWith("tests/long/") ? ["--config", "tests/long/vitest.config.ts"] : [];
  const args = ["run", tests, ...config, ...filter, "--maxWorkers=1", "--reporter=json", `--outputFile=${report}`];
  const flags = ["--disable-warning=ExperimentalWarning", "node_modules/vitest/vitest.mjs"];
  const child = spawn(process.execPath, [...flags, ...args], { cwd: folder, stdio: "ignore" });
  await once(child, "close");
  return existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as Report) : undefined;
}

/** Whether tests fail without the protection. A file that no longer loads does not count as a failed test. */
async function isNoticed(folder: string, protection: Protection): Promise<boolean> {
  const originals = new Map(protection.edits.map(({ file }) => [file, readFileSync(join(folder, file), "utf8")]));
  for (const { file, from, to } of protection.edits) {
    const path = join(folder, file);
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace(from, () => to),
    );
  }
  const report = await runTests(folder, protection);
  for (const [file, text] of originals) writeFileSync(join(folder, file), text);
  const failed = report?.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === "failed"),
  );
  const names = failed?.map(({ fullName }) => fullName) ?? [];
  const result =
    names.length > 0 ? `${names.length} failed: ${names[0] ?? ""}` : `NONE of ${report?.numPassedTests ?? 0}`;
  print(`| ${protection.id} | ${protection.what} | ${protection.tests} | ${result} |`);
  return names.length > 0;
}

const wanted = process.argv.slice(2).map((word) => word.toUpperCase());
const protections = allProtections.filter(({ id }) => wanted.length === 0 || wanted.includes(id.toUpperCase()));
const folder = copySource();
let unnoticed = 0;
try {
  print("| id | removed protection | tests | tests that fail |");
  print("| --- | --- | --- | --- |");
  for (const protection of protections) unnoticed += (await isNoticed(folder, protection)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(unnoticed === 0 ? 0 : FOUND_FAULTS);
