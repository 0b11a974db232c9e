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
/** Files that the browser must play. For all others the screen must say that the browser can't play them. */
const mustPlay = ["fixture-null.webm", "fixture.m4v", "sample_10s_video-mp4.mp4", "h264_white_frame_sar_16_9.mp4"];

async function uploadFiles(student: Student, paths: string[]): Promise<void> {
  await student.press("button", "Upload");
  const [chooser] = await Promise.all([
    student.page.waitForFileChooser(),
    student.press("menuitem", "From this device"),
  ]);
  await chooser.accept(paths);
}

interface UploadOutcome {
  name: string;
  link: string;
  problem: string;
}

/**
 * Runs in the browser: the outcomes of the uploads once all have ended, otherwise undefined. Several that failed are in one
 * row, with the names of the files before each reason.
 */
const readUploadOutcomes = (count: number): UploadOutcome[] | undefined => {
  const failed = [...document.querySelectorAll(".upload-reasons > li")].flatMap((row) => {
    const names = row.querySelector("bdi")?.textContent ?? "";
    const problem = row.textContent.slice(names.length + 2);
    return names.split(", ").map((name) => ({ name, link: "", problem }));
  });
  const others = [...document.querySelectorAll(".upload-list > li:not(:has(.upload-reasons))")].map((row) => ({
    name: row.querySelector(".upload-name")?.textContent ?? "",
    link: row.querySelector("a")?.getAttribute("href") ?? "",
    problem: row.classList.contains("upload-problem") ? row.textContent : "",
  }));
  const ended = [...failed, ...others];
  const isOver = ended.length === count && ended.every(({ link, problem }) => link !== "" || problem !== "");
  return isOver ? ended : undefined;
};

/** Runs in the browser: whether the video plays or is shown as unsupported; undefined until either is known. */
const readPlayerOutcome = () => {
  const isPlayable = (document.querySelector("video")?.readyState ?? 0) >= 2;
  if (isPlayable) return "plays";
  return document.querySelector(".video-broken") ? "shown as unsupported" : undefined;
};

async function waitForPlayerOutcome(page: Page): Promise<string> {
  const found = await page.waitForFunction(readPlayerOutcome, { polling: 100 });
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
      await uploadFiles(
        student,
        names.map((name) => join(folder ?? "", name)),
      );
      const over = await page.waitForFunction(readUploadOutcomes, { polling: 100, timeout: 120_000 }, names.length);
      const ended = (await over.jsonValue()) ?? [];
      for (const name of names) {
        const { link, problem } = ended.find((upload) => upload.name.includes(name)) ?? { link: "", problem: "" };
        if (problem !== "") {
          outcomes.set(name, `refused: ${problem}`);
          continue;
        }
        await student.open(link);
        const video = await page.waitForSelector(".video-block a, .file-picture, .file-block");
        const address = await video?.evaluate((found) => found.closest(".video-block a")?.getAttribute("href") ?? "");
        if (address === undefined || address === "") {
          outcomes.set(name, "stored as a picture");
          continue;
        }
        await student.open(address);
        outcomes.set(name, await waitForPlayerOutcome(page));
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
