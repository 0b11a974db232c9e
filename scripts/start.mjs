// `npm start`: installs what is missing, builds what is stale, serves everything.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, findNode, nodeFlags, root } from "./runtime.mjs";

await ensureInstalled();
const node = findNode();
await ensureBuilt();

const server = spawn(node, [...nodeFlags, join(root, "api", "main.ts")], { cwd: root, stdio: "inherit" });
// A terminal sends its signal to both; a service manager to this process alone.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
