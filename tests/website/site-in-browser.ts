import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import type { Browser, Frame, Page } from "puppeteer";
import { expect } from "vitest";
import type { Student } from "#tests/kit/student.ts";

/** The frame of a site in the app, for previews and published sites alike. */
const siteFrame = (page: Page) => page.frames().find((frame) => frame.url().endsWith("/?frame"));

/** Waits until the site in its frame shows this text. */
export async function waitForSite({ page }: Pick<Student, "page">, words: string): Promise<void> {
  const read = async () =>
    siteFrame(page)
      ?.evaluate(() => document.body.innerText)
      .catch(() => "");
  await expect.poll(read, { timeout: 30_000 }).toContain(words);
}

/** Resolves to the frame of the site once it shows this text. */
export async function waitForSiteFrame(student: Pick<Student, "page">, words: string): Promise<Frame> {
  await waitForSite(student, words);
  const frame = siteFrame(student.page);
  if (!frame) throw new Error("The site has left its frame");
  return frame;
}

/** Presses a control of a site by its role and name. */
export const pressInSite = (site: Frame | Page, role: string, name: string): Promise<void> =>
  site.locator(`::-p-aria([name="${name}"][role="${role}"])`).click();

const textOf = (site: Frame | Page) => site.evaluate(() => document.body.innerText);

/** Turns one card, answers one question and looks one term up, as a reader does. */
export async function useSite(site: Frame | Page): Promise<void> {
  await pressInSite(site, "link", "Cards");
  await pressInSite(site, "button", "Show answer");
  await expect.poll(() => textOf(site)).toContain("A stretch of DNA");
  await site.locator("::-p-xpath(//button[starts-with(., 'Good')])").click();
  await expect.poll(() => textOf(site)).toContain("7 to go");
  await pressInSite(site, "link", "Quiz");
  await site.locator(".lk-option").click();
  await expect.poll(() => textOf(site)).toMatch(/Right\.|Not quite\./);
  await pressInSite(site, "button", "Next question");
  await expect.poll(() => textOf(site)).toContain("Question 2 of");
  await pressInSite(site, "link", "Glossary");
  await site.locator("::-p-aria([name='Find a term'])").fill("nucleotides");
  await expect.poll(() => textOf(site)).toContain("1 term");
  expect(await textOf(site)).toContain("Codon");
}

/** Lets a tab save its downloads in a folder. */
export async function saveDownloadsIn(page: Page, folder: string): Promise<void> {
  const session = await page.createCDPSession();
  const browserContextId = page.browserContext().id ?? "";
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, browserContextId });
}

/** Waits for a file with this ending in a folder. */
export async function waitForFile(folder: string, ending: string): Promise<string> {
  let found: string | undefined;
  const look = async () => (found = (await readdir(folder)).find((name) => name.endsWith(ending)));
  await expect.poll(look, { timeout: 30_000 }).toBeDefined();
  return join(folder, found ?? "");
}

export async function unpack(zip: Uint8Array, folder: string): Promise<void> {
  for (const [name, bytes] of Object.entries(unzipSync(zip))) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
}

/** Opens a file from the disk in its own browser context, and records the errors of its scripts. */
export async function openFromDisk(browser: Browser, file: string) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const crashes: string[] = [];
  page.on("pageerror", (error) => crashes.push(String(error)));
  await page.goto(`file://${file}`);
  return { page, crashes, close: () => context.close() };
}
