import type { Page } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aLectureSite } from "#tests/kit/browser/extension.ts";
import { openPageWithPanel, drivePanel, type PageWithPanel } from "#tests/kit/browser/extension-panel.ts";
import { pressByKeys, tabTo, typeByKeys } from "#tests/kit/browser/keyboard.ts";
import { FACT, lesson } from "#tests/kit/lesson.ts";

let site: Awaited<ReturnType<typeof aLectureSite>>;
let setup: PageWithPanel;
let extended: PageWithPanel["extended"];
let lamplight: PageWithPanel["lamplight"];
let page: Page;
let panel: Page;
let driver: PageWithPanel["driver"];

beforeAll(async () => {
  site = await aLectureSite({ "/lesson": lesson("Codons") });
  const browser = { args: site.args, allowed: ["tabs", "*://lectures.example.org/*"] };
  setup = await openPageWithPanel(`${site.origin}/lesson`, { browser, through: false });
  ({ extended, lamplight, page, panel, driver } = setup);
});
afterAll(async () => {
  await setup.close();
  site.close();
});

const listCaptures = async () => (await lamplight.client.capture.listCaptures({})).captures;

test("the extension can be set up and connected by keyboard", async () => {
  const options = await extended.openPage("options");
  await options.bringToFront();
  await options.locator('::-p-aria([name="Server address"])').wait();
  await typeByKeys(options, /^Server address/, lamplight.server.origin);
  await pressByKeys(options, /^Check and save$/);
  await drivePanel(extended, options).waitForText("Saved. The server is reachable.");
  await options.close();
  await panel.reload();
  await driver.waitForText("Connect your account");
  const opened = extended.browser.waitForTarget((target) => target.url().includes("/connections"));
  await pressByKeys(panel, /^Connect$/);
  const confirming = await (await opened).page();
  if (!confirming) throw new Error("No page to confirm the code on");
  await confirming.bringToFront();
  await confirming.locator(".connection-code").wait();
  await pressByKeys(confirming, /^Connect$/);
  await driver.waitForText("Connected as ada@example.org");
  await confirming.close();
  await page.bringToFront();
});

test("a card, a note and cards of a whole page can be captured, edited and discarded by keyboard", async () => {
  await driver.waitForText("Codons");
  await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("#fact") ?? document.body));
  await pressByKeys(panel, /^Card from selection$/);
  await panel.locator('::-p-aria([name="Question"])').wait();
  await typeByKeys(panel, /^Question/, "What is a codon?");
  await panel.keyboard.press("Enter");
  await expect.poll(async () => (await listCaptures()).map(({ kind }) => kind)).toEqual(["card"]);
  await pressByKeys(panel, /^Save page as note$/);
  await expect.poll(async () => (await listCaptures()).length).toBe(2);
  await pressByKeys(panel, /^More ways to capture$/);
  await panel.locator('::-p-aria([name="Make cards from the whole page"][role="menuitem"])').wait();
  await tabTo(panel, /^Make cards from the whole page$/);
  await panel.keyboard.press("Enter");
  await driver.waitForText("Cards made: ");
  await pressByKeys(panel, /^Card from selection$/);
  await panel.locator('::-p-aria([name="Discard"][role="button"])').wait();
  await pressByKeys(panel, /^Discard$/);
  await panel.waitForFunction(() => document.querySelector(".draft") === null, { polling: 100 });
});

test("a deck can be studied and a passage highlighted by keyboard", async () => {
  await pressByKeys(panel, /^Show source: What is a codon\?$/);
  await expect.poll(() => page.evaluate(() => CSS.highlights.get("lamplight")?.size ?? 0)).toBe(1);
  await pressByKeys(panel, /^Study /);
  await driver.waitForText("Card 1 of");
  await panel.keyboard.press("Enter");
  await driver.waitForText("Good");
  await panel.keyboard.press("3");
  await expect
    .poll(async () => (await panel.keyboard.press("Escape"), driver.readPanel()), { timeout: 20_000, interval: 500 })
    .toContain("Card from selection");
});

test("captures waiting for the server can be edited, exported as a file and discarded by keyboard", async () => {
  await lamplight.server.stop();
  await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("#fact") ?? document.body));
  await pressByKeys(panel, /^Card from selection$/);
  await panel.locator('::-p-aria([name="Question"])').wait();
  await typeByKeys(panel, /^Question/, "What is it called?");
  await panel.keyboard.press("Enter");
  await driver.waitForText("1 capture waits for the server. Nothing is lost.");
  await pressByKeys(panel, /^Edit What is it called\?$/);
  await panel.locator('::-p-aria([name="Question"])').wait();
  await typeByKeys(panel, /^Question/, "What are three nucleotides called?");
  await panel.keyboard.press("Enter");
  await driver.waitForText("1 capture waits for the server. Nothing is lost.");
  await panel.evaluate(() => {
    const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (file: Blob) => {
      Object.assign(globalThis, { exported: file.text() });
      return make(file);
    };
  });
  await pressByKeys(panel, /^Export unsent captures$/);
  const file = await (
    await panel.waitForFunction(() => (globalThis as { exported?: Promise<string> }).exported, { polling: 100 })
  ).jsonValue();
  expect(JSON.parse(String(file))).toMatchObject([
    { kind: "card", card: { question: "What are three nucleotides called?" }, raw: { text: FACT } },
  ]);
  await pressByKeys(panel, /^Discard What are three nucleotides called\?$/);
  await panel.waitForFunction(() => !document.body.innerText.includes("What are three nucleotides called?"), {
    polling: 100,
  });
  await lamplight.server.start();
  expect((await listCaptures()).filter(({ kind }) => kind === "card")).toHaveLength(1);
});
