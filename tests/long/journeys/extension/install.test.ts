import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  startLamplight,
  connectExtension,
  type ExtensionBrowser,
  openExtensionBrowser,
} from "#tests/kit/browser/extension.ts";
import { drivePanel } from "#tests/kit/browser/extension-panel.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { checkScreen } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";

let extended: ExtensionBrowser;
beforeAll(async () => {
  extended = await openExtensionBrowser();
});
afterAll(() => extended.browser.close());

async function aLecturePage(): Promise<string> {
  const web = createServer((_, response) =>
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<!doctype html><title>Ribosomes</title><p>The empty tRNA leaves from the E site.</p>"),
  );
  await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
  onTestFinished(() => void web.close());
  return `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
}

test("clicking the toolbar button opens the panel beside the page, and nothing is injected into the page", async () => {
  const page = await extended.browser.newPage();
  await page.goto(await aLecturePage());
  const before = await page.content();
  const panel = await extended.openPanel(page);
  await panel.locator("h1").wait();
  expect(await panel.$eval("h1", (heading) => heading.textContent)).toBe("Lamplight");
  expect(await page.content()).toBe(before);
  await page.close();
});

test("the settings accept the address of a Lamplight server, and explain why any other address is refused", async () => {
  const server = await startServerProcess();
  onTestFinished(() => server.dispose());
  const options = await extended.openPage("options");
  onTestFinished(() => options.close());
  const save = async (address: string) => {
    await options.locator('::-p-aria([name="Server address"])').fill(address);
    await options.locator('::-p-aria([name="Check and save"])').click();
  };
  const waitForText = (words: string) => options.locator(`::-p-text(${words})`).wait();
  await save("http://study.example.org");
  await waitForText("must start with https://");
  await save(await aLecturePage());
  await waitForText("No Lamplight server found at this address. Is it running?");
  await save(`${server.origin}/home`);
  await waitForText("Saved. The server is reachable.");
});

test("a student connects the extension with a code, and disconnects it on the connections screen", async () => {
  const { server, page, client, close } = await startLamplight(extended.browser);
  onTestFinished(close);
  const panel = await extended.openPage("sidepanel");
  onTestFinished(() => panel.close());
  await connectExtension(extended, panel, server.origin);
  await panel.locator("::-p-text(Connected as ada@example.org)").wait();
  const { extensions } = await client.connections.listExtensions({});
  expect(extensions.map(({ name }) => name)).toEqual(["Chrome on Linux"]);
  await page.bringToFront();
  await page.goto(`${server.origin}/connections`);
  await page.locator('::-p-aria([name="Disconnect Chrome on Linux"])').click();
  await page.waitForFunction(() => !document.body.innerText.includes("Chrome on Linux"));
  expect((await client.connections.listExtensions({})).extensions).toEqual([]);
});

/** A PDF on this computer that is deleted after the test. */
async function aLocalPdf(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lamplight-files-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "slides.pdf");
  await writeFile(path, Buffer.from(await tinyPdf([["Osmosis is the movement of water."]]).arrayBuffer()));
  return pathToFileURL(path).href;
}

interface Settings {
  updateProfileConfiguration(changed: { inDeveloperMode: boolean }): Promise<void>;
  updateExtensionConfiguration(changed: { extensionId: string; fileAccess: boolean }): Promise<void>;
  getExtensionInfo(id: string): Promise<{ state: string; fileAccess: { isActive: boolean } }>;
}

/** Runs in the browser's settings: whether the extension has restarted with this file access. */
async function isFileAccessSet(id: string, fileAccess: boolean): Promise<boolean> {
  const { developerPrivate } = (globalThis as unknown as { chrome: { developerPrivate: Settings } }).chrome;
  const info = await developerPrivate.getExtensionInfo(id);
  return info.state === "ENABLED" && info.fileAccess.isActive === fileAccess;
}

/** Sets "Allow access to file URLs" in the browser's own settings, which restarts the extension. */
async function setFileAccess({ browser, extension }: ExtensionBrowser, isAllowed: boolean): Promise<void> {
  const page = await browser.newPage();
  await page.goto("chrome://extensions");
  await page.evaluate(
    async (extensionId, fileAccess) => {
      const { developerPrivate } = (globalThis as unknown as { chrome: { developerPrivate: Settings } }).chrome;
      // Without developer mode the browser does not restart an extension that was loaded from a folder.
      await developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
      await developerPrivate.updateExtensionConfiguration({ extensionId, fileAccess });
    },
    extension.id,
    isAllowed,
  );
  await page.waitForFunction(isFileAccessSet, { polling: 100 }, extension.id, isAllowed);
  await page.close();
}

test("a local PDF is captured if file access is allowed, and otherwise the panel says what to do", async () => {
  const address = await aLocalPdf();
  const local = await openExtensionBrowser({ allowed: ["tabs", "file:///*"] });
  onTestFinished(() => local.browser.close());
  const tab = await local.browser.newPage();
  await tab.goto(address);
  const openBesideTab = async () => {
    await tab.bringToFront();
    const panel = await local.openPanel(tab);
    await tab.bringToFront();
    return { panel, driver: drivePanel(local, panel) };
  };
  // An extension installed from a store has no access to files.
  await setFileAccess(local, false);
  const denied = await openBesideTab();
  await denied.driver.waitForText("To capture local files, allow access to file URLs");
  await denied.driver.press("Save PDF");
  await denied.driver.waitForText("This file can't be read. Allow access to file URLs");
  expect(await checkScreen(denied.panel, "extension-file-closed")).toEqual([]);
  expect(await denied.panel.$("li.capture")).toBeNull();
  await setFileAccess(local, true);
  const allowed = await openBesideTab();
  await allowed.driver.press("Save PDF");
  await allowed.driver.waitForText("PDF · waiting for the server");
});

test("in a German browser the extension is in German: panel, settings, keys and quick actions", async () => {
  const german = await openExtensionBrowser({ args: ["--lang=de", "--accept-lang=de"] });
  onTestFinished(() => german.browser.close());
  let tab = await german.browser.newPage();
  await tab.goto(await aLecturePage());
  const panel = await german.openPanel(tab);
  const driver = drivePanel(german, panel);
  await driver.waitForText("Verbinde dein Konto");
  expect(await panel.evaluate(() => document.documentElement.lang)).toBe("de");
  tab = await driver.visit(tab, tab.url());
  await driver.press("Seite als Notiz speichern");
  await driver.waitForText("Notiz · wartet auf den Server");
  await driver.chooseMenu({ menuItemId: "bar" });
  await tab.locator("lamplight-host").wait();
  expect(await checkScreen(panel, "extension-german-panel")).toEqual([]);
  const options = await german.openPage("options");
  await options.locator("::-p-text(Karte aus der Auswahl erstellen)").wait();
  expect(await checkScreen(options, "extension-german-options")).toEqual([]);
});
