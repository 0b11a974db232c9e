// `npm run faults [ROW…]`: breaks the product on purpose, row by row of docs/faults.md, and prints a table.
import { ensureInstalled, findNode, nodeFlags, run } from "./runtime.mjs";

await ensureInstalled();
const { code } = await run(findNode(), [...nodeFlags, "tests/long/faults/run-faults.ts", ...process.argv.slice(2)]);
process.exit(code);
