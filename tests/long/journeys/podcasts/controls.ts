import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { PodcastTranscript } from "#shared/podcasts/schema.ts";
import type { Student } from "#tests/kit/student.ts";
import { ownFolder } from "#tests/store/own-folder.ts";

declare global {
  interface Window {
    /** The sound that was played last. */
    played?: HTMLMediaElement;
  }
}

/** Runs in the browser: moves the sound to a second. */
const seekTo = (seconds: number) => {
  if (window.played) window.played.currentTime = seconds;
};
const secondOf = ({ page }: Student) => page.evaluate(() => window.played?.currentTime ?? -1);

/** Changes the speed by key and by menu. */
async function changeSpeed(student: Student): Promise<void> {
  const { page } = student;
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("]");
  await page.waitForFunction(() => window.played?.playbackRate === 1.1 && window.played.preservesPitch);
  await student.press("button", "Speed: 1.1×");
  await student.press("menuitem", "1×");
  await page.waitForFunction(() => window.played?.playbackRate === 1);
}

/** Checks that the sleep timer stops the sound at the end of the current chapter. */
async function sleepAtChapterEnd(student: Student, { chapters }: PodcastTranscript): Promise<void> {
  const { page } = student;
  const seconds = await secondOf(student);
  const end = chapters.flatMap(({ startMs }) => (startMs === null ? [] : [startMs / 1000])).find((at) => at > seconds);
  if (end === undefined) throw new Error("the last chapter is heard");
  await student.press("button", "Sleep timer");
  await student.press("menuitem", "End of chapter");
  await page.evaluate(seekTo, end - 1.5);
  await page.waitForSelector('.player-play[aria-label="Play"]');
  expect(Math.abs((await secondOf(student)) - end)).toBeLessThan(1);
  await student.waitForText("Sleep timer");
}

/** Makes a card from the guest's current line, with the key for it. */
async function makeCard(student: Student, { lines }: PodcastTranscript): Promise<void> {
  const { page } = student;
  const index = lines.findIndex(({ speaker, citation }) => speaker === "guest" && citation !== null);
  await page.evaluate(seekTo, (lines[index]?.startMs ?? 0) / 1000 + 0.3);
  await page.waitForSelector(`#podcast-line-${index}[data-state="now"] [data-make-card]`);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("c");
  await student.type("Question", "What does the guest tell about the membrane?");
  expect(await student.checkScreen("podcast-card")).toEqual([]);
  await student.press("button", "Save card");
  await student.waitForText("Card saved");
}

/** Downloads the whole episode as an MP3 file with its chapters. */
async function downloadAudio(student: Student, title: string): Promise<void> {
  const folder = ownFolder();
  const session = await student.page.createCDPSession();
  await session.send("Page.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await student.press("button", `More for ${title}`);
  await student.press("menuitem", "Download audio (MP3)");
  await expect.poll(() => readdirSync(folder), { timeout: 30_000 }).toEqual([`${title}.mp3`]);
  const bytes = readFileSync(join(folder, `${title}.mp3`));
  expect([bytes.toString("latin1", 0, 3), bytes.includes("CHAP")]).toEqual(["ID3", true]);
}

/** Uses the player bar and the menu of an episode while the sound plays. */
export async function useControls(student: Student, transcript: PodcastTranscript, title: string): Promise<void> {
  await changeSpeed(student);
  await sleepAtChapterEnd(student, transcript);
  await makeCard(student, transcript);
  await downloadAudio(student, title);
}
