import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { screenPath } from "#shared/screens.ts";
import { openBrowser } from "#tests/kit/browser.ts";
import { aCard, aDeck, aPage, aText } from "#tests/kit/changes.ts";
import { ownChapter } from "#tests/kit/own-chapter.ts";
import { aStudent } from "#tests/kit/seat.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/server-process.ts";
import { sitDown } from "#tests/kit/student.ts";

let browser: Browser;
let server: ServerProcess;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), startServerProcess()]);
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

test("a page is shared by link, read by a stranger, copied by a classmate, listed, reported and made private", async () => {
  const faults: string[] = [];
  const { student: ada, user } = await aStudent(browser, server.origin);
  const pageId = await aPage(user, "Genes and proteins");
  await aText(user, pageId, "The flow of genetic information runs from DNA to mRNA to protein.");
  await aDeck(user, pageId, [aCard("codon", "What does a codon name?"), aCard("site", "Where does a ribosome begin?")]);
  const file = new Blob([new Uint8Array(await ownChapter())], { type: "application/pdf" });
  await user.client.pages.uploadImageComponent({ pageId }, [{ field: "file", file, name: "genes.pdf" }]);

  await ada.open(screenPath("page", { id: pageId }));
  await ada.reads("The flow of genetic information");
  await ada.press("button", "Page menu");
  await ada.press("menuitem", "Share");
  await ada.reads("Nobody else sees this.");
  await ada.page.keyboard.press("Tab");
  faults.push(...(await ada.look("share-private")));
  await ada.press("radio", "Anyone with the link");
  await ada.reads("Whoever has the link sees it");
  await ada.page.locator('::-p-aria([name="Link"])').wait();
  const link = await ada.page.$eval("input[readonly]", (input) => input.value);
  await ada.press("radio", "Everyone, under Explore");
  await ada.reads("It can be found under Explore");
  faults.push(...(await ada.look("share-listed")));

  const stranger = await sitDown(browser, server.origin);
  await stranger.open(new URL(link).pathname);
  await stranger.reads("The flow of genetic information");
  await stranger.reads("What does a codon name?");
  await stranger.page.waitForSelector(".shared-page canvas");
  faults.push(...(await stranger.look("shared")));
  await stranger.press("button", "Report");
  await stranger.reads("What is wrong with it?");
  faults.push(...(await stranger.look("shared-report")));
  await stranger.press("button", "Send report");
  await stranger.reads("An administrator will look at it.");

  await stranger.open("/explore");
  await stranger.reads("Genes and proteins");
  faults.push(...(await stranger.look("explore")));
  await stranger.open("/explore/search?q=genes");
  await stranger.reads("Genes and proteins");
  await stranger.open("/explore/law");
  await stranger.reads("Nothing is shared here yet");
  faults.push(...(await stranger.look("explore-empty")));

  const { student: eve } = await aStudent(browser, server.origin, { name: "Eve" });
  await eve.open(screenPath("duplicatePage", { pageId }));
  await eve.reads("Make your own copy of this page");
  faults.push(...(await eve.look("duplicate")));
  await eve.press("button", "Make a copy");
  await eve.reads("Page duplicated");
  await eve.reads("The flow of genetic information");

  await ada.press("radio", "Only me");
  await ada.reads("Nobody else sees this.");
  await stranger.open(new URL(link).pathname);
  await stranger.reads("This link opens nothing");
  faults.push(...(await stranger.look("shared-missing")));
  await eve.page.reload();
  await eve.reads("The flow of genetic information");
  expect(faults).toEqual([]);
  for (const student of [ada, eve, stranger]) await student.leave();
});
