import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Browser, Page } from "puppeteer";
import { ulid } from "ulid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pdfCitation } from "#shared/citations.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aCard, aDeck, aPage } from "#tests/store/changes.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { registerAccount } from "#tests/kit/account.ts";
import type { TestUser } from "#tests/kit/api.ts";
import { tabBackTo, tabTo } from "#tests/kit/browser/keyboard.ts";
import { ownFolder } from "#tests/store/own-folder.ts";
import { openStudentAs } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import type { Student } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { allowServiceWorkers } from "#tests/kit/student.ts";

allowServiceWorkers();

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const QUOTE = "Prokaryotes do not have membrane-enclosed nuclei.";
const PAGE = 4;

/** The textbook chapter if there is a corpus; else generated pages with the same sentence on the same page. */
function chapter(): Blob {
  const path = textbookPath();
  if (path !== undefined) return new Blob([new Uint8Array(readFileSync(path))]);
  const filler = ["A codon is a sequence of three nucleotides that names one amino acid."];
  return tinyPdf([
    filler,
    filler,
    filler,
    [...filler, QUOTE, "Therefore transcription and translation can occur at once."],
    filler,
  ]);
}

function textbookPath(): string | undefined {
  const folder = corpusFolder("textbook");
  const path = folder && join(folder, "15-genes-and-proteins.pdf");
  return path && existsSync(path) ? path : undefined;
}

async function upload({ client }: TestUser, pageId: string, file: Blob, name: string): Promise<string> {
  const { component } = await client.uploads.uploadImageComponent({ pageId }, [{ field: "file", file, name }]);
  return component._id;
}

const count = (student: Student, selector: string) => student.page.$$eval(selector, (found) => found.length);

async function waitFor(student: Student, selector: string): Promise<void> {
  await student.page.waitForSelector(selector).catch(async (cause: unknown) => {
    throw new Error(`${selector} did not appear; the screen showed: ${await student.readScreen()}`, { cause });
  });
}

/** Searches for words by keyboard, which leaves them selected. */
async function selectByFinding(student: Student, words: string): Promise<void> {
  const { keyboard } = student.page;
  await keyboard.press("/");
  await waitFor(student, "search input");
  await keyboard.type(words);
  // Only the text layer of the page with the match can be selected.
  await waitFor(student, ".pdf-page:has(.pdf-find-now) .textLayer span");
  await student.waitForText(" of ");
  await keyboard.press("Escape");
  await waitFor(student, ".pdf-selection");
}

/** Runs in the browser: the position of a line of text within the viewport. */
const findVisibleLine = () => {
  const lines = [...document.querySelectorAll(".textLayer span")].map((line) => line.getBoundingClientRect());
  const line = lines.find(({ top, bottom, width }) => top > 120 && bottom < 560 && width > 160);
  return line && { left: line.left, right: line.right, middle: (line.top + line.bottom) / 2 };
};

/** Drags from within a line to the margin beside it and beyond the page; resolves to the length of the longest selection. */
async function dragToMargin({ page }: Student): Promise<number> {
  const line = await page.evaluate(findVisibleLine);
  if (!line) throw new Error("no line of text is within the viewport");
  await page.mouse.move(line.left + 40, line.middle);
  await page.mouse.down();
  await page.mouse.move(line.left + 100, line.middle, { steps: 4 });
  const lengths: number[] = [];
  // The screen corrects the selection that the browser makes on a move before the next frame.
  const measure = async () => {
    const length = await page.evaluate(async () => {
      await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
      return document.getSelection()?.toString().length ?? 0;
    });
    lengths.push(length);
  };
  await page.mouse.move(line.right + 30, line.middle, { steps: 8 });
  await measure();
  const edge = await page.$eval(".pdf-page", (paper) => paper.getBoundingClientRect().right);
  await page.mouse.move(edge + 20, line.middle, { steps: 8 });
  await measure();
  await page.mouse.up();
  await measure();
  await page.keyboard.press("Escape");
  return Math.max(...lengths);
}

