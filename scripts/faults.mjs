// `npm run faults [ROW…]`: breaks the product on purpose, row by row of docs/faults.md, and prints a table.
import { allocatorSettings, ensureInstalled, findNode, nodeFlags, run } from "./runtime.mjs";

await ensureInstalled();
const { code } = await run(findNode(), [...nodeFlags, "tests/long/faults/run-faults.ts", ...process.argv.slice(2)], {
  env: allocatorSettings,
});
process.exit(code);
