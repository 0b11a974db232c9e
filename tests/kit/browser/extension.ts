import { existsSync, rmSync } from "node:fs";
import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, Extension, Page, Target } from "puppeteer";
import { registerAccount, PASSWORD } from "../account.ts";
import { startServerProcess } from "../servers/server-process.ts";
import { untilAppHasForm } from "../student.ts";
import { openBrowser } from "./browser.ts";

const folder = resolve("dist/extension/chrome");

/** The built extension loaded in a browser, as with "Load unpacked". */
export interface ExtensionBrowser {
  browser: Browser;
  extension: Extension;
  /** Opens one of the extension's documents in a tab. */
  openPage(name: "sidepanel" | "options"): Promise<Page>;
  /** Clicks the toolbar button on a page and waits for the panel. */
  openPanel(page: Page): Promise<Page>;
}

export type Lamplight = Awaited<ReturnType<typeof startLamplight>>;

/** Starts a server with Ada signed in in a tab. */
export async function startLamplight(browser: Browser, env: Record<string, string> = {}) {
  const server = await startServerProcess(env);
  const ada = await registerAccount(server.origin, { email: "ada@example.org" });
  const page = await browser.newPage();
  await page.goto(`${server.origin}/login`);
  await untilAppHasForm(page);
  await page.locator('::-p-aria([name="Email"])').fill(ada.email);
  await page.locator('::-p-aria([name="Password"])').fill(PASSWORD);
  await page.locator('::-p-aria([name="Sign in"][role="button"])').click();
  await page.waitForFunction(() => location.pathname === "/home");
  const close = async () => {
    await page.close().catch(() => undefined);
    await server.dispose();
  };
  return { server, page, client: ada.client, close };
}

/** Connects the extension with the account that is signed in in the tab. */
export async function connectExtension(extended: ExtensionBrowser, panel: Page, server: string): Promise<void> {
  const options = await extended.openPage("options");
  await options.locator('::-p-aria([name="Server address"])').fill(server);
  await options.locator('::-p-aria([name="Check and save"])').click();
  await options.locator("::-p-text(Saved. The server is reachable.)").wait();
  await options.close();
  await panel.reload();
  await panel.bringToFront();
  const opened = extended.browser.waitForTarget((target) => target.url().startsWith(`${server}/connections`));
  await panel.locator('::-p-aria([name="Connect"][role="button"])').click();
  const confirming = await (await opened).page();
  if (!confirming) throw new Error("No page to confirm the code on");
  const code = await panel.$eval(".connect-code", (shown) => shown.textContent);
  await confirming.locator(`.connection-code ::-p-text(${code})`).wait();
  await confirming.locator('::-p-aria([name="Connect"][role="button"])').click();
  await panel.bringToFront();
  await panel.waitForFunction(() => document.querySelector(".connect") === null, { polling: 100 });
  await confirming.close();
}

type ServedPage = string | { body: string; headers: Record<string, string> };

/** Sites with their own names, for a browser with host rules; every host serves the same pages. */
export async function aLectureSite(pages: Readonly<Record<string, ServedPage>>, hosts = ["lectures.example.org"]) {
  const requests: string[] = [];
  const web = createServer((request, response) => {
    requests.push(`${request.headers.host}${request.url}`);
    const served = pages[(request.url ?? "").split("?")[0] ?? ""];
    const { body, headers } = typeof served === "object" ? served : { body: served, headers: {} };
    const status = body === undefined ? 404 : 200;
    return response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
  });
  await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
  const { port } = web.address() as AddressInfo;
  return {
    origin: `http://${hosts[0]}`,
    /** The address by IP, for a browser without host rules. */
    local: `http://127.0.0.1:${port}`,
    args: [`--host-resolver-rules=${hosts.map((host) => `MAP ${host}:80 127.0.0.1:${port}`).join(", ")}`],
    /** Host and path of every request. */
    requests,
    close: () => void web.close(),
  };
}

interface Options {
  args?: string[];
  profile?: string;
  /** Permissions already granted: tests can't answer the browser's prompt. */
  allowed?: string[];
}

/** The built extension with optional permissions already granted. */
async function withPermissions({ allowed = [], profile }: Options): Promise<string> {
  if (allowed.length === 0) return folder;
  // The folder determines the extension's id, so the same profile uses the same folder.
  const copy = profile === undefined ? await mkdtemp(join(tmpdir(), "lamplight-extension-")) : `${profile}-extension`;
  await cp(folder, copy, { recursive: true });
  const path = join(copy, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8")) as { permissions: string[]; host_permissions?: string[] };
  const hosts = allowed.filter((each) => each.includes("://"));
  manifest.permissions.push(...allowed.filter((each) => !each.includes("://")));
  if (hosts.length > 0) manifest.host_permissions = hosts;
  await writeFile(path, JSON.stringify(manifest));
  return copy;
}

export async function openExtensionBrowser(options: Options = {}): Promise<ExtensionBrowser> {
  if (!existsSync(join(folder, "manifest.json")))
    throw new Error("The extension is not built: node scripts/build-extension.mjs");
  const { allowed: _, ...rest } = options;
  const browser = await openBrowser({ extensions: [], ...rest });
  const installed = await withPermissions(options);
  if (installed !== folder && options.profile === undefined)
    browser.once("disconnected", () => rmSync(installed, { recursive: true, force: true }));
  const id = await browser.installExtension(installed);
  const extension = (await browser.extensions()).get(id);
  if (!extension) throw new Error("The browser did not take the extension");
  const address = (name: string) => `chrome-extension://${extension.id}/${name}.html`;
  const isPanel = (target: Target) => target.url().startsWith(address("sidepanel"));
  return {
    browser,
    extension,
    async openPage(name) {
      const page = await browser.newPage();
      page.setDefaultTimeout(30_000);
      await page.goto(address(name));
      return page;
    },
    async openPanel(page) {
      let opened: Target | undefined;
      // Right after installation the extension may not listen yet, and a click is lost.
      for (let presses = 0; opened === undefined && presses < 10; presses += 1) {
        // During an update there is no worker to receive the click.
        await extension.triggerAction(page).catch(() => undefined);
        opened = await browser.waitForTarget(isPanel, { timeout: 3_000 }).catch(() => undefined);
      }
      if (!opened) throw new Error("The panel did not open");
      const panel = await opened.asPage();
      panel.setDefaultTimeout(30_000);
      return panel;
    },
  };
}
