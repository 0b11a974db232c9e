import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "#tests/kit/servers/model-server.ts";
import {
  startLamplight,
  aLectureSite,
  connectExtension,
  type ExtensionBrowser,
  type Lamplight,
  openExtensionBrowser,
} from "#tests/kit/browser/extension.ts";
import { checkPanel, drivePanel } from "#tests/kit/browser/extension-panel.ts";
import { FACT } from "#tests/kit/lesson.ts";
import { CANARY, hostileCards, watchHostile } from "#tests/flashcards/anki/hostile-cards.ts";
import { aChange, send } from "#tests/store/changes.ts";

const RIBOSOMES = `<!doctype html><html lang="en"><head><title>How ribosomes read mRNA</title></head>
<body><article><h1>How ribosomes read mRNA</h1><p id="fact">${FACT}</p>
<p>The ribosome slides along the messenger RNA one codon at a time. The empty transfer RNA leaves the ribosome from the exit site, and the next one enters at the aminoacyl site.</p>
${"<p>Each step costs the cell two molecules of guanosine triphosphate, which is why protein synthesis is expensive.</p>".repeat(40)}
</article></body></html>`;
const LEAVES = `<!doctype html><html lang="en"><title>How leaves take in light</title><article><h1>How leaves take in light</h1>
<p>Chlorophyll is the green pigment that absorbs light in the leaves of plants.</p><p>It sits in the thylakoid membranes of the chloroplast and passes the energy on to the reaction centre.</p></article></html>`;

const LONG = `It names one amino acid [P1: "three nucleotides"]. ${"This is said slowly, word after word, so that there is time to look at something else. ".repeat(60)}`;

/** Replaces the placeholder P1 by the id of the passage about nucleotides in the prompt. */
const withPassageId = (prompt: string, text: string) =>
  text.replace("P1", /"id":"(P\d+)"[^\n]*three nucleotides/.exec(prompt)?.[1] ?? "P1");

/** The parts of `chrome` that these tests use. */
interface Chrome {
  tabs: { query(filter: object): Promise<{ id: number }[]> };
  action: { getBadgeText(of: { tabId: number }): Promise<string>; getTitle(of: { tabId: number }): Promise<string> };
}

let site: Awaited<ReturnType<typeof aLectureSite>>;
let model: ModelServer;
let extended: ExtensionBrowser;
let lamplight: Lamplight;
let lecture: Page;
let panel: Page;
let driver: ReturnType<typeof drivePanel>;
let profile: string;
const allPermissions = { allowed: ["tabs", "*://lectures.example.org/*"] };

beforeAll(async () => {
  site = await aLectureSite({ "/ribosomes": RIBOSOMES, "/leaves": LEAVES }, ["lectures.example.org", CANARY]);
  model = await startModelServer({
    say: (prompt) => (prompt.includes("END OF PASSAGES") ? withPassageId(prompt, LONG) : "Codons"),
  });
  profile = await mkdtemp(join(tmpdir(), "lamplight-profile-"));
  extended = await openExtensionBrowser({ ...allPermissions, args: site.args, profile });
  lamplight = await startLamplight(extended.browser, { AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" });
  lecture = await extended.browser.newPage();
  await lecture.goto(`${site.origin}/ribosomes?utm_source=mail`);
  panel = await extended.openPanel(lecture);
  driver = drivePanel(extended, panel);
  await connectExtension(extended, panel, lamplight.server.origin);
  await lecture.bringToFront();
});
afterAll(async () => {
  await lamplight.close();
  await model.close();
  await extended.browser.close();
  for (const folder of [profile, `${profile}-extension`]) await rm(folder, { recursive: true, force: true });
  site.close();
});

/** Badge and title of the toolbar button for the active tab. */
async function readToolbarButton(): Promise<{ text: string; title: string }> {
  return driver.inWorker(async () => {
    const { chrome } = globalThis as unknown as { chrome: Chrome };
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    const target = { tabId: tab?.id ?? 0 };
    return { text: await chrome.action.getBadgeText(target), title: await chrome.action.getTitle(target) };
  });
}

test("panel and toolbar button show what the library has from the page of the active tab", async () => {
  await driver.waitForText("Nothing from this page is in your library yet.");
  await lecture.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("#fact") ?? document.body));
  await driver.press("Card from selection");
  await panel.locator('::-p-aria([name="Question"])').wait();
  await panel.focus("textarea");
  await panel.keyboard.press("Enter");
  await driver.press("Save page as note");
  await driver.waitForText("In your library: a note and a deck of 1 card.");
  const leaves = await extended.browser.newPage();
  await leaves.goto(`${site.origin}/leaves`);
  await driver.waitForText("How leaves take in light");
  await driver.waitForText("Nothing from this page is in your library yet.");
  expect((await readToolbarButton()).text).toBe("");
  await lecture.bringToFront();
  await driver.waitForText("In your library: a note and a deck of 1 card.");
  await expect.poll(async () => (await readToolbarButton()).text).toBe("•");
  expect((await readToolbarButton()).title).toBe("Lamplight: a note and a deck of 1 card");
  await checkPanel(panel, "panel-here");
  await leaves.close();
});

