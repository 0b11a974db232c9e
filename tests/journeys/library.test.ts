import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD } from "#tests/kit/account.ts";
import { openBrowser } from "#tests/kit/browser.ts";
import { aStudent } from "#tests/kit/seat.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/server-process.ts";
import { sitDown, type Student } from "#tests/kit/student.ts";
import { anObsidianVault } from "#tests/library/made-notes.ts";

let browser: Browser;
let server: ServerProcess;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lamplight-notes-"));
  [browser, server] = await Promise.all([openBrowser(), startServerProcess()]);
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** What the workspace says of itself, as its lists show it. */
async function workspaceOf(student: Student): Promise<string[]> {
  await student.open("/content/all");
  await student.reads("Mitochondria");
  const titles = await student.page.$$eval(".content-words > :first-child", (all) =>
    all.map(({ textContent }) => textContent ?? ""),
  );
  return titles.toSorted();
}

test("a vault is brought in, found by a misspelt word, the same from another browser, and removed with one click", async () => {
  const faults: string[] = [];
  const path = join(folder, "vault.zip");
  await writeFile(path, anObsidianVault());
  const { student: ada, user } = await aStudent(browser, server.origin);
  await ada.open("/content/all");
  await ada.reads("Nothing here yet");
  await ada.press("button", "Import notes");
  await ada.reads("Bring your notes from Notion");
  faults.push(...(await ada.look("import-empty")));
  const input = await ada.page.waitForSelector('input[aria-label="Choose a zip"]');
  await input?.uploadFile(path);
  await ada.reads("3 pages came.");
  faults.push(...(await ada.look("import-report")));
  await ada.press("button", "Open its folder");
  await ada.reads("Index");
  faults.push(...(await ada.look("import-folder")));

  await ada.page.keyboard.down("Control");
  await ada.page.keyboard.press("k");
  await ada.page.keyboard.up("Control");
  await ada.page.locator('::-p-aria([role="combobox"])').fill("powerhuose");
  await ada.reads("the powerhouse");
  faults.push(...(await ada.look("search-dialog")));
  await ada.page.keyboard.press("Enter");
  await ada.reads("Twelve questions");

  const mine = await workspaceOf(ada);
  const elsewhere = await sitDown(browser, server.origin);
  await elsewhere.open("/login");
  await elsewhere.type("Email", user.email);
  await elsewhere.type("Password", PASSWORD);
  await elsewhere.press("button", "Sign in");
  await elsewhere.reads("Hello");
  expect(await workspaceOf(elsewhere)).toEqual(mine);
  faults.push(...(await elsewhere.look("content")));
  await elsewhere.open("/logout");
  await elsewhere.reads("Sign in");
  await elsewhere.leave();

  await ada.open("/settings");
  await ada.press("button", "Import notes");
  await ada.reads("Earlier imports");
  faults.push(...(await ada.look("import-earlier")));
  await ada.press("button", "Remove what it brought: vault.zip");
  await ada.reads("Its pages wait under Deleted.");
  await ada.open("/content/all");
  await ada.press("radio", "Deleted");
  await ada.reads("Mitochondria");
  expect(faults).toEqual([]);
});
