import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBreakableProxy, type HoldPoint } from "#tests/kit/servers/breakable-proxy.ts";
import { aLectureSite } from "#tests/kit/browser/extension.ts";
import { openPageWithPanel, drivePanel, type PageWithPanel } from "#tests/kit/browser/extension-panel.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { FACT, lesson } from "#tests/kit/lesson.ts";

/** A file that needs more than one piece of an upload. */
const slides = `${await tinyPdf([[FACT]]).text()}${"% padding\n".repeat(300_000)}`;

/** The parts of the extension's `chrome` that these tests use; `dispatch` imitates the browser's events. */
interface Chrome {
  offscreen: { closeDocument(): Promise<void> };
  runtime: {
    getContexts(filter: { contextTypes: string[] }): Promise<object[]>;
    getManifest(): { version: string };
    onUpdateAvailable: { dispatch(update: { version: string }): void };
  };
  alarms: { get(name: string): Promise<object | undefined>; onAlarm: { dispatch(alarm: { name: string }): void } };
  sidePanel: { close(options: { windowId: number }): Promise<void> };
  tabs: { query(filter: object): Promise<{ windowId: number }[]> };
}

/** The parts of the browser's extensions page that these tests use. */
interface Settings {
  updateProfileConfiguration(changed: { inDeveloperMode: boolean }): Promise<void>;
}

interface Case {
  path: string;
  kind: "card" | "note" | "pdf";
  what: string;
  call: RegExp;
  where: HoldPoint;
}

const cases: Case[] = [
  { path: "/one", kind: "card", what: "before the server has its change", call: /^\/v1\/sync/, where: "asked" },
  { path: "/two", kind: "card", what: "after the server has its change", call: /^\/v1\/sync/, where: "answered" },
  { path: "/three", kind: "note", what: "before the server has its blocks", call: /^\/v1\/sync/, where: "asked" },
  { path: "/four", kind: "note", what: "after the server has its blocks", call: /^\/v1\/sync/, where: "answered" },
  { path: "/five", kind: "note", what: "after the capture was recorded", call: /^\/v1\/captures/, where: "answered" },
  { path: "/six.pdf", kind: "pdf", what: "between two pieces", call: /^\/v1\/uploads\/[^/]+$/, where: "answered" },
  { path: "/seven.pdf", kind: "pdf", what: "while the file is assembled", call: /\/complete/, where: "answered" },
];

let site: Awaited<ReturnType<typeof aLectureSite>>;
let gate: Awaited<ReturnType<typeof startBreakableProxy>>;
let setup: PageWithPanel;
let lamplight: PageWithPanel["lamplight"];
let page: Page;
let panel: Page;
let driver: PageWithPanel["driver"];

beforeAll(async () => {
  const pages = cases.map(({ path, kind }) => {
    const pdf = { body: slides, headers: { "content-type": "application/pdf" } };
    return [path, kind === "pdf" ? pdf : lesson(path.slice(1))] as const;
  });
  site = await aLectureSite({
    ...Object.fromEntries(pages),
    "/": lesson("Start"),
    "/new": lesson("new"),
    "/newer": lesson("newer"),
  });
  setup = await openPageWithPanel(`${site.origin}/`, {
    browser: { args: site.args, allowed: ["tabs", "*://lectures.example.org/*"] },
    through: async (server) => {
      gate = await startBreakableProxy(server);
      return gate.origin;
    },
  });
  ({ lamplight, page, panel, driver } = setup);
});
afterAll(async () => {
  gate.close();
  await setup.close();
  site.close();
});

/** Closes the offscreen document that sends, at any stage; true if there was one. */
async function endSender(): Promise<boolean> {
  return driver.inWorker(async () => {
    const { chrome } = globalThis as unknown as { chrome: Chrome };
    const contexts = await chrome.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] });
    await chrome.offscreen.closeDocument();
    return contexts.length === 1;
  });
}

/** Fires the alarm with which the browser wakes the worker each minute. */
async function fireAlarm(): Promise<void> {
  await driver.inWorker(() => {
    const { chrome } = globalThis as unknown as { chrome: Chrome };
    chrome.alarms.onAlarm.dispatch({ name: "look" });
  });
}

