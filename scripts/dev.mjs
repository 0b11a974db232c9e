// `npm run dev`: restarts the API when its sources change, hot-reloads the web app and rebuilds the extension.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, findNode, nodeFlags, root, print, onNpmExit } from "./runtime.mjs";

await ensureInstalled();
const node = findNode();
const env = { ...process.env, NODE_ENV: "development" };
const children = [
  spawn(node, [...nodeFlags, "--watch", "--watch-preserve-output", join(root, "api", "main.ts")], {
    cwd: root,
    stdio: "inherit",
    env,
  }),
  spawn(
    node,
    [join(root, "node_modules", "vite", "bin", "vite.js"), "--config", "webapp/vite.config.ts", "--host", "127.0.0.1"],
    { cwd: root, stdio: "inherit", env },
  ),
  spawn(node, [join(root, "scripts", "watch-extension.mjs")], { cwd: root, stdio: "inherit", env }),
];
print("API: http://localhost:3000. Web app with hot reload: see the address below.");
const stop = () => children.forEach((child) => child.kill("SIGTERM"));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
onNpmExit(stop);
for (const child of children) child.on("exit", () => stop());
