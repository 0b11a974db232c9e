import { expect, test } from "vitest";
import { screenPath } from "#shared/screens.ts";
import { registerAccount } from "#tests/kit/account.ts";
import { aCard, aDeck, aPage, aText } from "#tests/store/changes.ts";
import { ownChapter } from "#tests/kit/own-chapter.ts";
import { registerStudent, openStudentAs } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { openStudent } from "#tests/kit/student.ts";

const { browser, server } = await startBrowserAndServer();
// The first account on a loopback server is the administrator.
const admin = await registerAccount(server.origin, { name: "Root" });

test("a page is shared by link, read by a stranger, copied by a classmate, listed, reported and made private", async () => {
  const faults: string[] = [];
  const { student: ada, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "Genes and proteins");
  await aText(user, pageId, "The flow of genetic information runs from DNA to mRNA to protein.");
  await aDeck(user, pageId, [aCard("codon", "What does a codon name?"), aCard("site", "Where does a ribosome begin?")]);
  const file = new Blob([new Uint8Array(await ownChapter())], { type: "application/pdf" });
  await user.client.uploads.uploadImageComponent({ pageId }, [{ field: "file", file, name: "genes.pdf" }]);

  await ada.open(screenPath("page", { id: pageId }));
  await ada.waitForText("The flow of genetic information");
  await ada.press("button", "Page menu");
  await ada.press("menuitem", "Share");
  await ada.waitForText("Only you can see this.");
  await ada.page.keyboard.press("Tab");
  faults.push(...(await ada.checkScreen("share-private")));
  await ada.press("radio", "Anyone with the link");
  await ada.waitForText("Anyone with the link can view it");
  await ada.page.locator('::-p-aria([name="Link"])').wait();
  const link = await ada.page.$eval("input[readonly]", (input) => input.value);
  await ada.press("radio", "Everyone, on Explore");
  await ada.waitForText("Anyone can find it on Explore");
  faults.push(...(await ada.checkScreen("share-listed")));

  const stranger = await openStudent(browser, server.origin);
  await stranger.open(new URL(link).pathname);
  await stranger.waitForText("The flow of genetic information");
  await stranger.waitForText("What does a codon name?");
  await stranger.page.waitForSelector(".shared-page canvas");
  // The text of the PDF can be selected and read by a screen reader.
  await stranger.page.waitForSelector(".shared-page .textLayer span");
  faults.push(...(await stranger.checkScreen("shared")));
  await stranger.press("button", "Report");
  await stranger.waitForText("What is wrong with it?");
  faults.push(...(await stranger.checkScreen("shared-report")));
  await stranger.press("button", "Send report");
  await stranger.waitForText("An administrator will review it.");

  await stranger.open("/explore");
  await stranger.waitForText("Genes and proteins");
  faults.push(...(await stranger.checkScreen("explore")));
  // On a phone the topics are one line that scrolls without a bar.
  await stranger.page.setViewport({ width: 360, height: 740 });
  const topics = await stranger.page.$eval(".explore-topics", (nav) => ({
    bar: getComputedStyle(nav).scrollbarWidth,
    lines: new Set([...nav.children].map((topic) => topic.getBoundingClientRect().top)).size,
  }));
  expect(topics).toEqual({ bar: "none", lines: 1 });
  await stranger.page.setViewport({ width: 1360, height: 860 });
  await stranger.open("/explore/search?q=genes");
  await stranger.waitForText("Genes and proteins");
  await stranger.open("/explore/arts");
  await stranger.waitForText("Nothing on Arts yet");
  faults.push(...(await stranger.checkScreen("explore-empty")));

  const { student: eve } = await registerStudent(browser, server.origin, { name: "Eve" });
  await eve.open(screenPath("duplicatePage", { pageId }));
  await eve.waitForText("Make a copy of this page");
  faults.push(...(await eve.checkScreen("duplicate")));
  await eve.press("button", "Make a copy");
  await eve.waitForText("Page duplicated");
  await eve.waitForText("The flow of genetic information");

  await ada.press("radio", "Only me");
  await ada.waitForText("Only you can see this.");
  await stranger.open(new URL(link).pathname);
  await stranger.waitForText("This link no longer works");
  faults.push(...(await stranger.checkScreen("shared-missing")));
  await eve.page.reload();
  await eve.waitForText("The flow of genetic information");
  expect(faults).toEqual([]);
  for (const student of [ada, eve, stranger]) await student.close();
});