test("a card's citation opens its highlighted passage, and annotations work by keyboard, offline and on two devices, and are exported", async () => {
  const server = await startServerProcess();
  const account = await registerAccount(server.origin);
  const pageId = await aPage(account, "Genes and proteins");
  const id = await upload(account, pageId, chapter(), "Lecture 9.pdf");
  await aDeck(account, pageId, [{ ...aCard("one"), citation: pdfCitation(id, PAGE, QUOTE) }]);
  const student = await openStudentAs(browser, server.origin, account);
  const faults: string[] = [];
  const { keyboard } = student.page;
  try {
    await student.open(`/page/${pageId}`);
    await student.page.locator(".cite-badge").click();
    await waitFor(student, ".pdf-lit");
    await student.waitForText(`The quoted passage is highlighted on page ${PAGE}.`);
    expect(await student.page.$eval(".pdf-page-field input", (field) => field.getAttribute("value"))).toBe(
      String(PAGE),
    );
    faults.push(...(await student.checkScreen("pdf-lit")));
    await student.press("button", "Back");
    await waitFor(student, ".cite-badge");

    await student.open(
      `/pdf/${id}?page=2&quote=${encodeURIComponent("The ribosome reads the strand from its third letter.")}`,
    );
    await student.waitForText("The exact quote was not found. Showing page 2.");
    expect(await count(student, ".pdf-lit")).toBe(0);

    await selectByFinding(student, "membrane-enclosed");
    await keyboard.press("3");
    await waitFor(student, ".pdf-mark-green");
    await selectByFinding(student, "Therefore");
    await keyboard.press("n");
    await waitFor(student, "textarea");
    await keyboard.type("Is that so in eukaryotes?");
    await keyboard.down("Control");
    await keyboard.press("Enter");
    await keyboard.up("Control");
    await student.waitForText("Is that so in eukaryotes?");
    faults.push(...(await student.checkScreen("pdf-marks")));

    // The margin has no text, so a drag that ends there selects only the rest of its line.
    const dragged = await dragToMargin(student);
    expect(dragged).toBeGreaterThan(0);
    expect(dragged).toBeLessThan(120);

    // Keys typed right after the click are text of the question, not shortcuts of the document.
    await selectByFinding(student, "Therefore");
    await student.press("button", "Ask the tutor");
    await keyboard.type("Why does this rotate?");
    await waitFor(student, ".composer-box");
    await expect
      .poll(() => student.page.$eval(".composer-box textarea", (field) => field.value))
      .toBe("Why does this rotate?");
    await student.press("button", "Close tutor");
    // Beside the outline only one panel fits on the right, so the tutor had closed the side panel.
    await student.press("button", "Cards and notes");

    await student.page.setOfflineMode(true);
    await student.press("button", "Only Green");
    await student.page.locator(".pdf-mark-item [aria-label='Delete highlight']").click();
    await student.waitForText("No highlights in these colours.");
    await student.press("button", "Undo");
    await waitFor(student, ".pdf-mark-item[data-colour='green']");
    await student.page.setOfflineMode(false);

    await student.open(`/pdf/${id}`);
    await waitFor(student, ".pdf-mark-green");
    const phone = await openStudentAs(browser, server.origin, account);
    await phone.open(`/pdf/${id}?page=${PAGE}`);
    await waitFor(phone, ".pdf-mark-green");
    await waitFor(phone, ".pdf-mark-yellow");
    await phone.close();

    expect(await readExportedAnnotations(student)).toEqual([
      "Highlight",
      "Highlight",
      "Text: Is that so in eukaryotes?",
    ]);

    await keyboard.press("a");
    await waitFor(student, ".pdf-area");
    await keyboard.press("Enter");
    await waitFor(student, ".pdf-taken");
    faults.push(...(await student.checkScreen("pdf-area")));
    await student.press("button", "Add to page");
    await student.press("button", "Open page");
    await waitFor(student, ".picture-block figcaption .cite-badge");

    await keyboard.press("Escape");
    await student.open(`/pdf/${ulid()}`);
    await student.waitForText("Document not found");
    expect(faults).toEqual([]);
  } finally {
    await student.close();
    await server.dispose();
  }
});

