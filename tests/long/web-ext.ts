// Runs Mozilla's own linter on the extension as built for Firefox, if the linter is installed: `WEB_EXT` names its command,
// by default `web-ext`.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const FOUND_FAULTS = 3;

interface Finding {
  code: string;
  message: string;
  file?: string;
}

interface LintReport {
  errors: Finding[];
  warnings: Finding[];
}

/**
 * Warnings about bundled libraries. React and the article extractors write markup (the extractors into documents without a
 * window, where no script runs), and zod tests whether it may compile functions, and works without.
 */
const KNOWN_WARNINGS = new Set(["UNSAFE_VAR_ASSIGNMENT", "DANGEROUS_EVAL"]);

const command = process.env["WEB_EXT"] ?? "web-ext";
const built = resolve("dist/extension/firefox");
const print = (line: string) => process.stdout.write(`${line}\n`);
const printFinding = ({ code, message, file = "" }: Finding) => print(`  ${code} ${file}: ${message.slice(0, 160)}`);

if (!existsSync(built)) spawnSync(process.execPath, ["scripts/build-extension.mjs"], { stdio: "ignore" });
const result = spawnSync(command, ["lint", "--source-dir", built, "--output", "json", "--self-hosted"], {
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
});
if (result.error) {
  print("  skipped: no web-ext here. Install it and name it: WEB_EXT=/path/to/web-ext");
  process.exit(0);
}
const { errors, warnings } = JSON.parse(result.stdout) as LintReport;
const others = warnings.filter(({ code }) => !KNOWN_WARNINGS.has(code));
print(`  ${errors.length} errors, ${warnings.length} warnings, ${others.length} of them not about libraries`);
for (const finding of [...errors, ...others]) printFinding(finding);
process.exit(errors.length + others.length > 0 ? FOUND_FAULTS : 0);
