// `npm run reset-link|admin|plan|sign-out|invite -- …`: account commands for the operator; the server may be running.
import { ensureInstalled, findNode, nodeFlags, run } from "./runtime.mjs";

await ensureInstalled();
const { code } = await run(findNode(), [...nodeFlags, "scripts/account-command.ts", ...process.argv.slice(2)]);
process.exit(code);
