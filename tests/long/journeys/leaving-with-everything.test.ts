import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import type { Browser } from "puppeteer";
import { ulid } from "ulid";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestUser } from "#tests/kit/api.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aCard, aChange, aDeck, aPage, aText, send } from "#tests/store/changes.ts";
import { aPicture } from "#tests/kit/files.ts";
import { uploadByKeys, pressByKeys } from "#tests/kit/browser/keyboard.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/servers/server-process.ts";
import type { Student } from "#tests/kit/student.ts";

let browser: Browser;
let [oldServer, newServer]: ServerProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), "lamplight-"));
beforeAll(async () => {
  [browser, oldServer, newServer] = await Promise.all([openBrowser(), startServerProcess(), startServerProcess()]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([oldServer?.dispose(), newServer?.dispose()]);
  rmSync(folder, { recursive: true });
});

/** Fills an account with some of everything that it can contain. */
async function fill(user: TestUser): Promise<void> {
  const pageId = await aPage(user, "Genes and proteins");
  await aText(user, pageId, "A codon names an amino acid. ا ب ت 👩‍👩‍👧‍👦");
  const deckId = await aDeck(user, pageId, [aCard("codon", "What does a codon name?"), aCard("site")]);
  const given = { grade: 3, reviewedAt: Date.now() - 86_400_000, durationMs: 900, mode: "study" } as const;
  await send(user, aChange("review_add", deckId, { _id: ulid(), componentId: deckId, cardId: "codon", ...given }));
  await aPicture(user, pageId);
  await user.client.user.savePreferences({ conversation: { max_words: 99 } });
}

interface Manifest {
  documents: Record<string, { count: number; digest: string }>;
}

/** Count and digest of every kind of document in an export. */
const digestsIn = (zip: Uint8Array) =>
  (JSON.parse(strFromU8(unzipSync(zip)["lamplight.json"] ?? new Uint8Array())) as Manifest).documents;

const exported = async ({ client }: TestUser) =>
  digestsIn(new Uint8Array(await (await client.user.exportAccount({})).arrayBuffer()));

/** Downloads everything as a student would; resolves to the path of the file. */
async function downloadEverything({ page }: Student): Promise<string> {
  const session = await page.createCDPSession();
  await session.send("Page.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await pressByKeys(page, /^Export everything$/);
  const saved = () => readdirSync(folder).find((name) => name.endsWith(".zip"));
  await expect.poll(saved).toBeDefined();
  return join(folder, saved() ?? "");
}

test("an account is exported and imported into another Lamplight by keyboard, with the same digest", async () => {
  if (!oldServer || !newServer) throw new Error("two servers are needed");
  const { student: ada, user: before } = await registerStudent(browser, oldServer.origin);
  await fill(before);
  await ada.open("/settings");
  await ada.waitForText("Export everything");
  const zip = await downloadEverything(ada);
  const digests = digestsIn(readFileSync(zip));
  expect(digests).toEqual(await exported(before));
  await ada.close();

  const { student: again, user: after } = await registerStudent(browser, newServer.origin);
  await again.open("/settings");
  await again.waitForText("Import an export");
  await uploadByKeys(again.page, /^Import an export$/, zip);
  await again.waitForText("1 file.");
  expect(await again.checkScreen("account-brought-in")).toEqual([]);
  expect(await exported(after)).toEqual(digests);
  await uploadByKeys(again.page, /^Import an export$/, zip);
  await again.waitForText("You already have everything in this file.");
  expect(await exported(after)).toEqual(digests);
  const { content } = await after.client.pages.getContent({});
  await again.open(`/page/${content.pages[0]?._id ?? ""}`);
  await again.waitForText("A codon names an amino acid.");
  await again.close();
});
