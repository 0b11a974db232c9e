import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import type { Student } from "#tests/kit/student.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const folder = corpusFolder("video");
/** What a browser of this project must play; of the rest it must say that it does not. */
const mustPlay = ["fixture-null.webm", "fixture.m4v", "sample_10s_video-mp4.mp4", "h264_white_frame_sar_16_9.mp4"];

async function bring(student: Student, paths: string[]): Promise<void> {
  await student.press("button", "Upload");
  const [chooser] = await Promise.all([
    student.page.waitForFileChooser(),
    student.press("menuitem", "From this device"),
  ]);
  await chooser.accept(paths);
}

interface Ended {
  name: string;
  link: string;
  problem: string;
}

/** Runs in the browser: how the uploads ended, once all of them have. */
const endedUploads = (count: number): Ended[] | undefined => {
  const ended = [...document.querySelectorAll(".upload-list li")].map((row) => ({
    name: row.querySelector(".upload-name")?.textContent ?? "",
    link: row.querySelector("a")?.getAttribute("href") ?? "",
    problem: row.classList.contains("upload-problem") ? (row.textContent ?? "") : "",
  }));
  const isOver = ended.length === count && ended.every(({ link, problem }) => link !== "" || problem !== "");
  return isOver ? ended : undefined;
};

/** Runs in the browser: whether the player has a picture, or the screen says that it has none. */
const shown = () => {
  const isPlayable = (document.querySelector("video")?.readyState ?? 0) >= 2;
  if (isPlayable) return "plays";
  return document.querySelector(".video-broken") ? "told that it cannot be played" : undefined;
};

async function watch(page: Page): Promise<string> {
  const found = await page.waitForFunction(shown, { polling: 100 });
  return String(await found.jsonValue());
}

test.skipIf(!folder)(
  "every video of the corpus is refused with a message, or plays, or is shown as unsupported by this browser",
  async () => {
    const server = await startServerProcess({ DEFAULT_PLAN: "PLUS" });
    const { student } = await registerStudent(browser, server.origin);
    const { page } = student;
    const outcomes = new Map<string, string>();
    try {
      const names = readdirSync(folder ?? "");
      await student.open("/content/all");
      await student.waitForText("All content");
      await bring(
        student,
        names.map((name) => join(folder ?? "", name)),
      );
      const over = await page.waitForFunction(endedUploads, { polling: 100, timeout: 120_000 }, names.length);
      const ended = (await over.jsonValue()) ?? [];
      for (const name of names) {
        const { link, problem } = ended.find((upload) => upload.name.includes(name)) ?? { link: "", problem: "" };
        if (problem !== "") {
          outcomes.set(name, `refused: ${problem.replace(/^.*?stopped/u, "").trim()}`);
          continue;
        }
        await student.open(link);
        const video = await page.waitForSelector(".video-block a, .file-picture, .file-block");
        const address = await video?.evaluate((found) => found.closest(".video-block a")?.getAttribute("href") ?? "");
        if (address === undefined || address === "") {
          outcomes.set(name, "taken as a picture");
          continue;
        }
        await student.open(address);
        outcomes.set(name, await watch(page));
      }
      for (const [name, outcome] of outcomes) process.stdout.write(`${name}: ${outcome}\n`);
      expect(mustPlay.map((name) => [name, outcomes.get(name)])).toEqual(mustPlay.map((name) => [name, "plays"]));
      expect(ended.map(({ name }) => names.some((file) => name.includes(file)))).toEqual(names.map(() => true));
    } finally {
      await student.close();
      await server.dispose();
    }
  },
);
