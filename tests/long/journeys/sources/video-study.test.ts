import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestUser } from "#tests/kit/api.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aPage } from "#tests/store/changes.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { tabTo } from "#tests/kit/browser/keyboard.ts";
import { ownFolder } from "#tests/store/own-folder.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import type { Student } from "#tests/kit/student.ts";
import { startYoutubeServer } from "#tests/kit/servers/youtube-server.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const folder = corpusFolder("video");
const film = folder && join(folder, "fixture-null.webm");

const captions = `WEBVTT

00:00.000 --> 00:01.500
Photosynthesis is the process by which plants

00:01.500 --> 00:03.000
convert light energy into sugar.

00:03.000 --> 00:05.000
Chlorophyll is the green pigment that absorbs light.

00:05.000 --> 00:09.000
<script>window.__xss=1</script>Oxygen is given off.
`;

async function aPageWith(student: Student, path: string): Promise<string> {
  await student.open("/home");
  await student.press("button", "New page");
  await student.type("Page title", "Plants");
  await student.press("button", "Page menu");
  const [chooser] = await Promise.all([student.page.waitForFileChooser(), student.press("menuitem", "Upload file")]);
  await chooser.accept([path]);
  await student.page.locator(".video-block a").wait();
  return new URL(student.page.url()).pathname;
}

/** Runs in the browser: the player's position in seconds, and whether it has a picture and is paused. */
const playerState = () => {
  const video = document.querySelector("video");
  return { at: video?.currentTime ?? -1, ready: video?.readyState ?? 0, isPaused: video?.paused ?? true };
};

test.skipIf(!film || !existsSync(film))(
  "a student uploads a lecture, adds captions, reads along, makes a card and a note, and returns by a citation",
  async () => {
    const server = await startServerProcess();
    const { student } = await registerStudent(browser, server.origin);
    const { page } = student;
    try {
      const pagePath = await aPageWith(student, film ?? "");
      await page.locator(".video-block a").click();
      await student.waitForText("No transcript yet");
      expect(await student.checkScreen("video-no-transcript")).toEqual([]);
      const path = join(ownFolder(), "talk.vtt");
      writeFileSync(path, captions);
      const [chooser] = await Promise.all([page.waitForFileChooser(), student.press("button", "Upload captions")]);
      await chooser.accept([path]);
      await student.waitForText("convert light energy into sugar.");
      expect(await page.evaluate("window.__xss")).toBeUndefined();
      await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 2);

      await student.press("button", "Go to 0:03");
      await page.waitForFunction(() =>
        document.querySelector('[data-current="true"]')?.textContent?.includes("Chlorophyll"),
      );
      expect((await page.evaluate(playerState)).at).toBeCloseTo(3, 1);
      await page.keyboard.press("ArrowUp");
      await page.waitForFunction(() =>
        document.querySelector('[data-current="true"]')?.textContent?.includes("convert"),
      );

      await page.keyboard.press("/");
      await page.keyboard.type("LIGHT ENERGY");
      await student.waitForText("1 of 1");
      expect(await student.checkScreen("video-search")).toEqual([]);
      await page.keyboard.press("Escape");

      await page.locator("h1").click();
      await page.keyboard.press("m");
      await student.type("Question", "What does photosynthesis make of light energy?");
      expect(await student.checkScreen("video-card")).toEqual([]);
      await student.press("button", "Save card");
      await student.waitForText("Card saved");
      await page.keyboard.press("n");
      await page.waitForFunction(isWriting, {}, "Note at");
      await page.keyboard.type("Ask about the Calvin cycle");
      await page.keyboard.down("Control");
      await page.keyboard.press("Enter");
      await page.keyboard.up("Control");
      await student.waitForText("Ask about the Calvin cycle");
      await page.locator("h1").click();
      await page.keyboard.press("?");
      await student.waitForText("Play or pause");
      expect(await student.checkScreen("video-keys")).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await student.checkScreen("video-notes")).toEqual([]);

      const address = new URL(page.url()).pathname;
      const quote = encodeURIComponent("chlorophyl is the green pigment that absorbs light");
      await student.open(`${address}?t=3&quote=${quote}`);
      await page.locator("mark.lit").wait();
      await page.waitForFunction(() => (document.querySelector("video")?.currentTime ?? 0) > 2.9);
      expect(await page.$eval("mark.lit", (mark) => mark.textContent)).toContain("green pigment");
      expect(await student.checkScreen("video-cited")).toEqual([]);
      await student.open(`${address}?t=3&quote=mitochondria%20release%20energy%20from%20glucose`);
      await student.waitForText("The quoted text was not found");
      expect(await page.$$("mark.lit")).toHaveLength(0);

      await student.open(pagePath);
      await student.waitForText("Ask about the Calvin cycle");
      await student.waitForText("1 card");
      // The poster was taken during the upload, or otherwise when the video was first shown.
      await page.waitForSelector("img.video-block-poster");
      expect(await student.readScreen()).toMatch(/Uploaded video, 0:\d\d/);
      expect(await student.checkScreen("video-page")).toEqual([]);
    } finally {
      await student.close();
      await server.dispose();
    }
  },
);

const newCaptions = () => [{ field: "file", file: new Blob([captions]), name: "talk.vtt" }];

/** Adds a page with a lecture that already has captions. */
async function addLecture(user: TestUser): Promise<void> {
  const pageId = await aPage(user, "Plants");
  const file = new Blob([new Uint8Array(readFileSync(film ?? ""))]);
  const files = [{ field: "file", file, name: "Lecture 9.webm" }];
  const { component } = await user.client.uploads.uploadVideoComponent({ pageId }, files);
  await user.client.video.uploadCaptions({ id: component._id, language: "en" }, newCaptions());
}

