import { readFileSync } from "node:fs";
import type { Browser, Page } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aLectureSite } from "#tests/kit/browser/extension.ts";
import { aFirefoxWorld } from "#tests/kit/browser/firefox-world.ts";
import { checkScreen } from "#tests/kit/student.ts";
import { FACT } from "#tests/kit/lesson.ts";

const LECTURE = `<!doctype html><html lang="en"><title>Codons</title><main><h1>Codons</h1><p id="fact">${FACT}</p>
<p>The ribosome slides along the messenger RNA one codon at a time until it meets a stop codon.</p></main></html>`;

let site: Awaited<ReturnType<typeof aLectureSite>>;
let browser: Browser;
let firefox: Awaited<ReturnType<typeof aFirefoxWorld>>;
let lecture: Page;
let sidebar: Page;
const pageErrors: string[] = [];

beforeAll(async () => {
  site = await aLectureSite({ "/codons": LECTURE });
  browser = await openBrowser({ args: site.args });
  firefox = await aFirefoxWorld(browser);
  lecture = await browser.newPage();
  await lecture.goto(`${site.origin}/codons`);
  firefox.show({ page: lecture, url: lecture.url(), title: "Codons" });
  // Firefox has no offscreen documents, so its background page does their work.
  const background = await firefox.open("background");
  sidebar = await firefox.open("sidepanel");
  for (const page of [background, sidebar]) page.on("pageerror", (error) => pageErrors.push(String(error)));
  await sidebar.bringToFront();
});
afterAll(async () => {
  await browser.close();
  firefox.close();
  site.close();
});

const press = (name: string) => sidebar.locator(`::-p-aria([name="${name}"][role="button"])`).click();
const waitForText = (words: string) =>
  sidebar
    .waitForFunction((wanted) => document.body.innerText.includes(wanted), { polling: 100 }, words)
    .catch(async (cause: unknown) => {
      throw new Error(`"${words}" is not shown: ${await sidebar.evaluate(() => document.body.innerText)}`, { cause });
    });

test("Firefox's sidebar opens beside a page, captures words and pages, and stores them until the extension is connected", async () => {
  await waitForText("Connect your account");
  await lecture.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("#fact") ?? document.body));
  await press("Card from selection");
  await sidebar.locator('::-p-aria([name="Question"])').wait();
  await sidebar.focus("textarea");
  await sidebar.keyboard.press("Enter");
  await waitForText("Card · waiting for the server");
  await press("Save page as note");
  await waitForText("Note · waiting for the server");
  await waitForText("2 captures wait for the server. Nothing is lost.");
  expect(await checkScreen(sidebar, "extension-firefox-sidebar")).toEqual([]);
  await press("Show source: What is a codon?");
  await waitForText("Highlighted on the page.");
  await sidebar.reload();
  await waitForText("2 captures wait for the server. Nothing is lost.");
});

test("in Firefox's own PDF viewer the file's address is used; access to other sites is requested when needed", async () => {
  firefox.show({ url: `${site.origin}/paper.pdf`, title: "paper.pdf" });
  await sidebar.reload();
  await press("Save PDF");
  await waitForText("The extension may not read from this site.");
  await press("Allow this site: paper.pdf");
  await waitForText("Access was not allowed.");
  const origins = [`${site.origin}/*`];
  expect(firefox.asked).toContain(`permission ${JSON.stringify({ origins })}`);
});

test("Firefox's settings show what the browser supports, and the extension's documents log no errors", async () => {
  const options = await firefox.open("options");
  options.on("pageerror", (error) => pageErrors.push(String(error)));
  await options.locator('::-p-aria([name="Server address"])').wait();
  expect(await checkScreen(options, "extension-firefox-options")).toEqual([]);
  expect(pageErrors).toEqual([]);
});

/** Runs in the page. */
const focusedInHost = () => document.querySelector("lamplight-host")?.shadowRoot?.activeElement?.textContent ?? "";

/** Runs before the page's own scripts: opens closed shadow roots, only for the accessibility check. */
function openRoots(): void {
  const attach = Object.getOwnPropertyDescriptor(Element.prototype, "attachShadow")?.value as typeof openRoots;
  Element.prototype.attachShadow = function (options) {
    return Reflect.apply(attach, this, [{ ...options, mode: "open" }]);
  };
  const runtime = {
    id: "lamplight@lamplight.study",
    sendMessage: async () => "Card saved. Review it in the side panel.",
  };
  // Firefox has both names.
  Object.assign(globalThis, { browser: { runtime }, chrome: { runtime } });
}

test.each(["capture-bar", "choose-region"])("the extension's elements in a page are accessible: %s", async (script) => {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(openRoots);
  await page.goto(`${site.origin}/codons`);
  await page.bringToFront();
  await page.evaluate(`${readFileSync(`dist/extension/firefox/${script}.js`, "utf8")}; 0`);
  await page.waitForSelector("lamplight-host");
  if (script === "capture-bar") {
    // The first button has the focus, and Tab leads through all of them.
    await page.keyboard.press("Enter");
    await page.waitForFunction(() =>
      document
        .querySelector("lamplight-host")
        ?.shadowRoot?.textContent?.includes("Card saved. Review it in the side panel."),
    );
    const names: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      names.push(await page.evaluate(focusedInHost));
      await page.keyboard.press("Tab");
    }
    expect(names).toEqual(["Card from selection", "Save page", "Capture area", "Open panel", "Close"]);
  }
  expect(await checkScreen(page, `extension-${script}`)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.close();
});
