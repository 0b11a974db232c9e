import type { Page } from "puppeteer";
import { expect, test } from "vitest";
import { aPage, aText } from "#tests/store/changes.ts";
import { registerAccount } from "#tests/kit/account.ts";
import { openStudentAs } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import type { Student } from "#tests/kit/student.ts";
import { allowServiceWorkers } from "#tests/kit/student.ts";

allowServiceWorkers();

const { browser, server } = await startBrowserAndServer();

/** One account with a page of two lines, open on two devices. */
async function openTwoDevices() {
  const ada = await registerAccount(server.origin);
  const pageId = await aPage(ada);
  await aText(ada, pageId, "Osmosis moves water.");
  await aText(ada, pageId, "Diffusion needs nothing.");
  const openDevice = async () => {
    const student = await openStudentAs(browser, server.origin, ada);
    await student.open(`/page/${pageId}`);
    await student.waitForText("Diffusion needs nothing.");
    return student;
  };
  return { laptop: await openDevice(), phone: await openDevice(), ada, pageId };
}

/** Puts the caret at the end of the line with these words. */
async function placeCaretAfter({ page }: Student, words: string): Promise<void> {
  await page.bringToFront();
  await page.evaluate((wanted) => {
    const line = [...document.querySelectorAll<HTMLElement>(".page-text")].find((l) => l.textContent.includes(wanted));
    const walker = document.createTreeWalker(line ?? document.body, NodeFilter.SHOW_TEXT);
    let last: Node | null = null;
    while (walker.nextNode()) last = walker.currentNode;
    document.querySelector<HTMLElement>(".page-document")?.focus();
    if (last) getSelection()?.collapse(last, last.textContent?.length ?? 0);
  }, words);
}

const readCaret = (page: Page) =>
  page.evaluate(() => {
    const at = getSelection();
    return `${at?.focusNode?.textContent ?? ""} ${at?.focusOffset ?? -1}`;
  });

const waitUntilSaved = ({ page }: Student) =>
  page.waitForFunction(() => document.querySelector(".top-bar-state")?.textContent === "Saved");

/** Milliseconds until the words are on the screen. */
async function timeUntilShown(student: Student, words: string): Promise<number> {
  const startedAt = performance.now();
  await student.waitForText(words);
  return performance.now() - startedAt;
}

test("an edit appears on another device within two seconds of being saved, and the caret stays", async () => {
  const { laptop, phone } = await openTwoDevices();
  await placeCaretAfter(phone, "Diffusion needs nothing.");
  const before = await readCaret(phone.page);
  await placeCaretAfter(laptop, "Osmosis moves water.");
  await laptop.page.keyboard.type(" Always.");
  await waitUntilSaved(laptop);
  expect(await timeUntilShown(phone, "Osmosis moves water. Always.")).toBeLessThan(2000);
  await laptop.page.keyboard.press("Enter");
  await laptop.page.keyboard.type("A new line of the laptop.");
  await waitUntilSaved(laptop);
  expect(await timeUntilShown(phone, "A new line of the laptop.")).toBeLessThan(2000);
  expect(await readCaret(phone.page)).toBe(before);
  await phone.page.bringToFront();
  await phone.page.keyboard.type(" The phone goes on.");
  await waitUntilSaved(phone);
  expect(await timeUntilShown(laptop, "Diffusion needs nothing. The phone goes on.")).toBeLessThan(2000);
  await laptop.close();
  await phone.close();
});

test("new and deleted lines appear in another tab of the same browser", async () => {
  const { laptop, phone, pageId } = await openTwoDevices();
  const tab = await laptop.page.browserContext().newPage();
  await tab.goto(`${server.origin}/page/${pageId}`, { waitUntil: "load" });
  await tab.waitForFunction(() => document.body.innerText.includes("Diffusion needs nothing."));
  await placeCaretAfter(laptop, "Osmosis moves water.");
  await laptop.page.keyboard.press("Enter");
  await laptop.page.keyboard.type("Between both.");
  await waitUntilSaved(laptop);
  await tab.waitForFunction(() => document.body.innerText.includes("Between both."), { timeout: 2000, polling: 100 });
  for (let i = 0; i <= "Between both.".length; i += 1) await laptop.page.keyboard.press("Backspace");
  await waitUntilSaved(laptop);
  await tab.waitForFunction(() => !document.body.innerText.includes("Between both."), { timeout: 2000, polling: 100 });
  await laptop.close();
  await phone.close();
});

test("changes made while a device was offline appear when its connection returns", async () => {
  const { laptop, phone } = await openTwoDevices();
  await phone.page.setOfflineMode(true);
  await placeCaretAfter(laptop, "Osmosis moves water.");
  await laptop.page.keyboard.type(" Meanwhile.");
  await waitUntilSaved(laptop);
  await phone.page.setOfflineMode(false);
  await phone.waitForText("Osmosis moves water. Meanwhile.");
  await laptop.close();
  await phone.close();
});

test("if two devices edit one line, both texts are kept, and a notice offers to restore or insert the other", async () => {
  const { laptop, phone } = await openTwoDevices();
  await phone.page.setOfflineMode(true);
  await placeCaretAfter(phone, "Osmosis moves water.");
  await phone.page.keyboard.type(" Says the phone.");
  await placeCaretAfter(laptop, "Osmosis moves water.");
  await laptop.page.keyboard.type(" Says the laptop.");
  await waitUntilSaved(laptop);
  await phone.page.setOfflineMode(false);
  await phone.page.bringToFront();
  const notice = "Part of this page was edited in two places. Both versions are saved.";
  await phone.waitForText(notice);
  await phone.waitForText("Osmosis moves water. Says the phone.");
  await laptop.waitForText(notice);
  await laptop.waitForText("Osmosis moves water. Says the phone.");
  await laptop.page.bringToFront();
  await laptop.press("button", "Compare versions");
  await laptop.waitForText("Edited in two places");
  expect(await laptop.checkScreen("page-conflict")).toEqual([]);
  await laptop.press("button", "Keep both versions");
  await laptop.waitForText("Osmosis moves water. Says the laptop.");
  await waitUntilSaved(laptop);
  await phone.waitForText("Osmosis moves water. Says the laptop.");

  await laptop.press("button", "Page menu");
  await laptop.press("menuitem", "Page history");
  await laptop.waitForText("Edited in two places");
  expect(await laptop.checkScreen("page-history")).toEqual([]);
  await laptop.page.locator(".history-entry").click();
  await laptop.press("button", "Restore this version");
  await laptop.waitForText("Version restored. The previous text is in the history.");
  await laptop.close();
  await phone.close();
});
