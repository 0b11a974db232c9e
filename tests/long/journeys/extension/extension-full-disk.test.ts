import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "puppeteer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aLectureSite, type ExtensionBrowser, openExtensionBrowser } from "#tests/kit/browser/extension.ts";
import { drivePanel } from "#tests/kit/browser/extension-panel.ts";
import { checkScreen } from "#tests/kit/student.ts";
import { noise } from "#tests/kit/random.ts";
import { FACT } from "#tests/kit/lesson.ts";

const MEGABYTE = 1024 * 1024;

/** Mounts a small file system for the browser; undefined if this machine does not allow it. */
function mountSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=160m", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

const disk = mountSmallDisk();
if (disk === undefined) process.stdout.write("  skipped: no file system can be mounted here\n");

const freeBytes = () => {
  const { bavail, bsize } = statfsSync(disk ?? "/");
  return bavail * bsize;
};
const ballast = join(disk ?? "/", "ballast");
function fillExcept(remainingBytes: number): void {
  try {
    writeFileSync(ballast, Buffer.alloc(Math.max(0, freeBytes() - remainingBytes)));
  } catch (error) {
    // The browser wrote something meanwhile, so the disk is full already.
    if (!String(error).includes("ENOSPC")) throw error;
  }
}
const freeDisk = () => rmSync(ballast);

const SMALL = `<!doctype html><html lang="en"><title>Codons</title><article><h1>Codons</h1><p id="fact">${FACT}</p></article></html>`;
// Random data, which cannot be compressed, so it needs its full size on disk.
const LARGE = `<!doctype html><html lang="en"><title>A large page</title><p>${noise(1.5 * MEGABYTE).toString("base64")}</p></html>`;

/** More than fits into the space that is left in the last disk page of the browser's log. */
const LONG = "Say it in your own words. ".repeat(400).trim();

test("reports whether a file system can be mounted for the full-disk tests", () => {
  expect(disk === undefined || freeBytes() > 0).toBe(true);
});

describe.skipIf(disk === undefined)("on a full disk", () => {
  let site: Awaited<ReturnType<typeof aLectureSite>>;
  let extended: ExtensionBrowser;
  let page: Page;
  let panel: Page;
  let driver: ReturnType<typeof drivePanel>;
  const pageErrors: string[] = [];

  beforeAll(async () => {
    site = await aLectureSite({ "/small": SMALL, "/large": LARGE });
    const allowed = ["tabs", "*://lectures.example.org/*"];
    extended = await openExtensionBrowser({ args: site.args, profile: join(disk ?? "", "profile"), allowed });
    page = await extended.browser.newPage();
    await page.goto(`${site.origin}/small`);
    panel = await extended.openPanel(page);
    panel.on("pageerror", (error) => pageErrors.push(String(error)));
    driver = drivePanel(extended, panel);
    await page.bringToFront();
  });
  afterAll(async () => {
    await extended.browser.close();
    site.close();
    execFileSync("umount", [disk ?? ""]);
    rmSync(disk ?? "", { recursive: true });
  });

  const rows = () => panel.$$eval("li.capture", (all) => all.map((row) => row.innerText.split("\n")[0]));
  const FULL = "This could not be saved because the disk is full.";

  test("a page that doesn't fit isn't shown as saved, the panel says what to do, and earlier data is kept", async () => {
    await driver.press("Save page as note");
    await driver.waitForText("Note · waiting for the server");
    await page.goto(`${site.origin}/large`);
    await driver.waitForText("A large page");
    fillExcept(600_000);
    await driver.press("Save page as note");
    await driver.waitForText(FULL);
    expect(await rows()).toEqual(["Codons"]);
    expect(await checkScreen(panel, "extension-full-disk")).toEqual([]);
    freeDisk();
    await driver.press("Save page as note");
    await expect.poll(rows).toEqual(["A large page", "Codons"]);
    expect(await driver.readPanel()).not.toContain(FULL);
  });

  test("a draft that can't be stored stays open, and is saved once there is space", async () => {
    await page.goto(`${site.origin}/small`);
    await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("#fact") ?? document.body));
    await driver.press("Card from selection");
    await panel.locator('::-p-aria([name="Question"])').wait();
    await panel.focus("textarea");
    await panel.keyboard.sendCharacter(LONG);
    const question = () => panel.$eval("form.draft textarea", ({ value }) => value);
    const written = await question();
    expect(written).toContain(LONG);
    fillExcept(0);
    await panel.keyboard.press("Enter");
    await driver.waitForText(FULL);
    expect(await question()).toBe(written);
    freeDisk();
    await panel.keyboard.press("Enter");
    await driver.waitForText("Card · waiting for the server");
    expect(pageErrors).toEqual([]);
  });
});