test("the panel searches the server's help, and opens an article in a tab", async () => {
  await driver.press("Help");
  await panel.locator('::-p-aria([name="Search the help"])').fill("exam dat");
  await panel.locator('a[href="/help/study/exam-date"]').wait();
  await checkPanel(panel, "panel-help");
  const opened = extended.browser.waitForTarget((target) => target.url().includes("/help/study/exam-date"));
  await panel.locator('a[href="/help/study/exam-date"]').click();
  const article = await (await opened).page();
  await article?.waitForSelector("h1");
  expect(await article?.$eval("h1", (title) => title.textContent)).toBe("Set an exam date");
  await article?.close();
  await driver.press("Help");
  await lecture.bringToFront();
});

/** Runs in a page. */
const selectFirstParagraph = () => getSelection()?.selectAllChildren(document.querySelector("p") ?? document.body);

test("the panel captures from its own window, even if another window was used last", async () => {
  await lecture.bringToFront();
  await lecture.evaluate(selectFirstParagraph);
  const otherWindow = await extended.browser.newPage({ type: "window" });
  await otherWindow.goto(`${site.origin}/leaves`);
  await otherWindow.evaluate(selectFirstParagraph);
  await otherWindow.bringToFront();
  expect((await readToolbarButton()).title).not.toContain("a note");
  await driver.press("Card from selection");
  await panel.locator('::-p-aria([name="Question"])').wait();
  expect(await panel.$$eval("form.draft textarea", (fields) => fields.map(({ value }) => value).join())).toContain(
    "codon",
  );
  await driver.press("Discard");
  await otherWindow.close();
});

test("a card is studied in the panel by keyboard, and its passage is highlighted in the page beside it", async () => {
  await lecture.bringToFront();
  await panel.focus('button[aria-label^="Study "]');
  await panel.keyboard.press("Enter");
  await driver.waitForText("Card 1 of 1");
  await checkPanel(panel, "panel-question");
  await panel.keyboard.press("Enter");
  await driver.waitForText("Good");
  await checkPanel(panel, "panel-answer");
  await driver.press("Show source");
  await expect
    .poll(() =>
      lecture.evaluate(() => [...(CSS.highlights.get("lamplight") ?? [])].map((range) => (range as Range).toString())),
    )
    .toEqual([expect.stringContaining("a sequence of three nucleotides that corresponds")]);
  await panel.keyboard.press("4");
  await driver.waitForText("1 card answered.");
  // The end of a session listens for its key a moment after it is shown.
  await expect
    .poll(
      async () => {
        await panel.keyboard.press("z");
        return driver.readPanel();
      },
      { timeout: 20_000, interval: 500 },
    )
    .toContain("Card 1 of 1");
  await panel.keyboard.press("Enter");
  await driver.waitForText("Good");
  await panel.keyboard.press("3");
  await expect
    .poll(async () => {
      const { decks } = await lamplight.client.study.getDue({});
      const componentId = decks[0]?.componentId ?? "";
      const { schedules } = await lamplight.client.study.getDeckSchedule({ componentId });
      return schedules.map(({ reps }) => reps);
    })
    .toEqual([1]);
  await panel.keyboard.press("Escape");
  await driver.waitForText("In your library");
});

