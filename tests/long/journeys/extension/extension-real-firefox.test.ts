import type { Page } from "puppeteer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registerAccount, PASSWORD } from "#tests/kit/account.ts";
import type { TestUser } from "#tests/kit/api.ts";
import { aLectureSite } from "#tests/kit/browser/extension.ts";
import { firefoxPath, openFirefox } from "#tests/kit/browser/real-firefox.ts";
import { type ServerProcess, startServerProcess } from "#tests/kit/servers/server-process.ts";
import { takePicture } from "#tests/kit/student.ts";
import { FACT, MORE } from "#tests/kit/lesson.ts";

const lecture = (title: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p id="fact">${FACT}</p><p>${MORE}</p></main></html>`;

const path = firefoxPath();
if (path === undefined) process.stdout.write("  skipped: no Firefox here. Name one: FIREFOX_PATH=/path/to/firefox\n");

test("reports whether a real Firefox is available for the tests", () => {
  expect(path === undefined || path.length > 0).toBe(true);
});

const waitForText = (page: Page, words: string) =>
  page
    .waitForFunction((wanted) => document.body.innerText.includes(wanted), { polling: 100 }, words)
    .catch(async (cause: unknown) => {
      throw new Error(`"${words}" is not shown: ${await page.evaluate(() => document.body.innerText)}`, { cause });
    });
/** The panel is in a background tab, so its button is clicked by script. */
async function press(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const found = [...document.querySelectorAll("button")].find((each) =>
        (each.getAttribute("aria-label") ?? each.innerText.trim()).startsWith(wanted),
      );
      found?.click();
      return found !== undefined;
    },
    { polling: 100 },
    name,
  );
}
async function type(page: Page, field: string, text: string): Promise<void> {
  await page.waitForSelector(field);
  await page.$eval(field, (input) => (input as HTMLInputElement).select());
  await page.focus(field);
  await page.keyboard.type(text);
}

describe.skipIf(path === undefined)("in a real Firefox", () => {
  let site: Awaited<ReturnType<typeof aLectureSite>>;
  let server: ServerProcess;
  let ada: TestUser;
  let firefox: Awaited<ReturnType<typeof openFirefox>>;
  let panel: Page;
  let tab: Page;

  beforeAll(async () => {
    site = await aLectureSite({ "/codons": lecture("Codons"), "/more": lecture("More codons") });
    server = await startServerProcess();
    ada = await registerAccount(server.origin, { email: "ada@example.org" });
    firefox = await openFirefox(path ?? "");
  });
  afterAll(async () => {
    await firefox.browser.close();
    await server.dispose();
    site.close();
  });

  const visit = async (address: string) => {
    await tab.goto(address);
    await tab.bringToFront();
    await firefox.pressAction();
  };

  test("the sidebar opens from the toolbar button", async () => {
    tab = await firefox.browser.newPage();
    await tab.goto(`${site.local}/codons`);
    await firefox.closeSidebar();
    expect(await firefox.sidebar()).toBe("");
    // Right after installation the extension may not listen yet, so a press may be lost.
    await expect
      .poll(
        async () => {
          await firefox.pressAction();
          return firefox.sidebar();
        },
        { timeout: 20_000, interval: 1000 },
      )
      .toBe(firefox.panelAddress);
    expect(await firefox.background()).toBe("running");
  });

  test("a student connects the extension with a code", async () => {
    await tab.goto(`${server.origin}/login`);
    await type(tab, 'input[type="email"]', ada.email);
    await type(tab, 'input[type="password"]', PASSWORD);
    await tab.keyboard.press("Enter");
    await tab.waitForFunction(() => location.pathname === "/home", { polling: 100 });
    const options = await firefox.open("options");
    await type(options, "input", server.origin);
    await press(options, "Check and save");
    await waitForText(options, "Saved. The server is reachable.");
    await options.close();
    panel = await firefox.open("sidepanel");
    await press(panel, "Connect");
    const opened = await firefox.browser.waitForTarget((target) => target.url().includes("/connections?code="));
    const confirming = await opened.page();
    if (!confirming) throw new Error("No page to confirm the code on");
    await confirming.waitForSelector(".connection-code");
    await press(confirming, "Connect");
    await waitForText(panel, "Connected as ada@example.org");
    await confirming.close();
    const { extensions } = await ada.client.connections.listExtensions({});
    expect(extensions.map(({ name }) => name)).toEqual(["Firefox on Linux"]);
  });

  test("a card and a note are captured from a page and arrive, and their words are highlighted there again", async () => {
    await visit(`${site.local}/codons`);
    await tab.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("#fact") ?? document.body));
    await press(panel, "Card from selection");
    await panel.waitForSelector("form.draft textarea");
    await panel.$eval("form.draft", (form) => form.requestSubmit());
    await waitForText(panel, "Card · saved");
    await press(panel, "Save page as note");
    await waitForText(panel, "Note · saved");
    const { captures } = await ada.client.capture.listCaptures({});
    expect(captures.map(({ kind }) => kind).toSorted()).toEqual(["card", "note"]);
    const { components } = await ada.client.pages.getPage({ id: captures[0]?.pageId ?? "" });
    expect(JSON.stringify(components)).toContain(MORE);
    await press(panel, "Show source");
    await waitForText(panel, "Highlighted on the page.");
    await panel.setViewport({ width: 400, height: 900 });
    await takePicture(panel, "extension-real-firefox");
  });

  test("a background page that Firefox stopped is restarted by the next capture", async () => {
    await visit(`${site.local}/more`);
    // An earlier press may still arrive and restart the background page.
    await expect.poll(() => firefox.endBackground()).toBe("stopped");
    await press(panel, "Save page as note");
    await expect.poll(async () => (await ada.client.capture.listCaptures({})).captures.length).toBe(3);
    expect(await firefox.background()).toBe("running");
  });
});