/** Runs in the browser. */
const isPaused = () => document.querySelector("video")?.paused;
const isAtSecond = (second: number) => Math.abs((document.querySelector("video")?.currentTime ?? -1) - second) < 0.2;
const readCurrentLine = () => document.querySelector('[data-current="true"]')?.textContent ?? "";
const isWriting = (name: string) => document.activeElement?.closest(".field")?.textContent?.startsWith(name) === true;

test.skipIf(!film || !existsSync(film))(
  "a lecture is found, played, looped, quoted on a card and annotated by keyboard",
  async () => {
    const server = await startServerProcess();
    const { student, user } = await registerStudent(browser, server.origin);
    const { page } = student;
    const { keyboard } = page;
    try {
      await addLecture(user);
      await student.open("/knowledge");
      await student.waitForText("Lecture 9");
      await tabTo(page, /^Lecture 9/);
      await keyboard.press("Enter");
      await student.waitForText("Photosynthesis is the process by which plants");
      await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 2);

      await keyboard.press("Space");
      // "k" depends on the state of the screen, not of the video, so wait until the screen knows that it plays.
      await page.waitForSelector(".player-bar [aria-label='Pause']");
      await keyboard.press("k");
      await page.waitForFunction(isPaused);
      for (let line = 0; line < 4; line += 1) await keyboard.press("ArrowUp");
      await page.waitForFunction(isAtSecond, {}, 0);
      await keyboard.press("[");
      await student.waitForText("Loop from 0:00");
      await keyboard.press("ArrowDown");
      await page.waitForFunction(`(${readCurrentLine.toString()})().includes("convert light")`);
      await keyboard.press("]");
      await student.waitForText("Loop 0:00 to 0:01");
      await keyboard.press("\\");
      await page.waitForFunction(() => !document.body.innerText.includes("Loop 0:00"));

      await page.waitForFunction(`(${readCurrentLine.toString()})().includes("Photosynthesis")`);
      await keyboard.down("Shift");
      await keyboard.press("ArrowDown");
      await keyboard.press("ArrowDown");
      await keyboard.up("Shift");
      await student.waitForText("Make a card");
      expect(await student.checkScreen("video-chosen")).toEqual([]);
      await keyboard.press("m");
      await page.waitForFunction(isWriting, {}, "Question");
      await keyboard.type("What does photosynthesis make of light energy?");
      expect(await page.$eval(".card-quote blockquote", (quote) => quote.textContent)).toBe(
        "Photosynthesis is the process by which plants convert light energy into sugar.",
      );
      await tabTo(page, /^Save card$/);
      await keyboard.press("Enter");
      await student.waitForText("Card saved");

      await keyboard.press("ArrowDown");
      await page.waitForFunction(isAtSecond, {}, 1.5);
      await keyboard.press("n");
      await page.waitForFunction(isWriting, {}, "Note at 0:01");
      await keyboard.type("Ask about the Calvin cycle");
      await keyboard.down("Control");
      await keyboard.press("Enter");
      await keyboard.up("Control");
      await page.waitForSelector(".note");
      await tabTo(page, /^Go to 0:01$/);
      await keyboard.press("Enter");
      await page.waitForFunction(isAtSecond, {}, 1);
      await keyboard.press("?");
      await student.waitForText("Select current line");
      await keyboard.press("Escape");
      await tabTo(page, /^Back to page$/);
      await keyboard.press("Enter");
      await student.waitForText("Ask about the Calvin cycle");
      await student.waitForText("1 card");
    } finally {
      await student.close();
      await server.dispose();
    }
  },
);

test("a YouTube lecture shows its transcript, or why it has none, without any request from the browser to YouTube", async () => {
  const youtube = await startYoutubeServer({
    abcdefghij1: { title: "How plants eat light" },
    abcdefghij2: { title: "A private talk", captionAnswer: "empty" },
  });
  const server = await startServerProcess({ YOUTUBE_BASE_URL: youtube.baseUrl });
  const { student } = await registerStudent(browser, server.origin);
  const { page } = student;
  const foreign: string[] = [];
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== server.origin && protocol.startsWith("http")) foreign.push(request.url());
  });
  try {
    await student.open("/home");
    await student.waitForText("Hello, Ada");
    const create = (url: string) =>
      page.evaluate(async (address) => {
        const token = decodeURIComponent(document.cookie.split("lamplight_token=")[1]?.split(";")[0] ?? "");
        const answer = await fetch("/v1/pages/create/video_component", {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ url: address }),
        });
        return ((await answer.json()) as { component: { _id: string } }).component._id;
      }, url);
    const [good, empty] = [await create("https://youtu.be/abcdefghij1"), await create("https://youtu.be/abcdefghij2")];
    await student.open(`/video/${good}`);
    await student.waitForText("Photosynthesis is the process by which plants");
    await student.waitForText("Play from YouTube");
    expect(await student.checkScreen("video-youtube")).toEqual([]);
    expect(foreign).toEqual([]);
    await student.open(`/video/${empty}`);
    await student.waitForText("empty response");
    await student.waitForText("Check YouTube again");
    youtube.videos.set("abcdefghij2", {});
    expect(await student.checkScreen("video-youtube-refused")).toEqual([]);
  } finally {
    await student.close();
    await server.dispose();
    await youtube.close();
  }
});
