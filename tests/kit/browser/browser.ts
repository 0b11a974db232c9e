import { existsSync } from "node:fs";
import { type Browser, launch } from "puppeteer";

const places = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

interface BrowserOptions {
  /** Folders of extensions to load. */
  extensions?: string[];
  /** Reused by a later browser; a new one if omitted. */
  profile?: string;
  args?: string[];
}

/** A headless browser, closed by the caller. It requests nothing from the network but our own pages. */
export function openBrowser({ extensions, profile, args = [] }: BrowserOptions = {}): Promise<Browser> {
  const executablePath = process.env["CHROME_PATH"] ?? places.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error("No Chromium here: set CHROME_PATH");
  return launch({
    executablePath,
    // Extensions can be loaded only over a pipe.
    ...(extensions ? { enableExtensions: extensions, pipe: true } : {}),
    ...(profile === undefined ? {} : { userDataDir: profile }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      ...args,
    ],
  });
}
