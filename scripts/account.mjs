// `npm run reset-link|admin|sign-out|invite -- …`: what only whoever runs the server may do to accounts; it may run meanwhile.
import { ensureInstalled, findNode, nodeFlags, run } from "./runtime.mjs";

await ensureInstalled();
const { code } = await run(findNode(), [...nodeFlags, "scripts/account-command.ts", ...process.argv.slice(2)]);
process.exit(code);