test("hostile cards run nothing and load nothing in the panel", async () => {
  const findEscapes = watchHostile(panel);
  const { decks } = await lamplight.client.study.getDue({});
  const componentId = decks[0]?.componentId ?? "";
  const { component } = await lamplight.client.pages.getComponent({ id: componentId });
  if (component.type !== "flash_cards") throw new Error("not a deck");
  const newContent = { ...component.content, cards: [...component.content.cards, ...hostileCards] };
  const baseVersion = component.version;
  await send(lamplight, aChange("component_content_update", componentId, { newContent }, { baseVersion }));
  await lecture.bringToFront();
  // The panel reads its decks again after a capture.
  await lecture.evaluate(selectFirstParagraph);
  await driver.press("Card from selection");
  await panel.locator('::-p-aria([name="Question"])').wait();
  await panel.focus("textarea");
  await panel.keyboard.press("Enter");
  await panel.locator('button[aria-label^="Study "]').wait();
  await panel.focus('button[aria-label^="Study "]');
  await panel.keyboard.press("Enter");
  for (const [n] of hostileCards.entries()) {
    await driver.waitForText(`Card ${n + 1} of `);
    await panel.keyboard.press("Enter");
    await driver.waitForText("Good");
    expect(await findEscapes()).toEqual([]);
    await panel.keyboard.press("3");
  }
  expect(site.requests.filter((request) => request.startsWith(CANARY))).toEqual([]);
  await panel.keyboard.press("Escape");
  await driver.waitForText("In your library");
});

test("a conversation is restored for its page after switching tabs, a worker restart and a reload during an answer", async () => {
  model.play("slow", "slow", "slow");
  await lecture.bringToFront();
  await panel.locator('::-p-aria([name="Ask about this page"])').fill("What is a codon?");
  await panel.keyboard.press("Enter");
  await panel.locator(".tutor-answer .cite-badge").wait();
  await driver.endWorker();
  const leaves = await extended.browser.newPage();
  await leaves.goto(`${site.origin}/leaves`);
  await panel.waitForFunction(() => document.querySelector(".tutor-answer") === null, { polling: 100 });
  await panel.reload();
  await driver.waitForText("How leaves take in light");
  await lecture.bringToFront();
  await panel.locator(".tutor-answer .cite-badge").wait();
  await panel.waitForFunction(() => !document.body.innerText.includes("Searching the page"), { polling: 100 });
  const text = await panel.$eval(".tutor-answer", (answer) => answer.textContent);
  expect(text.split("word after word")).toHaveLength(61);
  await checkPanel(panel, "panel-tutor");
  await leaves.close();
});

test("the panel says that a page of the browser itself can't be captured", async () => {
  const settings = await extended.browser.newPage();
  await settings.goto("chrome://version");
  await driver.waitForText("Browser pages can't be captured.");
  await driver.press("Save page as note");
  await driver.waitForText("store pages can't be captured");
  await checkPanel(panel, "panel-closed");
  await settings.close();
});

test("waiting captures survive closing the browser, and are sent once after its restart", async () => {
  await lamplight.server.stop();
  await lecture.goto(`${site.origin}/leaves`);
  await lecture.bringToFront();
  await driver.waitForText("How leaves take in light");
  await driver.press("Save page as note");
  await driver.waitForText("1 capture from this page is waiting for the server");
  await extended.browser.close();
  await lamplight.server.start();
  extended = await openExtensionBrowser({ ...allPermissions, args: site.args, profile });
  const captured = async () =>
    (await lamplight.client.capture.listCaptures({})).captures.filter(({ address }) => address.endsWith("/leaves"));
  await expect.poll(async () => (await captured()).length).toBe(1);
});
