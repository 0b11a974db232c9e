// Mozilla's own linter over the extension as it is built for Firefox. It is heavy, and runs where it is installed:
// `WEB_EXT` names its command, else `web-ext` is looked for on the path.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const FOUND_FAULTS = 3;

interface Finding {
  code: string;
  message: string;
  file?: string;
}

interface Linted {
  errors: Finding[];
  warnings: Finding[];
}

/**
 * Said of libraries that we ship: React and the extractors of articles write markup of their own, the latter into documents
 * without a window, where nothing runs; zod asks whether it may make functions, and does without where it may not.
 */
const KNOWN = new Set(["UNSAFE_VAR_ASSIGNMENT", "DANGEROUS_EVAL"]);

const command = process.env["WEB_EXT"] ?? "web-ext";
const built = resolve("dist/extension/firefox");
const print = (line: string) => process.stdout.write(`${line}\n`);
const printFinding = ({ code, message, file = "" }: Finding) => print(`  ${code} ${file}: ${message.slice(0, 160)}`);

if (!existsSync(built)) spawnSync(process.execPath, ["scripts/build-extension.mjs"], { stdio: "ignore" });
const ran = spawnSync(command, ["lint", "--source-dir", built, "--output", "json", "--self-hosted"], {
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
});
if (ran.error) {
  print("  skipped: no web-ext here. Install it and name it: WEB_EXT=/path/to/web-ext");
  process.exit(0);
}
const { errors, warnings } = JSON.parse(ran.stdout) as Linted;
const others = warnings.filter(({ code }) => !KNOWN.has(code));
print(`  ${errors.length} errors, ${warnings.length} warnings, ${others.length} of them not of libraries`);
for (const finding of [...errors, ...others]) printFinding(finding);
process.exit(errors.length + others.length > 0 ? FOUND_FAULTS : 0);
