import type { Browser } from "puppeteer";
import { afterAll } from "vitest";
import { openBrowser } from "./browser.ts";
import { type ServerProcess, startServerProcess } from "../servers/server-process.ts";

/** A browser and a server with these settings for all journeys of a file. */
export async function startBrowserAndServer(
  env: Record<string, string> = {},
): Promise<{ browser: Browser; server: ServerProcess }> {
  const [browser, server] = await Promise.all([openBrowser(), startServerProcess(env)]);
  afterAll(async () => {
    await browser.close();
    await server.dispose();
  });
  return { browser, server };
}
