import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "puppeteer";
import { isFull } from "./all-cases.ts";

const WAIT_LIMIT_MS = 30_000;
/** Puppeteer sets a longer text as the field's value by script, and React takes that for its own change. */
const EVERY_KEY = { typingThreshold: Infinity };

/** Drives a browser tab by roles and names, and checks every screen. */
export interface Student {
  page: Page;
  open(path: string): Promise<void>;
  press(role: string, name: string): Promise<void>;
  type(label: string, text: string): Promise<void>;
  /** Waits until the screen contains this text. */
  waitForText(words: string): Promise<void>;
  readScreen(): Promise<string>;
  /** Checks the screen wide and narrow, in a light and a dark look; resolves to the accessibility violations. */
  checkScreen(name: string): Promise<string[]>;
  close(): Promise<void>;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Screenshots are for people and go to the folder in SCREENSHOTS; no test reads them. */
const pictures = process.env["SCREENSHOTS"];
const WIDE = { width: 1360, height: 860 };
const NARROW = { width: 360, height: 740 };

/** Runs in the browser. */
const isOnScreen = (wanted: string) => document.body.innerText.includes(wanted);

/**
 * Waits until the app has replaced a prerendered form, which it does once the pointer moves. A person's keys go to the field
 * that has the focus then; a driver that has just looked up a field would type into the one before.
 */
export async function untilAppHasForm(page: Page): Promise<void> {
  if ((await page.$("#early")) === null) return;
  await page.mouse.move(1, 1);
  await page.mouse.move(2, 2);
  await page.waitForSelector("#early", { hidden: true });
}

let hasServiceWorkers = false;
/**
 * Lets the tabs of this test file register the service worker, for tests that load the app without a connection or show
 * notifications. Other tabs go without, as in a browser that has none: storing the whole app for each new browser context
 * takes a quarter of a journey's processor time.
 */
export const allowServiceWorkers = (): void => {
  hasServiceWorkers = true;
};

export async function openStudent(browser: Browser, origin: string): Promise<Student> {
  return openTab(await browser.createBrowserContext(), origin);
}

/** A tab of a browser context that is already signed in. */
export async function openTab(context: BrowserContext, origin: string): Promise<Student> {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_LIMIT_MS);
  if (!hasServiceWorkers)
    await page.evaluateOnNewDocument(() => Reflect.deleteProperty(Navigator.prototype, "serviceWorker"));
  // Our policy forbids foreign scripts, and the accessibility check is one.
  await page.setBypassCSP(true);
  await page.setViewport(WIDE);
  const readScreen = () => page.evaluate(() => document.body.innerText);
  /** Reports what was looked for and the screen's text, which a plain timeout wouldn't. */
  const fail = async (problem: string): Promise<never> => {
    throw new Error(`${problem}; the screen said: ${await readScreen()}`);
  };
  return {
    page,
    open: async (path) => void (await page.goto(origin + path, { waitUntil: "load" })),
    press: (role, name) =>
      page
        .locator(`::-p-aria([name="${name}"][role="${role}"])`)
        .click()
        .catch(async () => fail(`No ${role} "${name}" could be pressed`)),
    async type(label, text) {
      const field = page.locator(`::-p-aria([name="${label}"])`);
      try {
        await field.wait();
        await untilAppHasForm(page);
        await field.fill(text, EVERY_KEY);
      } catch {
        await fail(`No field "${label}" could be filled`);
      }
    },
    readScreen,
    async waitForText(words) {
      // Queries the page again each time: a wait started in one document may never end in the next.
      const endsAt = Date.now() + WAIT_LIMIT_MS;
      while (!(await page.evaluate(isOnScreen, words).catch(() => false))) {
        if (Date.now() > endsAt)
          throw new Error(`"${words}" was not read within the time; the screen said: ${await readScreen()}`);
        await pause(100);
      }
    },
    checkScreen: (name) => checkScreen(page, name),
    close: () => context.close(),
  };
}

/** A picture of a page as it is shown now. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** All looks of a screen, in the order with the fewest changes of size and theme. */
const LOOKS = [
  { size: "wide", viewport: WIDE, theme: "light" },
  { size: "wide", viewport: WIDE, theme: "dark" },
  { size: "narrow", viewport: NARROW, theme: "dark" },
  { size: "narrow", viewport: NARROW, theme: "light" },
] as const;

/**
 * The looks to check: both sizes and both themes, paired by the screen's name, so that every pair occurs on half of the
 * screens. All four if every case is run, or if pictures are taken.
 */
function looksFor(name: string) {
  if (isFull || pictures) return LOOKS;
  const remainder = Buffer.from(name).reduce((sum, byte) => sum + byte, 0) % 2;
  return LOOKS.filter((_, index) => index % 2 === remainder);
}

export async function checkScreen(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const { size, viewport, theme } of looksFor(name)) {
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: theme },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
    if (page.viewport()?.width !== viewport.width) await page.setViewport(viewport);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    if (pictures) await takePicture(page, `${name}-${size}-${theme}`);
    // A screenshot makes Chromium repaint what content-visibility left in the previous theme's colours.
    else await page.screenshot({ clip: { x: 0, y: 0, width: 8, height: 8 }, optimizeForSpeed: true });
    found.push(...(await check(page)).map((fault) => `${name} ${size} ${theme}: ${fault}`));
  }
  await page.setViewport(WIDE);
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  return found;
}

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}

async function check(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResult;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} ${html.slice(0, 160)} ${failureSummary ?? ""}`),
  );
}