test("a document can be found, opened, read, annotated and closed by keyboard", async () => {
  const server = await startServerProcess();
  const account = await registerAccount(server.origin);
  await upload(account, await aPage(account, "Genes"), chapter(), "Lecture 9.pdf");
  // The chapter is titled by its heading; the generated pages have none and are titled by the file name.
  const title = textbookPath() === undefined ? "Lecture 9" : "Genes and Proteins";
  const student = await openStudentAs(browser, server.origin, account);
  const { page } = student;
  const { keyboard } = page;
  try {
    await student.open("/knowledge");
    await student.waitForText(title);
    await tabTo(page, new RegExp(`^${title}`));
    await keyboard.press("Enter");
    await waitFor(student, ".pdf-page canvas");
    await keyboard.press("g");
    await keyboard.type(String(PAGE));
    await keyboard.press("Enter");
    await page.waitForFunction(
      (wanted) => document.querySelector<HTMLInputElement>(".pdf-page-field input")?.value === wanted,
      {},
      String(PAGE),
    );
    await selectByFinding(student, "membrane-enclosed");
    await keyboard.press("2");
    await waitFor(student, ".pdf-mark-yellow");
    await keyboard.press("s");
    // In a wide window the outline is on the left, and an arrow key chooses the tab beside it.
    await tabBackTo(page, /^Outline$/);
    await keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.activeElement?.textContent === "Pages");
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-selected") === "true");
    await keyboard.press("o");
    await page.waitForFunction(() => document.querySelector(".pdf-left") === null);
    await page.waitForFunction(() => document.activeElement?.id === "content");
    await student.waitForText("membrane-enclosed");
    await tabTo(page, /^Edit note$/);
    await keyboard.press("Enter");
    await keyboard.type("Ask about bacteria");
    await keyboard.down("Control");
    await keyboard.press("Enter");
    await keyboard.up("Control");
    await student.waitForText("Ask about bacteria");
    await keyboard.press("?");
    await student.waitForText("Undo the last highlight");
    await keyboard.press("Escape");
    await tabTo(page, /^Back$/);
    await keyboard.press("Enter");
    await page.waitForFunction(() => location.pathname.startsWith("/page/"));
  } finally {
    await student.close();
    await server.dispose();
  }
});

type Box = [left: number, top: number, width: number, height: number];

/** The position of an element in the viewport; runs in the browser. */
const boxOf = (selector: string): Box => {
  const { left, top, width, height } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
  return [left, top, width, height].map(Math.round) as Box;
};

/** Opens an address and delays the app's first script until `meanwhile` has ended. */
async function openWithoutApp({ page }: Student, address: string, meanwhile: () => Promise<void>): Promise<void> {
  const session = await page.createCDPSession();
  // A request that a service worker or a cache answers could not be delayed.
  await page.setBypassServiceWorker(true);
  await page.setCacheEnabled(false);
  const paused: string[] = [];
  session.on("Fetch.requestPaused", ({ requestId }) => paused.push(requestId));
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/assets/index-*.js" }] });
  await page.goto(address, { waitUntil: "domcontentloaded" });
  await meanwhile();
  await expect.poll(() => paused.length).toBeGreaterThan(0);
  await session.send("Fetch.disable");
  await session.detach();
}

/** Runs in the browser. */
const readScrollTop = () => document.querySelector(".pdf-first")?.scrollTop ?? Number.NaN;
const watchScrollEnd = () => {
  Object.assign(globalThis, { isStill: false });
  document.querySelector<HTMLElement>(".pdf-first")?.addEventListener(
    "scrollend",
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the browser, where nothing else is.
    () => Object.assign(globalThis, { isStill: true }),
    { once: true },
  );
};

/** Scrolls the page that is rendered early, and waits until it stops; resolves to the distance. */
async function scrollBy(page: Page, work: () => Promise<unknown>): Promise<number> {
  const from = await page.evaluate(readScrollTop);
  await page.evaluate(watchScrollEnd);
  await work();
  await page.waitForFunction("globalThis.isStill");
  return (await page.evaluate(readScrollTop)) - from;
}

async function drag({ touchscreen }: Page, x: number, from: number, to: number): Promise<void> {
  await touchscreen.touchStart(x, from);
  for (let step = 1; step <= 10; step += 1) await touchscreen.touchMove(x, from + ((to - from) * step) / 10);
  await touchscreen.touchEnd();
}

test("the page in an address is rendered before the app has loaded, and already handles keys and scrolling", async () => {
  const server = await startServerProcess();
  const account = await registerAccount(server.origin);
  const id = await upload(account, await aPage(account, "Genes"), chapter(), "Lecture 9.pdf");
  const student = await openStudentAs(browser, server.origin, account);
  const { page } = student;
  const address = `${server.origin}/pdf/${id}`;
  const expectDrawnAt = async (number: number, early: Box) => {
    await waitFor(student, `.pdf-page[data-page="${number}"] canvas`);
    expect(await page.evaluate(boxOf, `.pdf-page[data-page="${number}"]`)).toEqual(early);
    await page.waitForFunction(() => document.querySelector(".pdf-first") === null);
  };
  try {
    let early: Box = [0, 0, 0, 0];
    const look = async () => {
      await waitFor(student, ".pdf-first canvas");
      early = await page.evaluate(boxOf, ".pdf-first canvas");
    };
    await openWithoutApp(student, address, look);
    await expectDrawnAt(1, early);
    await page.setViewport({ width: 360, height: 740 });
    await page.goto(`${server.origin}/robots.txt`);
    await page.evaluate(() => {
      localStorage.clear();
      localStorage.setItem("lamplight_pdf_view", "pages");
    });
    await openWithoutApp(student, address, look);
    await expectDrawnAt(1, early);

    await openWithoutApp(student, address, async () => {
      await look();
      await page.keyboard.press("g");
      await page.keyboard.type(String(PAGE));
      await page.keyboard.press("Enter");
    });
    const wanted = `document.querySelector(".pdf-page-field input")?.value === "${PAGE}"`;
    await page.waitForFunction(wanted);
    await waitFor(student, `.pdf-page[data-page="${PAGE}"] canvas`);
    await openWithoutApp(student, address, look);
    await expectDrawnAt(PAGE, early);
    await openWithoutApp(student, address, async () => {
      await look();
      await page.mouse.move(180, 400);
      // The two distances are small enough for a document that ends soon after this page.
      expect(await scrollBy(page, () => page.mouse.wheel({ deltaY: 60 }))).toBe(60);
      expect(await scrollBy(page, () => drag(page, 180, 500, 380))).toBeGreaterThan(50);
      early = await page.evaluate(boxOf, ".pdf-first canvas");
    });
    await expectDrawnAt(PAGE, early);
  } finally {
    await student.close();
    await server.dispose();
  }
});

