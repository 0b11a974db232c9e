// Takes the screenshots for the extension stores, 1280 by 800, from the built extension and a real server: a page with the
// panel beside it. `npm run pictures:extension` writes them to extension/store/screenshots.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "puppeteer";
import sharp from "sharp";
import { expect, test } from "vitest";
import {
  startLamplight,
  aLectureSite,
  connectExtension,
  type ExtensionBrowser,
  openExtensionBrowser,
} from "#tests/kit/browser/extension.ts";
import { drivePanel } from "#tests/kit/browser/extension-panel.ts";

const folder = "extension/store/screenshots";
const [WIDTH, HEIGHT, PANEL] = [1280, 800, 400];
const PAGE = WIDTH - PANEL;

const LOOK = `body { margin: 0 auto; max-width: 38rem; padding: 3rem 2rem; font: 18px/1.65 Georgia, serif; color: #222; background: #fdfcf9; }
h1 { font-size: 2.1rem; line-height: 1.2; } h2 { margin-top: 2rem; } ::selection { background: #cfe0ff; } nav { font: 14px sans-serif; color: #777; }`;
const LECTURE = `<!doctype html><html lang="en"><head><title>How ribosomes read mRNA</title><style>${LOOK}</style></head><body>
<nav>Cell biology · Lecture 7</nav><article><h1>How ribosomes read mRNA</h1>
<p id="fact">A codon is a sequence of three nucleotides that corresponds to a specific amino acid.</p>
<p>The ribosome slides along the messenger RNA one codon at a time. The empty transfer RNA leaves the ribosome from the exit site, and the next one enters at the aminoacyl site.</p>
<h2>The three sites</h2><p>The aminoacyl site takes the next transfer RNA in. The peptidyl site holds the growing chain. This goes on until a stop codon is met, and the finished chain is set free.</p>
<h2>What it costs</h2><p id="cost">Each step costs the cell two molecules of guanosine triphosphate, which is why protein synthesis is among the most expensive things that a cell does at all.</p>
</article></body></html>`;

const shots: string[] = [];

/** Takes a picture of page and panel side by side, as in a browser window. */
async function take(name: string, page: Page, panel: Page): Promise<void> {
  await page.setViewport({ width: PAGE, height: HEIGHT });
  await panel.setViewport({ width: PANEL, height: HEIGHT });
  const [left, right] = [await page.screenshot(), await panel.screenshot()];
  await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: "#d9d5ca" } })
    .composite([
      { input: Buffer.from(left), left: 0, top: 0 },
      {
        input: await sharp(Buffer.from(right))
          .extract({ left: 0, top: 0, width: PANEL - 1, height: HEIGHT })
          .toBuffer(),
        left: PAGE + 1,
        top: 0,
      },
    ])
    .png({ compressionLevel: 9, palette: true })
    .toFile(join(folder, `${name}.png`));
  shots.push(name);
}

async function takePage(name: string, page: Page): Promise<void> {
  await page.setViewport({ width: WIDTH, height: HEIGHT });
  const whole = await page.screenshot();
  await sharp(Buffer.from(whole))
    .png({ compressionLevel: 9, palette: true })
    .toFile(join(folder, `${name}.png`));
  shots.push(name);
}

const selectText = (page: Page, selector: string) =>
  page.evaluate((chosen) => getSelection()?.selectAllChildren(document.querySelector(chosen) ?? document), selector);

async function takeStory(extended: ExtensionBrowser, first: Page, panel: Page): Promise<void> {
  const driver = drivePanel(extended, panel);
  const scrollToTop = () => panel.evaluate(() => scrollTo(0, 0));
  const address = first.url();
  let page = await driver.visit(first, address);
  await selectText(page, "#fact");
  await driver.press("Card from selection");
  await panel.locator('::-p-aria([name="Question"])').wait();
  await scrollToTop();
  await take("1-card-from-a-selection", page, panel);
  await panel.focus("textarea");
  await panel.keyboard.press("Enter");
  await driver.latest("What is a codon?");

  await page.evaluate(() => getSelection()?.removeAllRanges());
  const question = "From which site does the empty transfer RNA leave?";
  await panel.locator('::-p-aria([name="Ask about this page"])').fill(question);
  await driver.press("Ask");
  await panel.locator(".tutor-answer .cite-badge").wait();
  await panel.evaluate(() => document.querySelector<HTMLElement>(".tutor-answer .cite-badge")?.click());
  await driver.waitForText("Highlighted on the page.");
  await panel.evaluate(() => document.querySelector(".tutor")?.scrollIntoView({ block: "start" }));
  await take("2-an-answer-lit-on-its-page", page, panel);

  await panel.locator('button[aria-label^="Study "]').click();
  await driver.waitForText("Card 1 of 1");
  await panel.keyboard.press("Enter");
  await driver.waitForText("Good");
  await panel.locator("::-p-text(Show source)").click();
  await page.waitForFunction(() =>
    [...(CSS.highlights.get("lamplight") ?? [])].some((range) => (range as Range).toString().includes("codon")),
  );
  await scrollToTop();
  await take("3-studied-beside-the-page", page, panel);
  await panel.keyboard.press("Escape");

  page = await driver.visit(page, address);
  await driver.chooseMenu({ menuItemId: "bar" });
  await page.waitForSelector("lamplight-host");
  await selectText(page, "#cost");
  await takePage("4-capture-bar", page);
  await page.keyboard.press("Escape");
  await driver.chooseMenu({ menuItemId: "region" });
  await page.waitForSelector("lamplight-host");
  await takePage("5-part-of-the-screen", page);
  await page.keyboard.press("Escape");
}

test("the pictures of the stores are made", async () => {
  mkdirSync(folder, { recursive: true });
  const site = await aLectureSite({ "/ribosomes": LECTURE });
  const extended = await openExtensionBrowser({ args: site.args });
  const lamplight = await startLamplight(extended.browser);
  try {
    const page = await extended.browser.newPage();
    await page.setViewport({ width: PAGE, height: HEIGHT });
    await page.goto(`${site.origin}/ribosomes`);
    const panel = await extended.openPanel(page);
    await connectExtension(extended, panel, lamplight.server.origin);
    await takeStory(extended, page, panel);
  } finally {
    await lamplight.close();
    await extended.browser.close();
    site.close();
  }
  expect(shots).toHaveLength(5);
});
