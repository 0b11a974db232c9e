import { setTimeout as pause } from "node:timers/promises";
import { screenPath } from "#shared/screens.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import type { Scene } from "./scene.ts";

const MAX_TRIES = 150;

/** Waits until the server has this text, so that the next text becomes a separate entry in the history. */
async function waitUntilStored({ client }: Scene["user"], pageId: string, words: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { components } = await client.pages.getPage({ id: pageId });
    if (JSON.stringify(components).includes(words)) return;
    await pause(200);
  }
  throw new Error(`“${words}” was not stored`);
}

/** A picture of the history of a page. */
export async function takeHistory({ user, student, words, take }: Scene): Promise<void> {
  const { page } = student;
  const pageId = await aPage(user, "Osmosis");
  await aText(user, pageId, "Osmosis moves water.");
  await student.open(screenPath("page", { id: pageId }));
  await student.waitForText("Osmosis moves water.");
  for (const more of [" It needs a membrane.", " The membrane lets water through and holds salt back."]) {
    await page.locator(".page-text").click();
    await page.keyboard.press("End");
    await page.keyboard.type(more);
    await waitUntilStored(user, pageId, more);
  }
  await student.press("button", words.pages.menu);
  await student.press("menuitem", words.pages.history);
  await page.waitForSelector(".history-entry");
  await page.locator(".history-entry").click();
  await student.waitForText(words.pages.history_restore);
  await take("notes/history");
}

export async function takeImport({ student, words, take }: Scene): Promise<void> {
  await student.open(screenPath("settings", {}));
  await student.press("button", words.imports.title);
  await student.waitForText(words.imports.intro.slice(0, 30));
  await take("notes/import-notes");
}

/** A picture of a page that was changed without a network. */
export async function takeOffline({ user, student, words, take }: Scene): Promise<void> {
  const { page } = student;
  const pageId = await aPage(user, "On the train");
  await aText(user, pageId, "Read chapter 4 before Monday.");
  await student.open(screenPath("page", { id: pageId }));
  await student.waitForText("Read chapter 4");
  await page.setOfflineMode(true);
  try {
    await page.locator(".page-text").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" Section 4.2 is about the valves of the heart.");
    await student.waitForText(words.pages.state_offline);
    await take("notes/offline");
  } finally {
    await page.setOfflineMode(false);
  }
  await student.waitForText(words.pages.state_saved);
}
