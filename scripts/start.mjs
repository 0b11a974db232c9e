// `npm start`: installs and builds what is missing or out of date, then starts the server.
import { spawn } from "node:child_process";
import { join } from "node:path";
import {
  allocatorSettings,
  compileCache,
  ensureBuilt,
  ensureInstalled,
  extensionFolder,
  findNode,
  nodeFlags,
  root,
  print,
  onNpmExit,
} from "./runtime.mjs";

await ensureInstalled();
const node = findNode();
await ensureBuilt();
print(`
  Extension     ${extensionFolder}
                Chrome, Edge, Brave: open chrome://extensions, turn on developer mode, click "Load unpacked" and choose this folder.
                Firefox: open about:debugging, click "Load Temporary Add-on" and choose manifest.json in the "firefox" folder next to it.`);

const server = spawn(node, [...nodeFlags, join(root, "api", "main.ts")], {
  cwd: root,
  env: { ...process.env, ...allocatorSettings, ...compileCache },
  stdio: "inherit",
});
// A terminal sends signals to both processes, a service manager only to this one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
onNpmExit(() => server.kill("SIGTERM"));
server.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
