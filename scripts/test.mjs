// `npm test`: every check, one after the other where they want the machine to themselves, two at a time where not.
//   --no-browser  leaves out the journeys     --long  runs the long sweeps instead
import { availableParallelism } from "node:os";
import { stripVTControlCharacters } from "node:util";
import { ensureBrowser } from "./browser.mjs";
import { ensureBuilt, ensureInstalled, findNode, nodeFlags, run, say } from "./runtime.mjs";

const long = process.argv.includes("--long");
const withBrowser = !process.argv.includes("--no-browser");

await ensureInstalled();
const node = findNode();
const results = [];

const npm = (script) => ["npm", ["run", "--silent", script]];
const quick = [
  ["format", ...npm("check:format")],
  ["types", ...npm("check:types")],
  ["lint", ...npm("check:lint")],
  ["arrows", ...npm("check:arrows")],
  ["unused", ...npm("check:unused")],
  ["licences", node, ["scripts/licences.mjs"]],
];

async function step([name, command, args], options = {}) {
  const startedAt = Date.now();
  const { code, output } = await run(command, args, { quiet: true, ...options });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  results.push({ name, ok: code === 0 });
  say(`${code === 0 ? "ok  " : "FAIL"}  ${name.padEnd(24)} ${seconds.padStart(6)} s`);
  if (code !== 0) say(failures(output));
  else if (options.show) say(output.trim().split("\n").slice(-options.show).join("\n"));
}

/** What went wrong, without what went well before it: whoever reads a shortened log must meet the failure first. */
function failures(output) {
  const text = stripVTControlCharacters(output).trim();
  const from = text.indexOf("Failed Tests");
  const suites = text.indexOf("Failed Suites");
  const starts = [from, suites].filter((at) => at >= 0);
  return starts.length > 0 ? text.slice(Math.min(...starts)) : text;
}

async function lanes(steps, width) {
  const rest = [...steps];
  const lane = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) await step(next);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

if (long) {
  const env = { CHROME_PATH: await ensureBrowser() };
  await ensureBuilt();
  await step(["long sweeps", node, [...nodeFlags, "tests/long/run.ts"]], { show: 200, env });
  await step(["stories of the queue", "vitest", ["run", "tests/sync/property.test.ts"]], {
    show: 6,
    env: { SYNC_RUNS: "3000" },
  });
  await step(["long journeys", "vitest", ["run", "--config", "tests/long/vitest.config.ts"]], { show: 40, env });
} else {
  await lanes(quick, Math.min(2, availableParallelism()));
  await step(["unit and API", "vitest", ["run", "--silent=passed-only"]], { show: 6 });
  if (withBrowser) {
    const browser = await ensureBrowser();
    await ensureBuilt();
    await step(["journeys", "vitest", ["run", "--config", "tests/journeys/vitest.config.ts"]], {
      show: 60,
      env: { CHROME_PATH: browser },
    });
  }
}

const failed = results.filter((result) => !result.ok);
say(`\n${results.length - failed.length} passed, ${failed.length} failed`);
if (failed.length > 0) say(`Red: ${failed.map((result) => result.name).join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
