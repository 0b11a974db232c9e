// Builds the extension anew whenever one of its sources changes; the browser then takes it by its reload button.
import { existsSync, watch } from "node:fs";
import { build } from "wxt";
import { extensionFolder, root, say } from "./runtime.mjs";

const QUIET_MS = 200;
let timer;
let working = Promise.resolve();

async function make() {
  try {
    await build({ configFile: "extension/wxt.config.ts", browser: "chrome" });
    say(`Extension built: ${extensionFolder}`);
  } catch (error) {
    say(`The extension could not be built: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const soon = () => {
  clearTimeout(timer);
  timer = setTimeout(() => (working = working.then(make)), QUIET_MS);
};
for (const room of ["extension", "shared"]) {
  const folder = `${root}/${room}`;
  // What the build itself writes lies in a hidden folder.
  if (existsSync(folder)) watch(folder, { recursive: true }, (_, name) => name?.startsWith(".wxt") || soon());
}
soon();
