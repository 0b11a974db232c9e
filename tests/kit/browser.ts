import { existsSync } from "node:fs";
import { type Browser, launch } from "puppeteer";

const places = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

/** A headless browser of the machine, closed by the caller. It asks nothing of the network but our own pages. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env["CHROME_PATH"] ?? places.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error("No Chromium here: set CHROME_PATH");
  return launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}
