import type { Page } from "puppeteer";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { aChange, aPage, send, textComponent } from "#tests/store/changes.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";

const LINES = 900;

const { browser, server } = await startBrowserAndServer();

const words = Array.from({ length: LINES }, (_, i) => `Line number ${i} of the lecture.`);

/** Opens a page so long that most of it is not rendered. */
async function openLongPage() {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "A long lecture");
  for (let first = 0; first < LINES; first += 300)
    await send(
      user,
      ...words.slice(first, first + 300).map((text) => {
        const id = ulid();
        return aChange("component_create", id, textComponent(id, pageId, text));
      }),
    );
  await student.open(`/page/${pageId}`);
  await student.page.waitForSelector(".is-long .page-document");
  await student.page.waitForFunction(() => document.querySelector(".top-bar-state")?.textContent === "Saved");
  return { student, user, pageId };
}

async function chord(page: Page, key: "a" | "z" | "c") {
  await page.keyboard.down("Control");
  await page.keyboard.press(key);
  await page.keyboard.up("Control");
}

/** The text that copying the selection would put on the clipboard. */
const readCopy = (page: Page) =>
  page.evaluate(() => {
    let text = "";
    const root = document.querySelector(".page-document");
    const take = (event: Event) => {
      text = (event as ClipboardEvent).clipboardData?.getData("text/plain") ?? "";
    };
    root?.addEventListener("copy", take);
    document.execCommand("copy");
    root?.removeEventListener("copy", take);
    return text;
  });

const readLines = (page: Page) =>
  page.$$eval(".page-text", (all) => all.map(({ textContent }) => textContent).filter((text) => text !== ""));

test("in a long page selection, copy, undo and the browser's find cover all lines", async () => {
  const { student, user, pageId } = await openLongPage();
  const { page } = student;
  await page.focus(".page-document");

  // The browser's own find function also finds words that were never on the screen, and scrolls to them.
  const found = await page.evaluate(
    (wanted) => {
      getSelection()?.removeAllRanges();
      // `find` is missing in the types, but every browser has it.
      const isThere = (globalThis as unknown as { find: (text: string) => boolean }).find(wanted);
      return { isThere, text: getSelection()?.toString() };
    },
    `number ${LINES - 20} of`,
  );
  expect(found).toEqual({ isThere: true, text: `number ${LINES - 20} of` });
  await page.waitForFunction(() => {
    const box = getSelection()?.getRangeAt(0).getBoundingClientRect();
    return box !== undefined && box.top > 0 && box.bottom < innerHeight;
  });

  // Select all, then copy: all lines are copied, in order.
  await page.focus(".page-document");
  await chord(page, "a");
  // The editor handles the selection a moment after the browser.
  await expect
    .poll(async () => (await readCopy(page)).split("\n").filter((line) => line !== ""), { interval: 200 })
    .toEqual(words);

  // A selection from near the beginning to near the end is replaced at once, and restored by undo.
  await page.evaluate(
    (from, to) => {
      const all = [...document.querySelectorAll(".page-text")];
      const textOf = (wanted: string) => {
        const line = all.find(({ textContent }) => textContent === wanted);
        return line && document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
      };
      const [begin, end] = [textOf(from), textOf(to)];
      document.querySelector<HTMLElement>(".page-document")?.focus();
      if (begin && end) getSelection()?.setBaseAndExtent(begin, 0, end, end.textContent?.length ?? 0);
    },
    words[5] ?? "",
    words[LINES - 6] ?? "",
  );
  await page.waitForFunction(() => (getSelection()?.toString().length ?? 0) > 10_000);
  await page.keyboard.type("All of that.");
  await page.waitForFunction(() => document.querySelectorAll(".page-text").length < 20);
  expect(await readLines(page)).toEqual([...words.slice(0, 5), "All of that.", ...words.slice(-5)]);
  for (let turn = 0; turn < 5 && (await readLines(page)).length < LINES; turn += 1) await chord(page, "z");
  expect(await readLines(page)).toEqual(words);
  await page.waitForFunction(() => document.querySelector(".top-bar-state")?.textContent === "Saved");
  const { components } = await user.client.pages.getPage({ id: pageId });
  const saved = components.map(({ type, content }) => (type === "text" ? JSON.stringify(content.text) : type));
  expect(saved).toEqual(words.map((text) => JSON.stringify([{ content: text }])));
});
