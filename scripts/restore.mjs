// `npm run restore -- FILE [--replace]`: restores a backup into the data folder; the server must not be running.
import { ensureInstalled, findNode, nodeFlags, run } from "./runtime.mjs";

await ensureInstalled();
const { code } = await run(findNode(), [...nodeFlags, "scripts/data-command.ts", "restore", ...process.argv.slice(2)]);
process.exit(code);
