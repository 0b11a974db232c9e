import type { HTTPRequest } from "puppeteer";
import { isPublicPage } from "#shared/marketing/match-screen.ts";
import { screens, type ScreenName } from "#shared/screens.ts";
import { describe, expect, test } from "vitest";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { copyStarterPage } from "#tests/sharing/starter-page.ts";
import { openStudent, type Student } from "#tests/kit/student.ts";

const { browser, server } = await startBrowserAndServer();

const fetchPage = async (path: string) => {
  const response = await fetch(new URL(path, server.origin), { redirect: "manual" });
  return { status: response.status, html: await response.text() };
};
const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1] ?? "";

/** What a page links to and shows on this server, and the picture that it names for links to it. */
const listAddresses = (html: string): string[] =>
  [...html.matchAll(/(?:href|src|content)="([^"#]+)/g)]
    .map(([, address = ""]) => address.replaceAll("&amp;", "&").replace(server.origin, ""))
    .filter((address) => address.startsWith("/"));

async function readSitemap(): Promise<string[]> {
  const { html } = await fetchPage("/sitemap.xml");
  return [...html.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = ""]) => new URL(address).pathname);
}

test("the sitemap lists every public screen, and otherwise only pages of the help, the blog, topics and shares", async () => {
  const listed = await readSitemap();
  const fixed = (Object.keys(screens) as ScreenName[]).filter((name) => !/[:*]/.test(screens[name].path));
  const expected = fixed.filter((name) => isPublicPage(name) || ["pricing", "explore"].includes(name));
  expect(expected.filter((name) => !listed.includes(screens[name].path))).toEqual([]);
  const known = new Set(expected.map((name): string => screens[name].path));
  const furtherPaths = listed.filter((path) => !known.has(path));
  expect(furtherPaths.filter((path) => !/^\/(?:help|blog|topic|s)\/./.test(path))).toEqual([]);
  expect(furtherPaths.filter((path) => path.startsWith("/help/")).length).toBeGreaterThanOrEqual(40);
});

test("every public page has its own title in both languages, and every internal link on it works", async () => {
  const listed = await readSitemap();
  const links = new Set<string>();
  for (const language of ["en", "de"]) {
    const titles = new Set<string>();
    // These are written by the running server, and a share in its own language.
    const pages = listed.filter((path) => path !== "/explore" && path !== "/pricing" && !path.startsWith("/s/"));
    for (const path of pages) {
      const { status, html } = await fetchPage(`${path}?lang=${language}`);
      expect([path, status, /<html lang="(\w+)"/.exec(html)?.[1]]).toEqual([path, 200, language]);
      titles.add(titleOf(html));
      for (const link of listAddresses(html)) links.add(link);
      expect(html).not.toMatch(/\{\{[A-Z_]+\}\}/);
    }
    expect(titles.size).toBe(pages.length);
  }
  const previews = [...links].filter((link) => link.startsWith("/previews/"));
  expect(previews.length).toBeGreaterThan(listed.length);
  const dead: string[] = [];
  for (const link of links) if ((await fetchPage(link)).status !== 200) dead.push(link);
  expect(dead).toEqual([]);
});

/** Runs in the browser. */
const readLinks = () => [...document.querySelectorAll("a[href^='/']")].map((link) => link.getAttribute("href") ?? "");
const hasOwnTitle = (untitled: string) => document.querySelector("h1") !== null && document.title !== untitled;

test("every screen of the workspace has its own title, and every internal link on it works", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  await copyStarterPage(user);
  // Onboarding is finished, signing out ends the session, and the canvas creates a page and has its own test.
  const testedElsewhere = new Set<ScreenName>(["onboarding", "logout", "canvas"]);
  const workspace = (Object.keys(screens) as ScreenName[]).filter(
    (name) =>
      !/[:*]/.test(screens[name].path) &&
      screens[name].access !== "guest" &&
      screens[name].feature !== "auth" &&
      !isPublicPage(name) &&
      !testedElsewhere.has(name),
  );
  expect(workspace.length).toBeGreaterThan(25);
  const titles = new Map<string, string>();
  const links = new Set<string>();
  for (const name of workspace) {
    await student.open(screens[name].path);
    await student.page.waitForFunction(hasOwnTitle, {}, "Lamplight");
    titles.set(name, await student.page.title());
    for (const link of await student.page.evaluate(readLinks)) links.add(link);
  }
  const names = [...titles.values()];
  expect([...titles].filter(([, title]) => names.filter((name) => name === title).length > 1)).toEqual([]);
  const cookie = `lamplight_token=${user.token}`;
  const dead: string[] = [];
  for (const link of links)
    if ((await fetch(new URL(link, server.origin), { headers: { cookie } })).status !== 200) dead.push(link);
  expect([dead, links.size > 30]).toEqual([[], true]);
  await student.close();
});

