import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { aCard, aDeck, aPage, aText } from "#tests/store/changes.ts";
import { registerAccount } from "#tests/kit/account.ts";
import { pressByKeys, tabTo } from "#tests/kit/browser/keyboard.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import type { Student } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { aQuestion, ask } from "#tests/kit/tutor.ts";

const { browser, server } = await startBrowserAndServer({ DEFAULT_PLAN: "FREE" });
// The first account is the administrator, whose plan dialog is different.
await registerAccount(server.origin);
const folder = mkdtempSync(join(tmpdir(), "lamplight-"));
afterAll(() => rmSync(folder, { recursive: true }));

const MB = 1024 * 1024;

async function aPdf(name: string, sizeBytes = 0): Promise<string> {
  const bytes = Buffer.from(await tinyPdf([["A codon names an amino acid."]]).arrayBuffer());
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(Math.max(0, sizeBytes - bytes.length), "%\n")]));
  return path;
}

const isInMenu = () => document.activeElement?.getAttribute("role") === "menuitem";

/** Uploads through the menu of the upload button, by keyboard. */
async function upload({ page }: Student, path: string): Promise<void> {
  const openChooser = async () => {
    await pressByKeys(page, /^Upload/);
    await page.waitForFunction(isInMenu);
    await page.keyboard.press("Enter");
  };
  const [chooser] = await Promise.all([page.waitForFileChooser(), openChooser()]);
  await chooser.accept([path]);
}

/** Checks that the plan dialog says whom to ask for another plan, and closes it with Escape. */
async function checkPlans(student: Student, faults: string[], name: string): Promise<void> {
  await student.waitForText("limit reached");
  await student.waitForText("For higher limits, ask the person who runs this server.");
  faults.push(...(await student.checkScreen(name)));
  await student.page.keyboard.press("Escape");
  await student.page.waitForFunction(() => document.querySelector("dialog[open]") === null);
}

test("daily uploads by keyboard: the screen shows how many are left, announces the last one, and offers a larger plan after it", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const { page } = student;
  const faults: string[] = [];
  await student.open("/settings");
  await student.waitForText("Uploads left today: 1 of 1");
  await student.open("/content/all");
  await student.waitForText("All content");
  // The size is checked before the daily limit, so a file that is too large does not count.
  await upload(student, await aPdf("large.pdf", 11 * MB));
  await student.waitForText("File too large (11.0MB). Your plan allows up to 10MB. Upgrade for 300MB files!");
  await upload(student, await aPdf("genes.pdf"));
  await student.waitForText("This is your last upload today.");
  await student.waitForText("Upload (Limit Reached)");
  faults.push(...(await student.checkScreen("limits-last-upload")));
  await upload(student, await aPdf("cells.pdf"));
  await student.waitForText("You've reached your daily upload limit. Upgrade to Ultimate for unlimited uploads!");
  faults.push(...(await student.checkScreen("limits-no-upload")));
  await pressByKeys(page, /^Upload \(Limit Reached\)$/);
  await page.waitForFunction(isInMenu);
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.activeElement?.textContent === "See plans");
  await page.keyboard.press("Enter");
  await checkPlans(student, faults, "limits-plans");
  await student.open("/settings");
  await student.waitForText("Daily limit reached (1/1)");
  await student.waitForText("Resets in");
  faults.push(...(await student.checkScreen("limits-settings")));
  expect((await user.client.user.getUsage({})).fileUploads).toBe(1);
  expect(faults).toEqual([]);
  await student.close();
});

test("daily questions are counted at once, refunded without an answer, refused at the limit, and the text is kept", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "Genes and proteins");
  await aText(user, pageId, "A codon is a sequence of three nucleotides that names one amino acid.");
  const { page } = student;
  const faults: string[] = [];
  await student.open("/chat");
  await student.waitForText("5 questions left today");
  await tabTo(page, /^Your question$/);
  await server.kill();
  await page.keyboard.type("What is a codon?");
  await page.keyboard.press("Enter");
  await student.waitForText("Couldn't connect to the server.");
  await student.waitForText("5 questions left today");
  await server.start();
  // The student asks four questions on another device.
  for (let asked = 0; asked < 4; asked += 1) await ask(user.client, aQuestion({ text: "What is a codon?" }));
  await student.open("/chat");
  await student.waitForText("1 question left today");
  await tabTo(page, /^Your question$/);
  await page.keyboard.type("What is a codon?");
  await page.keyboard.press("Enter");
  await student.waitForText("names one amino acid");
  await student.waitForText("No questions left today. Your limit resets in");
  await tabTo(page, /^Your question$/);
  await page.keyboard.type("And what is a ribosome?");
  await page.keyboard.press("Enter");
  await checkPlans(student, faults, "limits-questions-plans");
  await student.waitForText("You've reached your usage limit. Upgrade to continue!");
  faults.push(...(await student.checkScreen("limits-questions")));
  const { assistantMessages } = await user.client.user.getUsage({});
  expect(assistantMessages).toBe(5);
  expect(faults).toEqual([]);
  await student.close();
});

test("daily cards by keyboard: after three cards the session stops, says why and shows the plans", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "Genes and proteins");
  const names = ["codon", "site", "exon", "intron"];
  const deckId = await aDeck(
    user,
    pageId,
    names.map((name) => aCard(name, `What is a ${name}?`)),
  );
  await student.open(`/page/${pageId}/study/${deckId}`);
  for (let studied = 0; studied < 3; studied += 1) {
    await student.waitForText("Show");
    await student.page.keyboard.press("Space");
    await student.waitForText("the answer to");
    await student.page.keyboard.press("4");
  }
  await student.waitForText("You've reached today's card limit");
  await student.waitForText("Your plan lets you study 3 cards a day.");
  const faults = await student.checkScreen("limits-cards");
  await pressByKeys(student.page, /^See plans$/);
  await checkPlans(student, faults, "limits-cards-plans");
  const learnt = async () => (await user.client.user.getUsage({})).totalCardsStudied;
  await expect.poll(learnt).toBe(3);
  expect(faults).toEqual([]);
  await student.close();
});
