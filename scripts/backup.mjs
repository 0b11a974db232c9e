// `npm run backup -- FILE`: saves the whole data folder to one file, while the server runs.
import { ensureInstalled, findNode, nodeFlags, run } from "./runtime.mjs";

await ensureInstalled();
const { code } = await run(findNode(), [...nodeFlags, "scripts/data-command.ts", "backup", ...process.argv.slice(2)]);
process.exit(code);
