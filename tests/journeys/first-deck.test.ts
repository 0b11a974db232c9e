import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser } from "puppeteer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { ownChapter } from "#tests/kit/own-chapter.ts";
import { ownFolder } from "#tests/store/own-folder.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/servers/server-process.ts";
import { openStudent, type Student } from "#tests/kit/student.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** The textbook chapter if the corpus is available, otherwise the sample chapter of these tests. */
async function chapter(): Promise<string> {
  const folder = corpusFolder("textbook");
  const path = folder && join(folder, "15-genes-and-proteins.pdf");
  if (path && existsSync(path)) return path;
  const own = join(ownFolder(), "genes.pdf");
  writeFileSync(own, await ownChapter());
  return own;
}

async function register(student: Student): Promise<void> {
  await student.press("link", "Start studying");
  await student.type("Name", "Ada");
  await student.type("Email", "ada@example.org");
  await student.type("Password", "a lamp upon the desk");
}

/** The shortest onboarding: an empty page and no sample content. */
async function finishOnboarding(student: Student): Promise<void> {
  await student.press("checkbox", "Add a sample to explore");
  await student.press("button", "Start with an empty page");
  await student.press("button", "Create page");
}

async function writePage(student: Student): Promise<string> {
  await student.type("Page title", "Genes and proteins");
  await student.page.locator('::-p-aria([name="Page text"])').wait();
  await student.page.keyboard.press("Enter");
  await student.page.keyboard.type("# The central dogma");
  await student.page.keyboard.press("Enter");
  await student.page.keyboard.type("The flow of genetic information runs from DNA to mRNA to protein.");
  await student.waitForText("Saved");
  return new URL(student.page.url()).pathname;
}

async function upload(student: Student, path: string): Promise<void> {
  await student.press("button", "Page menu");
  const [chooser] = await Promise.all([student.page.waitForFileChooser(), student.press("menuitem", "Upload file")]);
  await chooser.accept([path]);
  await student.page.locator('::-p-aria([name="Make flashcards"][role="button"])').wait();
}

/** Runs in the browser: the number of cards that the deck on the page shows. */
const readShownCount = () => {
  const deck = document.querySelector<HTMLElement>('section[aria-label^="Flashcards:"]');
  return Number(/(\d+) cards?\b/.exec(deck?.innerText ?? "")?.[1] ?? 0);
};

const countCards = (student: Student): Promise<number> => student.page.evaluate(readShownCount);

async function waitForCards(student: Student, atLeast: number): Promise<void> {
  const shown = `(${readShownCount.toString()})() >= ${atLeast}`;
  await student.page.waitForFunction(shown, { polling: 100, timeout: 60_000 });
}

/** Waits until no more cards are made, even if this browser did not start it; resolves to the number of cards. */
async function waitUntilMade(student: Student): Promise<number> {
  let since = Date.now();
  let before = "";
  const deadline = Date.now() + 90_000;
  while (Date.now() < deadline) {
    const screenText = await student.readScreen();
    const state = `${/Making cards|Waiting to start|Saving/.test(screenText)} ${await countCards(student)}`;
    if (state !== before) since = Date.now();
    before = state;
    if (state.startsWith("false") && !state.endsWith(" 0") && Date.now() - since > 3000) return countCards(student);
    await pause(100);
  }
  throw new Error(`The cards were not made in time; the screen showed: ${await student.readScreen()}`);
}

/** Stops and continues making cards: the cards made so far stay, and new ones follow them. */
async function stopAndContinue(student: Student): Promise<void> {
  await student.press("button", "Stop");
  await student.waitForText("Stopped. The cards made so far are saved.");
  const made = await countCards(student);
  await student.press("button", "Continue");
  // If it was stopped after the very last card, continuing adds no card.
  const hasContinued = `(${readShownCount.toString()})() > ${made} || document.querySelector('.deck-run[data-status="done"]')`;
  await student.page.waitForFunction(hasContinued, { polling: 100, timeout: 60_000 });
  expect(await countCards(student)).toBeGreaterThanOrEqual(made);
}

/** Opens the coverage by section and term, and makes a few more cards about one entry; resolves to the number of cards. */
async function makeMoreFromCoverage(student: Student, look: (name: string) => Promise<unknown>): Promise<number> {
  const before = await countCards(student);
  // Dismisses the result of the previous generation.
  if (await student.page.$(".deck-run")) await student.page.locator(".deck-run button").click();
  await student.page.waitForSelector(".deck-run", { hidden: true });
  await student.press("button", "Deck menu");
  await student.press("menuitem", "Coverage");
  await student.waitForText("Key terms");
  await look("coverage");
  await student.page.locator(".coverage-line button").click();
  // Either a few more cards are made, or a message says that there is nothing more to ask.
  await student.page.waitForSelector('.deck-run[data-status="done"], .deck-run[data-status="failed"]');
  // The message that it ended may appear before the last card does.
  const after = await waitUntilMade(student);
  expect(after).toBeGreaterThanOrEqual(before);
  return after;
}