async function startCapture({ kind }: Case): Promise<void> {
  if (kind === "pdf") return driver.press("Save PDF");
  if (kind === "note") return driver.press("Save page as note");
  await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("#fact") ?? document.body));
  await driver.press("Card from selection");
  await panel.locator('::-p-aria([name="Question"])').fill("What is a codon?");
  await panel.focus("textarea");
  await panel.keyboard.press("Enter");
}

const capturesOf = async (path: string) =>
  (await lamplight.client.capture.listCaptures({})).captures.filter(({ address }) => address.endsWith(path));

/** How often the captured content is on the page that was made for its address. */
async function countArrived({ kind, path }: Case): Promise<number> {
  const [capture] = await capturesOf(path);
  const { components } = await lamplight.client.pages.getPage({ id: capture?.pageId ?? "" });
  if (kind === "pdf") return components.filter(({ type }) => type === "image").length;
  if (kind === "note") return JSON.stringify(components).split("A codon is a sequence").length - 1;
  return components.flatMap((component) => (component.type === "flash_cards" ? component.content.cards : [])).length;
}

test.each(cases)("a $kind arrives exactly once if its sender is killed $what", async (given) => {
  page = await driver.visit(page, `${site.origin}${given.path}`);
  await page.bringToFront();
  const { reached, drop } = gate.hold(given.call, given.where);
  await startCapture(given);
  await reached;
  expect(await endSender()).toBe(true);
  drop();
  await fireAlarm();
  await expect.poll(async () => (await capturesOf(given.path)).length, { timeout: 60_000 }).toBe(1);
  expect(await countArrived(given)).toBe(1);
  await expect.poll(() => driver.readPanel()).not.toMatch(/wait(?:s|ing)? for the server|sending/);
  expect(await capturesOf(given.path)).toHaveLength(1);
});