test("an address without a screen returns 404 and shows the error screen", async () => {
  const student = await openStudent(browser, server.origin);
  const response = await student.page.goto(`${server.origin}/no/such/place`);
  expect(response?.status()).toBe(404);
  await student.waitForText("Page not found");
  await student.close();
});

describe("each kind of public page passes axe, wide and narrow, light and dark", () => {
  test.each([
    ["/", "site-landing", "Read it once."],
    ["/features/pdf", "site-feature", "Read and highlight"],
    ["/help", "site-help", "Make flashcards from a source"],
    ["/help/cards/anki", "site-article", "due dates and review history"],
    ["/faq", "site-faq", "What is Lamplight?"],
    ["/blog", "site-blog", "Why a schedule beats a marathon"],
    ["/blog/cards-worth-learning", "site-post", "Four questions to ask of a card"],
    ["/topic/cards?lang=de", "site-topic-de", "Alle Beiträge"],
    ["/changelog", "site-changelog", "Listen to your sources"],
    ["/ai/tools", "site-ai", "The AI in Lamplight"],
    ["/docs/privacy", "site-legal", "This page is a template"],
    ["/tools/pdf-to-flashcards", "site-tool", "Choose a file"],
    ["/tools/study-schedule-generator?lang=de", "site-schedule", "Tag der Prüfung"],
    ["/tools/citation-generator", "site-citations", "Add to the list"],
    ["/pricing", "site-pricing", "You get Ultimate with a new account."],
    ["/pricing?lang=de", "site-pricing-de", "Mit einem neuen Konto bekommst du Ultimate."],
  ])("%s", async (path, name, words) => {
    const student = await openStudent(browser, server.origin);
    await student.open(path);
    await student.waitForText(words);
    const faults = await student.checkScreen(name);
    await student.page.setViewport({ width: 360, height: 740 });
    const narrow = await student.page.evaluate(() => ({
      isWide: document.documentElement.scrollWidth > 360,
      hiddenHeaders: [...document.querySelectorAll<HTMLElement>("th")].filter(({ offsetHeight }) => offsetHeight === 0)
        .length,
    }));
    expect([faults, narrow]).toEqual([[], { isWide: false, hiddenHeaders: 0 }]);
    await student.close();
  });
});

/** Runs in the browser. */
const switchToDark = () => {
  const link = document.querySelector("footer li a");
  const before = link && getComputedStyle(link).color;
  document.documentElement.dataset["theme"] = "dark";
  return { isNew: link !== null && getComputedStyle(link).color !== before, moving: document.getAnimations().length };
};

test("with reduced motion a theme change takes effect at once, also for inherited colours", async () => {
  const student = await openStudent(browser, server.origin);
  await student.page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: "light" },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  await student.open("/help/cards/anki");
  expect(await student.page.evaluate(switchToDark)).toEqual({ isNew: true, moving: 0 });
  // The device changes its theme while the page is open.
  await student.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await student.page.waitForFunction(() => document.documentElement.matches('.dark[data-theme="dark"]'));
  await student.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
  await student.page.waitForFunction(() => document.documentElement.matches(':not(.dark)[data-theme="light"]'));
  await student.press("button", "Yes");
  await student.waitForText("Thank you.");
  await student.close();
});

/** Runs in the browser: how far the content has moved since the first paint. */
const sumShifts = async () => {
  const observer = new PerformanceObserver(() => undefined);
  observer.observe({ type: "layout-shift", buffered: true });
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return observer.takeRecords().reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0);
};

test("a help article does not move when its script starts after the first paint", async () => {
  const student = await openStudent(browser, server.origin);
  const { page } = student;
  // All of the article, and what follows it, is on the screen.
  await page.setViewport({ width: 412, height: 1600 });
  await page.setRequestInterception(true);
  const scripts: HTTPRequest[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request);
    else void request.continue();
  });
  const opened = page.goto(`${server.origin}/help/cards/how-cards-are-made`);
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  await expect.poll(() => scripts.length).toBeGreaterThan(0);
  for (const request of scripts) await request.continue();
  await opened;
  await page.waitForSelector("#help-rating", { visible: true });
  expect(await page.evaluate(sumShifts)).toBe(0);
  await student.close();
});

test("the search of the help finds an article as it is typed, and opens it", async () => {
  const student = await openStudent(browser, server.origin);
  await student.open("/help");
  await student.type("Search the help", "exam dat");
  await student.waitForText("articles found");
  await student.page.keyboard.press("Enter");
  await student.page.waitForFunction(() => location.pathname === "/help/study/exam-date");
  await student.close();
});

/** Follows the language link in the footer. */
async function switchToGerman(student: Student): Promise<void> {
  await student.page.locator("footer a[hreflang=de]").click();
  await student.waitForText("Kostenlose Werkzeuge");
}

test("a visitor switches to German, and the next page is German too", async () => {
  const student = await openStudent(browser, server.origin);
  await student.open("/features");
  await switchToGerman(student);
  await student.open("/faq");
  await student.waitForText("Fragen und Antworten");
  await student.close();
});
