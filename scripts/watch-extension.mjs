// Rebuilds the extension whenever its sources change; use the browser's reload button to load the result.
import { watch } from "chokidar";
import { build } from "wxt";
import { extensionFolder, root, print } from "./runtime.mjs";

const DEBOUNCE_MS = 200;
let timer;
let working = Promise.resolve();

async function rebuild() {
  try {
    await build({ configFile: "wxt.config.ts", browser: "chrome" });
    print(`Extension built: ${extensionFolder}`);
  } catch (error) {
    print(`The extension could not be built: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const scheduleRebuild = () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    working = working.then(rebuild);
  }, DEBOUNCE_MS);
};
// The build writes its own files to a hidden folder.
const isOwn = (path) => path.includes(`${root}/extension/.`);
// Node's watcher misses files that an editor saves by replacing them.
watch([`${root}/extension`, `${root}/shared`], { ignoreInitial: true, ignored: isOwn }).on("all", scheduleRebuild);
scheduleRebuild();
