// `npm run soak [MINUTES]`: half of the server's capacity for a while (120 minutes by default); prints what grew.
import { ensureInstalled, findNode, nodeFlags, run } from "./runtime.mjs";

await ensureInstalled();
const { code } = await run(findNode(), [...nodeFlags, "tests/long/faults/soak.ts", ...process.argv.slice(2)]);
process.exit(code);
