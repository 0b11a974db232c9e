// `npm run bench [NAME …]`: runs the benchmarks in bench/ one after the other and prints their results.
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { compileCache, ensureBuilt, ensureInstalled, findNode, fail, nodeFlags, root, run } from "./runtime.mjs";

if (!process.execArgv.includes("--expose-gc")) {
  await ensureInstalled();
  await ensureBuilt();
  const { code } = await run(findNode(), [...nodeFlags, "--expose-gc", "scripts/bench.mjs", ...process.argv.slice(2)], {
    env: compileCache,
  });
  process.exit(code);
}

const wanted = process.argv.slice(2);
const files = readdirSync(join(root, "bench"), { recursive: true })
  .filter((file) => file.endsWith(".bench.ts"))
  .map((file) => ({ file, name: basename(file, ".bench.ts") }))
  .filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1));
if (files.length === 0) fail(`No such benchmark: ${wanted.join(", ")}`);

const rounded = (value) => (typeof value === "number" ? Number(value.toPrecision(4)) : value);
for (const { file } of files) {
  const { bench } = await import(join(root, "bench", file));
  process.stdout.write(`\n${bench.name}\n`);
  for (const row of await bench.run()) {
    const ratio = row.ratio === undefined ? "" : `  ratio ${rounded(row.ratio)}`;
    const reference = row.reference === undefined ? "" : `  against ${rounded(row.reference)}`;
    process.stdout.write(`  ${row.what}: ${rounded(row.value)} ${row.unit}${reference}${ratio}  (goal: ${row.goal})\n`);
  }
}
process.exit(0);
