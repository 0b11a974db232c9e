// `npm run rescue -- NEW_FOLDER`: copies what can be read of a damaged data folder; the server must not be running.
import { ensureInstalled, findNode, nodeFlags, run } from "./runtime.mjs";

await ensureInstalled();
const { code } = await run(findNode(), [...nodeFlags, "scripts/data-command.ts", "rescue", ...process.argv.slice(2)]);
process.exit(code);