/** Runs in the browser: selects these words in the text of a document. */
function selectInText(words: string): void {
  for (const passage of document.querySelectorAll("[data-passage]")) {
    const node = [...passage.childNodes].find((child) => child.textContent?.includes(words));
    if (!node) continue;
    passage.scrollIntoView({ block: "center" });
    const start = node.textContent?.indexOf(words) ?? 0;
    document.getSelection()?.setBaseAndExtent(node, start, node, start + words.length);
    return;
  }
}

test("a phone shows a PDF as text, and a highlight made in the text also appears on the printed page", async () => {
  const server = await startServerProcess();
  const account = await registerAccount(server.origin);
  const id = await upload(account, await aPage(account, "Genes"), chapter(), "Lecture 9.pdf");
  const student = await openStudentAs(browser, server.origin, account);
  const { page } = student;
  try {
    await page.setViewport({ width: 360, height: 740 });
    await student.open(`/pdf/${id}`);
    await waitFor(student, "[data-passage]");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.evaluate(selectInText, QUOTE);
    await waitFor(student, ".pdf-selection");
    await student.press("button", "Highlight: Yellow");
    await waitFor(student, "[data-passage] [data-mark]");
    await page.waitForFunction(() => document.querySelector(".pdf-selection") === null);
    expect(await student.checkScreen("pdf-text")).toEqual([]);
    await page.setViewport({ width: 360, height: 740 });
    await student.press("button", `Page ${PAGE}: show as printed`);
    await waitFor(student, `.pdf-page[data-page="${PAGE}"] .pdf-mark`);
    await page.waitForFunction(`document.querySelector(".pdf-page-field input")?.value === "${PAGE}"`);
    const isOneLine = `document.querySelector(".pdf-mark").getBoundingClientRect().height < 20`;
    expect(await page.evaluate(isOneLine)).toBe(true);
    await page.reload();
    await waitFor(student, `.pdf-page[data-page="${PAGE}"] .pdf-mark`);
    await student.press("button", "Show text");
    await waitFor(student, "[data-passage] [data-mark]");
    await student.press("button", "View options");
    await student.press("menuitem", "Find");
    await waitFor(student, "search input");
    await page.keyboard.type("codon");
    await waitFor(student, ".pdf-text-found-now");
  } finally {
    await student.close();
    await server.dispose();
  }
});

/** Exports the PDF with its highlights through the interface, and reads the annotations in it. */
async function readExportedAnnotations(student: Student): Promise<string[]> {
  const folder = ownFolder();
  const session = await student.page.createCDPSession();
  await session.send("Page.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await student.press("button", "View options");
  await student.press("menuitem", "Export PDF with highlights");
  let saved: string | undefined;
  const deadline = Date.now() + 20_000;
  while (saved === undefined && Date.now() < deadline) {
    saved = readdirSync(folder).find((name) => name.endsWith(".pdf"));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (saved === undefined) throw new Error("No PDF was saved");
  const task = getDocument({ data: new Uint8Array(readFileSync(join(folder, saved))), verbosity: 0 });
  const document = await task.promise;
  const found = (await (await document.getPage(PAGE)).getAnnotations()) as {
    subtype: string;
    contentsObj: { str: string };
  }[];
  await task.destroy();
  return found
    .filter(({ subtype }) => subtype !== "Link")
    .map(({ subtype, contentsObj: { str } }) => (str === "" ? subtype : `${subtype}: ${str}`))
    .toSorted();
}
