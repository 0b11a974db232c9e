import type { Browser } from "puppeteer";
import { ulid } from "ulid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aCard, aChange, aDeck, aPage, aText, send } from "#tests/store/changes.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/servers/server-process.ts";
import { startYoutubeServer, type YoutubeServer } from "#tests/kit/servers/youtube-server.ts";

let browser: Browser;
let youtube: YoutubeServer;
let server: ServerProcess;
beforeAll(async () => {
  youtube = await startYoutubeServer({ abcdefghij1: { title: "How plants eat light" } });
  [browser, server] = await Promise.all([openBrowser(), startServerProcess({ YOUTUBE_BASE_URL: youtube.baseUrl })]);
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
  await youtube.close();
});

const inSidebar = (section: string) =>
  [...document.querySelectorAll(".sidebar-section")]
    .filter((part) => part.querySelector("h2")?.textContent === section)
    .flatMap((part) => [...part.querySelectorAll(".sidebar-label")].map(({ textContent }) => textContent ?? ""));

test("the last opened page comes first, a folder gets a title once, and a deleted video can be restored", async () => {
  const { student: ada, user } = await registerStudent(browser, server.origin);
  const first = await aPage(user, "Lecture 1: Plant cells");
  await aText(user, first, "A cell has a wall.");
  const second = await aPage(user, "Plant cells, exercises");
  await aText(user, second, "Draw the wall.");
  const deck = await aDeck(user, second, [aCard("codon")]);
  const { component: video } = await user.client.video.createVideoComponent({
    pageId: first,
    url: "https://youtu.be/abcdefghij1",
  });

  // Recents list pages and a video; the last one opened comes first.
  await ada.open(`/page/${first}`);
  await ada.waitForText("A cell has a wall.");
  await ada.open(`/page/${second}`);
  await ada.waitForText("Draw the wall.");
  await ada.open("/content/all");
  await ada.press("button", "Expand sidebar");
  await expect
    .poll(() => ada.page.evaluate(inSidebar, "Recents"))
    .toEqual(["Plant cells, exercises", "Lecture 1: Plant cells"]);
  // Content that was created just now does not count as opened at once, so this is repeated.
  await expect
    .poll(
      async () => {
        await ada.open(`/video/${video._id}`);
        await ada.waitForText("Play from YouTube");
        await ada.open("/content/all");
        await ada.waitForText("Recents");
        return ada.page.evaluate(inSidebar, "Recents");
      },
      { timeout: 30_000 },
    )
    .toEqual(["How plants eat light", "Plant cells, exercises", "Lecture 1: Plant cells"]);

  // Recents also list a deck that is studied.
  await ada.open(`/page/${second}/study/${deck}`);
  await ada.waitForText("codon?");
  await expect
    .poll(
      async () => {
        await ada.open("/content/all");
        await ada.waitForText("Recents");
        return (await ada.page.evaluate(inSidebar, "Recents"))[0];
      },
      { timeout: 15_000 },
    )
    .toBe("Genes");

  // A folder without a title gets one when it is first opened, and another only on request.
  const folderId = ulid();
  const items = [first, second].map((id) => ({ item_id: id, item_type: "page" as const, created_at: 1 }));
  await send(
    user,
    aChange("folder_create", folderId, { title: "", color: "GREEN", createdAt: 1 }),
    aChange("folder_update", folderId, { items }),
  );
  const title = () => ada.page.$eval(".folder-title input", (field) => field.value);
  await ada.open(`/folder/${folderId}`);
  await ada.page.waitForSelector(".folder-title input");
  await expect.poll(title).toBe("Plant Cells");
  await ada.page.locator(".folder-title input").fill("Mine");
  await ada.page.keyboard.press("Enter");
  await expect
    .poll(async () => (await user.client.library.listFolders({})).folders.map((folder) => folder.title))
    .toEqual(["Mine"]);
  await ada.page.reload();
  await ada.page.waitForSelector(".folder-title input");
  expect(await title()).toBe("Mine");
  await ada.press("button", "Folder menu");
  await ada.press("menuitem", "Suggest another title");
  await expect.poll(title).toBe("Plant Cells");

  // A video of a page is deleted in the list, and then removed from the page itself.
  await ada.open("/content/all");
  await ada.press("button", "More actions for How plants eat light");
  await ada.press("menuitem", "Delete");
  await ada.waitForText("Video deleted");
  await ada.press("button", "Undo");
  await ada.waitForText("Video restored");
  await ada.open(`/page/${first}`);
  await ada.page.locator(".video-block").wait();
  expect(await ada.readScreen()).not.toContain("two places");
  expect(await ada.checkScreen("page-with-video")).toEqual([]);
  await ada.press("button", "More actions for How plants eat light");
  await ada.press("menuitem", "Remove from page");
  await ada.page.waitForFunction(() => document.querySelector(".video-block") === null);
  await ada.page.focus(".page-document");
  await ada.page.keyboard.down("Control");
  await ada.page.keyboard.press("z");
  await ada.page.keyboard.up("Control");
  await ada.page.locator(".video-block").wait();
  await ada.close();
});
