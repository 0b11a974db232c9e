// `npm run backup -- FILE`: everything in the data folder as one file, while the server runs.
import { ensureInstalled, findNode, nodeFlags, run } from "./runtime.mjs";

await ensureInstalled();
const { code } = await run(findNode(), [...nodeFlags, "scripts/data-command.ts", "backup", ...process.argv.slice(2)]);
process.exit(code);
