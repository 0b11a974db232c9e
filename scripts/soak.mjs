// `npm run soak [MINUTES] [CALLS_PER_SECOND]`: half of the server's capacity, or that many calls, for a while (120 minutes
// by default); prints what grew.
import { allocatorSettings, ensureInstalled, findNode, nodeFlags, run } from "./runtime.mjs";

await ensureInstalled();
const { code } = await run(findNode(), [...nodeFlags, "tests/long/faults/soak.ts", ...process.argv.slice(2)], {
  env: allocatorSettings,
});
process.exit(code);
