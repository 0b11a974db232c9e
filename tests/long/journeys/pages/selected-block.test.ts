import type { Page } from "puppeteer";
import sharp from "sharp";
import { expect, test } from "vitest";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { aPage } from "#tests/store/changes.ts";

const { browser, server } = await startBrowserAndServer();

/** Runs in the browser: the blocks of the page in order, a text block by its text and others by their type. */
const readBlocks = () =>
  [...document.querySelectorAll<HTMLElement>(".page-text, .page-block")].map((block) =>
    block.classList.contains("page-block") ? `[${block.dataset["component"]}]` : (block.textContent ?? ""),
  );

/** Runs in the browser: pastes a picture file, or HTML, where the focus is. */
function paste({ png, html }: { png?: string; html?: string }) {
  const data = new DataTransfer();
  if (html !== undefined) data.setData("text/html", html);
  if (png !== undefined) {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.codePointAt(0) ?? 0);
    data.items.add(new File([bytes], "cell.png", { type: "image/png" }));
  }
  const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  document.activeElement?.dispatchEvent(event);
}

async function openEmptyPage() {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "Cells");
  await student.open(`/page/${pageId}`);
  const { page } = student;
  await page.waitForSelector(".page-text");
  await page.click(".page-text");
  const blocks = () => page.evaluate(readBlocks);
  /** The page on the server, once everything is saved. */
  const afterReload = async () => {
    await page.waitForFunction(() => document.querySelector(".top-bar-state")?.textContent === "Saved", {
      polling: 100,
    });
    await page.reload();
    await page.waitForSelector(".page-text");
    return blocks();
  };
  return { page, blocks, afterReload, close: () => student.close() };
}

/** Clicks at `x`, away from the previous click, because two clicks at one position are a double click. */
async function selectEquation(page: Page, x: number) {
  await page.click(".page-block[data-component=equation]", { offset: { x, y: 20 } });
  await page.waitForSelector(".page-block.is-selected");
}

async function addEquation(page: Page) {
  await page.keyboard.type("/equation");
  await page.waitForSelector(".slash-menu-item");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".page-block textarea");
  await page.keyboard.type("a=b");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".page-block.is-selected");
}

test("content inserted while a block is selected goes below it, and nothing is lost or replaced", async () => {
  const { page, blocks, afterReload, close } = await openEmptyPage();
  await page.keyboard.type("AAA");
  await page.keyboard.press("Enter");
  await addEquation(page);
  const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: "#2f5d50" } })
    .png()
    .toBuffer();
  await page.evaluate(paste, { png: picture.toString("base64") });
  await page.waitForSelector(".page-block[data-component=image] img");
  // A click on the empty space below the last block.
  const { height } = page.viewport() ?? { height: 800 };
  await page.mouse.click(680, height - 20);
  await page.keyboard.type("BBB");
  await page.keyboard.press("Enter");
  await page.keyboard.type("CCC");
  await selectEquation(page, 100);
  await page.keyboard.type("typed");
  expect(await blocks()).toEqual(["AAA", "[equation]", "typed", "[image]", "BBB", "CCC"]);
  await selectEquation(page, 200);
  await page.evaluate(paste, { html: "<p>one</p><h2>two</h2>" });
  const all = ["AAA", "[equation]", "one", "two", "typed", "[image]", "BBB", "CCC"];
  expect(await blocks()).toEqual(all);
  await page.mouse.click(680, height - 20);
  await page.keyboard.type("DDD");
  expect(await blocks()).toEqual([...all, "DDD"]);
  expect(await afterReload()).toEqual([...all, "DDD"]);
  await close();
});

test("a code fence keeps its language, however fast it is typed", async () => {
  const { page, blocks, close } = await openEmptyPage();
  await page.keyboard.type("```js const a = 1");
  await page.waitForSelector(".code-block");
  await expect.poll(() => page.$eval(".code-block textarea", (field) => field.value)).toBe("const a = 1");
  expect(await page.$eval(".code-block select", (select) => select.value)).toBe("javascript");
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.type("```");
  await page.keyboard.press("Enter");
  await page.keyboard.type("x");
  await expect
    .poll(() => page.$$eval(".code-block textarea", (fields) => fields.map((field) => field.value)))
    .toEqual(["const a = 1", "x"]);
  expect((await blocks()).filter((text) => text !== "")).toEqual(["[code_block]", "[code_block]"]);
  await close();
});

test("a block can be dragged by its handle, and clicking the handle opens its menu", async () => {
  const { page, blocks, afterReload, close } = await openEmptyPage();
  for (const text of ["one", "two", "three"]) {
    await page.keyboard.type(text);
    if (text !== "three") await page.keyboard.press("Enter");
  }
  const boxOf = async (index: number) => {
    const box = await (await page.$$(".page-text"))[index]?.boundingBox();
    if (!box) throw new Error(`no block ${index}`);
    return { x: box.x + 20, y: box.y + box.height / 2, bottom: box.y + box.height };
  };
  const [first, third] = [await boxOf(0), await boxOf(2)];
  await page.mouse.move(first.x, first.y);
  const handle = await page.waitForSelector(".block-handle-button", { visible: true });
  const grip = await handle?.boundingBox();
  if (!grip) throw new Error("no handle");
  await expect.poll(async () => Math.abs(((await handle?.boundingBox())?.y ?? 0) - first.y) < 30).toBe(true);
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(third.x, third.y, { steps: 8 });
  await page.mouse.move(third.x, third.bottom - 1, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await blocks()).filter((text) => text !== "")).toEqual(["two", "three", "one"]);
  expect((await afterReload()).filter((text) => text !== "")).toEqual(["two", "three", "one"]);
  const again = await boxOf(0);
  await page.mouse.move(again.x, again.y);
  await page.waitForSelector(".block-handle-button", { visible: true });
  await page.click(".block-handle-button");
  await page.waitForSelector("[role=menu]");
  await page.click(".block-handle-button");
  await page.waitForFunction(() => document.querySelector("[role=menu]") === null);
  await close();
});

test("the slash menu, the toolbar of selected text and a card's form stay at the text when the window gets narrower", async () => {
  const { page, close } = await openEmptyPage();
  const isAtText = (selector: string) =>
    page.evaluate((wanted) => {
      const [text, float] = [document.querySelector(".page-text"), document.querySelector(wanted)];
      if (!text || !float) return false;
      const [line, box] = [text.getBoundingClientRect(), float.getBoundingClientRect()];
      const isInside = box.left >= 0 && box.right <= innerWidth;
      const isNear = Math.min(Math.abs(box.top - line.bottom), Math.abs(line.top - box.bottom)) < 24;
      const [isAtStart, fromMiddle] = [
        Math.abs(box.left - line.left) < 24,
        box.left + box.right - line.left - line.right,
      ];
      return isInside && isNear && (isAtStart || Math.abs(fromMiddle) < 80);
    }, selector);
  const WIDE = { width: 1360, height: 860 };
  const stayAtText = async (selector: string) => {
    await page.waitForSelector(selector);
    for (const size of [{ width: 600, height: 560 }, WIDE]) {
      await page.setViewport(size);
      await expect.poll(() => isAtText(selector)).toBe(true);
    }
  };
  await page.keyboard.type("/");
  await stayAtText(".slash-menu");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("A codon is a sequence of three nucleotides that corresponds to a specific amino acid.");
  await page.keyboard.down("Shift");
  await page.keyboard.press("Home");
  await page.keyboard.up("Shift");
  await stayAtText("[role=toolbar]");
  await page.click(".format-card");
  await stayAtText(".card-draft");
  await close();
});
