// Builds the extension anew whenever one of its sources changes; the browser then takes it by its reload button.
import { watch } from "chokidar";
import { build } from "wxt";
import { extensionFolder, root, say } from "./runtime.mjs";

const QUIET_MS = 200;
let timer;
let working = Promise.resolve();

async function make() {
  try {
    await build({ configFile: "wxt.config.ts", browser: "chrome" });
    say(`Extension built: ${extensionFolder}`);
  } catch (error) {
    say(`The extension could not be built: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const soon = () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    working = working.then(make);
  }, QUIET_MS);
};
// What the build itself writes lies in a hidden folder.
const isOwn = (path) => path.includes(`${root}/extension/.`);
// Node's own watcher loses a file that an editor saves by putting another in its place.
watch([`${root}/extension`, `${root}/shared`], { ignoreInitial: true, ignored: isOwn }).on("all", soon);
soon();