async function writeVersion(version: string): Promise<void> {
  const path = join(setup.extended.extension.path, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8")) as object;
  await writeFile(path, JSON.stringify({ ...manifest, version }));
}

/** Replaces the extension by a newer version; the browser closes every document of the old version. */
async function update(version: string): Promise<void> {
  await writeVersion(version);
  await setup.extended.browser.installExtension(setup.extended.extension.path);
  await expect.poll(() => panel.isClosed()).toBe(true);
}

test("captures being sent during an extension update arrive exactly once, and the new version handles the next ones", async () => {
  const given: Case = { path: "/new", kind: "note", what: "", call: /^\/v1\/sync/, where: "answered" };
  page = await driver.visit(page, `${site.origin}${given.path}`);
  await page.bringToFront();
  const { reached, drop } = gate.hold(given.call, given.where);
  await startCapture(given);
  await reached;
  await update("0.1.1");
  drop();
  await expect.poll(async () => (await capturesOf(given.path)).length, { timeout: 60_000 }).toBe(1);
  expect(await countArrived(given)).toBe(1);
  panel = await setup.extended.openPanel(page);
  driver = drivePanel(setup.extended, panel);
  await driver.waitForText("Note · saved");
  await startCapture({ ...given, kind: "card" });
  await expect.poll(async () => (await capturesOf(given.path)).length, { timeout: 60_000 }).toBe(2);
});

/** Runs in the panel: stores another capture of a page in the form in which an earlier version put it on disk. */
async function saveWithOldVersion(address: string, html: string): Promise<void> {
  // Serialised into the panel, so it can use nothing from this file.
  // oxlint-disable-next-line unicorn/consistent-function-scoping
  const resultOf = <T>(request: IDBRequest<T>) =>
    new Promise<T>((done, fail) => {
      request.addEventListener("success", () => done(request.result));
      request.addEventListener("error", () => fail(new Error("not on disk")));
    });
  const db = await resultOf(indexedDB.open("lamplight-captures"));
  const step = db.transaction(["captures", "raws"], "readwrite");
  const [captures, raws] = [step.objectStore("captures"), step.objectStore("raws")];
  const [note] = await resultOf<{ id: string }[]>(captures.index("state").getAll("ready"));
  const id = `${note?.id.slice(0, -3)}OLD`;
  await Promise.all([resultOf(captures.put({ ...note, id, address })), resultOf(raws.put({ html }, id))]);
  db.close();
}

/** All names in the page's accessibility tree, because our elements are in a closed shadow root. */
async function readPageNotice(): Promise<string> {
  const session = await page.createCDPSession();
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes.map(({ name }) => String(name?.value ?? "")).join("\n");
}

/** Without developer mode, the browser does not restart an extension that was loaded from a folder, so a reload would remove it. */
async function setDeveloperMode(): Promise<void> {
  const settings = await setup.extended.browser.newPage();
  await settings.goto("chrome://extensions");
  await settings.evaluate(async () => {
    const { developerPrivate } = (globalThis as unknown as { chrome: { developerPrivate: Settings } }).chrome;
    await developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
  });
  await settings.close();
}

/** Closes the panel, as a student would, and fires the update alarm; the worker is reached from the settings page. */
async function closePanel(): Promise<void> {
  const settings = await setup.extended.openPage("options");
  const settingsDriver = drivePanel(setup.extended, settings);
  await settingsDriver.inWorker(async () => {
    const { chrome } = globalThis as unknown as { chrome: Chrome };
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    await chrome.sidePanel.close({ windowId: tab?.windowId ?? 0 });
  });
  await expect.poll(() => panel.isClosed()).toBe(true);
  await settingsDriver.inWorker(() => {
    const { chrome } = globalThis as unknown as { chrome: Chrome };
    // Deferred, so that this call is answered before the worker ends with its version.
    setTimeout(() => chrome.alarms.onAlarm.dispatch({ name: "update" }));
  });
  await expect.poll(() => settings.isClosed()).toBe(true);
}

test("a new version waits for the panel; waiting captures arrive once, and the old version's toolbar is replaced with a notice", async () => {
  const given: Case = { path: "/newer", kind: "note", what: "", call: /^\/v1\/sync/, where: "answered" };
  page = await driver.visit(page, `${site.origin}${given.path}`);
  await page.bringToFront();
  await lamplight.server.stop();
  await startCapture(given);
  await driver.waitForText("Note · waiting for the server");
  await panel.evaluate(saveWithOldVersion, `${site.origin}/older`, lesson("older"));
  await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("#fact") ?? document.body));
  await driver.press("Card from selection");
  await panel.locator("form.draft").wait();
  await driver.chooseMenu({ menuItemId: "bar" });
  await page.waitForSelector("lamplight-host");

  await setDeveloperMode();
  await page.bringToFront();
  await writeVersion("0.1.2");
  await driver.inWorker(() => {
    const { chrome } = globalThis as unknown as { chrome: Chrome };
    chrome.runtime.onUpdateAvailable.dispatch({ version: "0.1.2" });
  });
  const isWaiting = () =>
    driver.inWorker(async () => {
      const { chrome } = globalThis as unknown as { chrome: Chrome };
      return (await chrome.alarms.get("update")) !== undefined;
    });
  await expect.poll(isWaiting).toBe(true);
  expect(panel.isClosed()).toBe(false);
  await closePanel();

  await page.bringToFront();
  await page.keyboard.press("Enter");
  await expect.poll(readPageNotice).toContain("Lamplight was updated and nothing was captured.");
  panel = await setup.extended.openPanel(page);
  driver = drivePanel(setup.extended, panel);
  const version = await driver.inWorker(() => {
    const { chrome } = globalThis as unknown as { chrome: Chrome };
    return chrome.runtime.getManifest().version;
  });
  expect(version).toBe("0.1.2");
  await driver.chooseMenu({ menuItemId: "bar" });
  await expect.poll(readPageNotice).not.toContain("Lamplight was updated");
  expect(await page.$$eval("lamplight-host", (hosts) => hosts.length)).toBe(1);
  await driver.waitForText("2 captures wait for the server");
  expect(await panel.$$eval("form.draft", (drafts) => drafts.length)).toBe(1);

  await lamplight.server.start();
  for (const path of ["/newer", "/older"]) {
    await expect.poll(async () => (await capturesOf(path)).length, { timeout: 60_000 }).toBe(1);
    expect(await countArrived({ ...given, path })).toBe(1);
  }
});
