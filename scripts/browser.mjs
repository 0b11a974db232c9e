// Finds an installed Chromium or Chrome, or installs Debian's where possible.
import { existsSync } from "node:fs";
import { fail, run, print } from "./runtime.mjs";

const candidates = [
  process.env.CHROME_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

const findBrowser = () => candidates.find((path) => path && existsSync(path));

/** The path of a browser for the browser tests; installs Chromium on Debian if none is found. */
export async function ensureBrowser() {
  const existing = findBrowser();
  if (existing) return existing;
  const isDebianRoot = existsSync("/etc/debian_version") && process.getuid?.() === 0;
  if (isDebianRoot) {
    print("Installing Chromium for the browser tests …");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update"], { env, quiet: true });
    const { code, output } = await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], {
      env,
      quiet: true,
    });
    if (code !== 0) fail(`${output.trim()}\nCould not install Chromium.`);
    const installed = findBrowser();
    if (installed) return installed;
  }
  return fail(
    "The browser tests need Chromium or Chrome. On Debian or Ubuntu: sudo apt-get install chromium. Elsewhere install Chrome, or set CHROME_PATH to its path.",
  );
}
