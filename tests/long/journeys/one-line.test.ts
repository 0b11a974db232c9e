import { setTimeout as pause } from "node:timers/promises";
import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { registerAccount } from "#tests/kit/account.ts";
import { isFull } from "#tests/kit/all-cases.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { seededDraws } from "#tests/kit/random.ts";
import { openStudentAs } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/servers/server-process.ts";
import type { Student } from "#tests/kit/student.ts";

const WRITING_MS = isFull ? 60_000 : 25_000;

let browsers: Browser[];
let server: ServerProcess;
beforeAll(async () => {
  // One browser for each device, because a background tab receives no keys.
  browsers = await Promise.all([openBrowser(), openBrowser()]);
  server = await startServerProcess({ RATE_LIMIT_FACTOR: "1000" });
});
afterAll(async () => {
  await Promise.all(browsers.map((browser) => browser.close()));
  await server.dispose();
});

/** Runs in the browser: puts the caret at the end of the first line. */
const goToEnd = () => {
  const line = document.querySelector<HTMLElement>(".page-text");
  document.querySelector<HTMLElement>(".page-document")?.focus();
  if (line) getSelection()?.selectAllChildren(line);
  getSelection()?.collapseToEnd();
};

const waitUntilSaved = ({ page }: Student) =>
  page.waitForFunction(() => document.querySelector(".top-bar-state")?.textContent === "Saved", { polling: 100 });

const randomInt = seededDraws("one-line");

/** Types word after word at the end of the line; resolves to these words. */
async function write(student: Student, name: string): Promise<string[]> {
  const words: string[] = [];
  const endsAt = Date.now() + WRITING_MS;
  while (Date.now() < endsAt) {
    const word = `${name}${words.length}x`;
    await student.page.evaluate(goToEnd);
    await student.page.keyboard.type(` ${word}`);
    words.push(word);
    await pause(randomInt(30, 1200));
  }
  await waitUntilSaved(student);
  return words;
}

test("two devices write in one line at the same time, and every word is in it or in its history", async () => {
  const ada = await registerAccount(server.origin);
  const pageId = await aPage(ada);
  const lineId = await aText(ada, pageId, "Both write here.");
  const openDevice = async (browser: Browser) => {
    const student = await openStudentAs(browser, server.origin, ada);
    await student.open(`/page/${pageId}`);
    await student.waitForText("Both write here.");
    return student;
  };
  const [laptop, phone] = [await openDevice(browsers[0] as Browser), await openDevice(browsers[1] as Browser)];
  const words = (await Promise.all([write(laptop, "laptop"), write(phone, "phone")])).flat();
  await Promise.all([waitUntilSaved(laptop), waitUntilSaved(phone)]);
  const { component } = await ada.client.pages.getComponent({ id: lineId });
  const { versions } = await ada.client.pages.listHistory({ id: lineId });
  const stored = JSON.stringify([component.content, ...versions.map(({ content }) => content)]);
  expect(words.filter((word) => !stored.includes(word))).toEqual([]);
  // In the end both devices show the server's text.
  const shown = (component.content as { text: { content: string }[] }).text.map(({ content }) => content).join("");
  for (const student of [laptop, phone]) await student.waitForText(shown.slice(-20));
  process.stdout.write(`  ${words.length} words of two devices, ${versions.length} texts in the history\n`);
});