/** Requests a hint while the answer is hidden. */
async function requestHint(student: Student): Promise<void> {
  await student.page.locator(".study-hint button").click();
  await student.page.waitForFunction(() => {
    const hint = document.querySelector(".study-hint p")?.textContent ?? "";
    return hint !== "" && !hint.startsWith("A hint is on its way");
  });
}

/** Reveals and grades this number of cards. */
async function study(student: Student, answers: number): Promise<void> {
  const { keyboard } = student.page;
  for (let given = 0; given < answers; given += 1) {
    await student.waitForText("Show answer");
    await keyboard.press("Space");
    await student.page.locator('::-p-aria([name="How well did you know it?"][role="group"])').wait();
    await keyboard.press(given % 4 === 0 ? "1" : "3");
  }
}

interface Engine {
  name: string;
  /** Whether card making is slow enough to be stopped before it ends. */
  isSlow: boolean;
  server(): Promise<ServerProcess>;
}

const withBuiltin: Engine = { name: "builtin", isSlow: false, server: () => startServerProcess() };
const withModel: Engine = {
  name: "model",
  isSlow: true,
  async server() {
    const model = await startModelServer();
    model.play("slow", "good", "rate_limited", "good", "malformed", "good", "cut");
    return startServerProcess({ AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" });
  },
};

describe.each([withBuiltin, withModel])("from a chapter to studied cards ($name engine)", (engine) => {
  test("a new student gets from the landing page to a first streak although the server is killed and restarted twice", async () => {
    const server = await engine.server();
    const student = await openStudent(browser, server.origin);
    const faults: string[] = [];
    const look = async (name: string) => faults.push(...(await student.checkScreen(`${engine.name}-${name}`)));
    // Screens that do not depend on the engine are checked only once.
    const lookOnce = async (name: string) => {
      if (engine === withBuiltin) await look(name);
    };
    try {
      await student.open("/");
      await student.waitForText("Read it once");
      await lookOnce("landing");
      await register(student);
      await lookOnce("register");
      await student.press("button", "Create account");
      await student.waitForText("Welcome, Ada");
      await finishOnboarding(student);
      const path = await writePage(student);
      await lookOnce("page");

      await server.kill();
      await server.start();
      await student.open(path);
      await student.waitForText("The flow of genetic information runs from DNA to mRNA to protein.");

      await upload(student, await chapter());
      await lookOnce("page-with-file");
      await student.press("button", "Make flashcards");
      await student.waitForText("How many cards");
      await look("maker");
      await student.press("button", "Make cards");
      // A slow engine is stopped before its last card.
      await waitForCards(student, engine.isSlow ? 1 : 3);
      if (engine.isSlow) await stopAndContinue(student);

      await server.kill();
      await server.start();
      await student.open(path);
      // The server continues the generation, but the screen that was just opened may not show that yet.
      await waitForCards(student, 3);
      expect(await waitUntilMade(student)).toBeGreaterThanOrEqual(3);
      await look("deck");
      const made = await makeMoreFromCoverage(student, look);

      await student.press("link", "Study");
      await student.waitForText("Show answer");
      await requestHint(student);
      await look("study-question");
      await student.page.keyboard.press("Space");
      await student.page.locator('::-p-aria([name="How well did you know it?"][role="group"])').wait();
      await look("study-answer");
      await student.page.keyboard.press("3");
      await study(student, 4);
      await student.waitForText("6 of");
      await student.page.keyboard.press("z");
      await student.waitForText("5 of");
      await student.page.keyboard.press("Escape");

      await student.open("/home");
      await student.waitForText("1 day in a row");
      await lookOnce("home");
      await student.open(path);
      await waitForCards(student, 1);
      expect(await countCards(student)).toBe(made);

      await student.open("/content/all");
      await student.waitForText("Genes and proteins");
      await lookOnce("content");
      await student.open("/settings");
      await student.waitForText("Theme");
      await lookOnce("settings");
      await student.open("/nothing-here");
      await student.waitForText("Page not found");
      await lookOnce("not-found");
      expect(faults).toEqual([]);
    } finally {
      await student.close();
      await server.dispose();
    }
  });
});