test("a link can be copied and previewed, its views and copies are counted, and an administrator takes it down", async () => {
  const faults: string[] = [];
  const root = await openStudentAs(browser, server.origin, admin);
  const { student: ada, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "Membranes and pumps");
  await aText(user, pageId, "A pump moves ions against their gradient.");
  const file = new Blob([new Uint8Array(await ownChapter())], { type: "application/pdf" });
  const uploaded = await user.client.uploads.uploadImageComponent({ pageId }, [
    { field: "file", file, name: "genes.pdf" },
  ]);
  const pdfId = uploaded.component._id;
  await user.client.sharing.putShare({ type: "component_pdf", id: pdfId });
  const openShareMenu = async () => {
    await ada.open(screenPath("page", { id: pageId }));
    await ada.waitForText("A pump moves ions");
    await ada.press("button", "Page menu");
    await ada.press("menuitem", "Share");
  };
  await openShareMenu();
  await ada.press("radio", "Everyone, on Explore");
  await ada.waitForText("Anyone can find it on Explore");
  // A headless browser has no clipboard, so the test captures the copied text.
  await ada.page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => void Object.assign(globalThis, { copied: text });
  });
  await ada.press("button", "Copy link");
  await ada.waitForText("Link copied");
  const link = await ada.page.$eval("input[readonly]", (input) => input.value);
  expect(await ada.page.evaluate(() => (globalThis as unknown as { copied: string }).copied)).toBe(link);
  const html = await (await fetch(link)).text();
  expect(html).toMatch(/property="og:title" content="Membranes and pumps"/);
  expect(html).toMatch(/property="og:description" content="A pump moves ions against their gradient\./);

  const { student: eve } = await registerStudent(browser, server.origin, { name: "Eve" });
  await eve.open(new URL(link).pathname);
  await eve.waitForText("A pump moves ions");
  await eve.press("button", "Make a copy");
  await eve.waitForText("Page duplicated");
  await eve.open(screenPath("duplicatePdf", { pdfId }));
  await eve.waitForText("Make a copy of this PDF");
  await eve.press("button", "Make a copy");
  await eve.waitForText("Copied to your library");
  await openShareMenu();
  await ada.waitForText("Views: 1 \u00b7 copies: 1");

  // A failed request shows an error, and trying again loads the content.
  await eve.open("/explore");
  await eve.waitForText("Membranes and pumps");
  await eve.page.hover(".explore-item-title a");
  // Hovering over a link loads the code of its screen.
  await eve.page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("share-route")),
  );
  await eve.page.setOfflineMode(true);
  await eve.page.locator(".explore-topics ::-p-text(Biology)").click();
  await eve.waitForText("Shared content could not be loaded");
  faults.push(...(await eve.checkScreen("explore-failed")));
  await eve.page.setOfflineMode(false);
  await eve.press("button", "Try again");
  await eve.waitForText("Photosynthesis");
  await eve.page.goBack();
  await eve.waitForText("Membranes and pumps");
  await eve.page.setOfflineMode(true);
  await eve.page.locator(".explore-item-title a").click();
  await eve.waitForText("This could not be loaded");
  faults.push(...(await eve.checkScreen("shared-failed")));
  await eve.page.setOfflineMode(false);
  await eve.press("button", "Try again");
  await eve.waitForText("A pump moves ions");
  expect(await eve.page.$$("::-p-aria([name='Take down'])")).toHaveLength(0);

  await root.open(new URL(link).pathname);
  await root.press("button", "Take down");
  await root.waitForText("Take this down?");
  faults.push(...(await root.checkScreen("shared-take-down")));
  await root.page.locator("dialog ::-p-aria([name='Take down'])").click();
  await root.waitForText("This link no longer works");
  await eve.page.reload();
  await eve.waitForText("This link no longer works");
  await openShareMenu();
  await ada.waitForText("An administrator took this down");
  expect(faults).toEqual([]);
  for (const student of [root, ada, eve]) await student.close();
});
