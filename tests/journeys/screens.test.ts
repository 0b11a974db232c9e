import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HTTPRequest } from "puppeteer";
import { ulid } from "ulid";
import { describe, expect, test } from "vitest";
import type { Component } from "#shared/pages/schema.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { readPrinted } from "#tests/kit/pdf/printed-text.ts";
import { aCard, aChange, aDeck, aPage, aText, send } from "#tests/store/changes.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { openStudent, type Student } from "#tests/kit/student.ts";

const { browser, server } = await startBrowserAndServer();

/** Checks the screen with axe, that it fits into 360 px, and that the browser logged no errors. */
async function expectNoFaults(student: Student, name: string, errors: readonly string[]): Promise<void> {
  expect(await student.checkScreen(name)).toEqual([]);
  await student.page.setViewport({ width: 360, height: 740 });
  const width = await student.page.evaluate(() => document.documentElement.scrollWidth);
  await student.page.setViewport({ width: 1360, height: 860 });
  expect(width).toBeLessThanOrEqual(360);
  expect(errors).toEqual([]);
}

/** The browser logs the 404 status of a missing page as an error, which is expected. */
const isNot404 = (error: string) => !error.includes("status of 404");

/** Runs in the browser: parts of the open sidebar that scroll sideways, and an account menu that scrolls out of view. */
function findSidebarFaults(): string[] {
  const side = document.querySelector(".shell-side");
  const parts = [...(side?.querySelectorAll(".sidebar, .sidebar-scroll") ?? [])];
  const wide = parts.filter((part) => {
    const isHidden = getComputedStyle(part).overflowX === "hidden";
    return part.scrollWidth > part.clientWidth && !isHidden;
  });
  const foot = side?.querySelector(".sidebar-foot");
  const isFixed = foot?.closest(".sidebar-scroll") === null && foot.getBoundingClientRect().bottom <= innerHeight;
  return [...wide.map((part) => `${part.className} is too wide`), ...(isFixed ? [] : ["the account scrolls away"])];
}

function collectErrors(student: Student): string[] {
  const errors: string[] = [];
  student.page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  student.page.on("pageerror", (error) => errors.push(String(error)));
  return errors;
}

describe("every screen, wide and narrow, light and dark, passes axe", () => {
  test.each([
    ["/", "landing", "Read it once."],
    ["/login", "login", "Welcome back"],
    ["/register", "register", "Create account"],
    ["/logout", "logout", "You're signed out"],
    ["/forgot_password", "forgot-password", "Reset your password"],
    ["/reset_password#token=a-token-of-a-link", "reset-password", "Set a new password"],
    ["/verify_email", "verify-email", "Your email could not be verified"],
    ["/changelog", "changelog", "What's new"],
    ["/no/such/place", "not-found", "Page not found"],
  ])("%s signed out", async (path, name, words) => {
    const student = await openStudent(browser, server.origin);
    const errors = collectErrors(student);
    await student.open(path);
    await student.waitForText(words);
    await expectNoFaults(student, name, errors.filter(isNot404));
    await student.close();
  });

  test.each([
    ["/home", "home-empty", "Start with a page"],
    ["/content/all", "content-empty", "Nothing here yet"],
    ["/no/such/place", "not-found-signed-in", "Page not found"],
  ])("%s with a new account", async (path, name, words) => {
    const { student } = await registerStudent(browser, server.origin, { name: "Grace" });
    const errors = collectErrors(student);
    await student.open(path);
    await student.waitForText(words);
    await expectNoFaults(student, name, errors.filter(isNot404));
    await student.close();
  });

  test.each([
    ["/home", "home", "Continue where you left off"],
    ["/content/all", "content", "5 items"],
    ["/settings", "settings", "Used today"],
  ])("%s with pages and decks", async (path, name, words) => {
    const { student, user } = await registerStudent(browser, server.origin, { name: "Ada Lovelace" });
    const errors = collectErrors(student);
    const genes = await aPage(user, "Genes and proteins");
    await aDeck(user, genes, [aCard("codon", "What does a codon name?"), aCard("site")]);
    const long = await aPage(user, "Transcription, explained in a title that goes on for longer than it should");
    await aDeck(user, long, [aCard("promoter")]);
    const deleted = await aPage(user, "Old notes");
    await send(user, aChange("page_update", deleted, { archived: true }));
    await aPage(user, "");
    await student.open(path);
    await student.waitForText(words);
    await expectNoFaults(student, name, errors);
    if (path === "/home") {
      await student.press("button", "Expand sidebar");
      await student.waitForText("Genes and proteins");
      await expectNoFaults(student, "home-sidebar", errors);
      expect(await student.page.evaluate(findSidebarFaults)).toEqual([]);
      await student.page.setViewport({ width: 360, height: 740 });
      await student.press("button", "Open menu");
      expect(await student.checkScreen("home-drawer")).toEqual([]);
    }
    if (path === "/content/all") {
      await student.press("button", "More actions for Genes and proteins");
      expect(await student.checkScreen("content-menu")).toEqual([]);
    }
    await student.close();
  });
});

/** Runs in the browser: the links and buttons of the bar at the bottom that a finger would miss. */
const findSmallTargets = () =>
  [...document.querySelectorAll<HTMLElement>(".phone-bar :is(a, button)")].flatMap((target) => {
    const { width, height, bottom } = target.getBoundingClientRect();
    return width < 44 || height < 44 || bottom > innerHeight ? [target.innerText] : [];
  });

test("on a phone a bar leads to the main places, and makes room while something is typed", async () => {
  const { student, user } = await registerStudent(browser, server.origin, { name: "Ada Lovelace" });
  const errors = collectErrors(student);
  const pageId = await aPage(user, "Genes and proteins");
  await aDeck(user, pageId, [aCard("codon"), aCard("site")]);
  const { page } = student;
  await page.setViewport({ width: 360, height: 740, hasTouch: true, isMobile: true });
  await student.open("/home");
  await page.waitForSelector(".phone-bar-due");
  expect(await page.evaluate(findSmallTargets)).toEqual([]);
  await student.press("link", "Tutor");
  await page.waitForSelector('.phone-bar [href="/chat"][aria-current="page"]');
  expect(await page.$$(".phone-bar [aria-current]")).toHaveLength(1);
  await page.waitForSelector(".composer");
  const fieldEnd = () => page.$eval(".composer", (field) => field.getBoundingClientRect().bottom);
  expect(await fieldEnd()).toBeLessThan(740 - 56);
  await page.tap(".composer textarea");
  await page.waitForSelector(".phone-bar", { hidden: true });
  expect(await fieldEnd()).toBeGreaterThan(740 - 56);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.waitForSelector(".phone-bar", { visible: true });
  await student.press("button", "Open menu");
  await page.waitForSelector("dialog[open]");
  await student.press("link", "Podcasts");
  await student.waitForText("No podcasts yet");
  await expectNoFaults(student, "phone-bar", errors);
  await student.close();
});

const folderItem = (item_id: string, item_type: "page" | "folder") => ({ item_id, item_type, created_at: 1 });

test("folders and the folder picker pass axe, wide and narrow, light and dark", async () => {
  const { student, user } = await registerStudent(browser, server.origin, { name: "Ada Lovelace" });
  const errors = collectErrors(student);
  const pages = [await aPage(user, "Cells"), await aPage(user, "Genes and proteins")];
  const [inner, folder] = [ulid(), ulid()];
  await send(
    user,
    aChange("folder_create", inner, { title: "Laboratory", color: "PURPLE", createdAt: 1 }),
    aChange("folder_create", folder, { title: "Biology", color: "GREEN", createdAt: 1 }),
    aChange("folder_update", folder, {
      items: [...pages.map((page) => folderItem(page, "page")), folderItem(inner, "folder")],
    }),
  );
  await user.client.library.addFavorite({ itemId: pages[0] ?? "", itemType: "page" });
  await user.client.user.savePreferences({ sidebar: { minimized: false } });
  await student.open(`/folder/${folder}`);
  await student.waitForText("Laboratory");
  await expectNoFaults(student, "folder", errors);
  await student.open(`/folder/${inner}`);
  await student.waitForText("This folder is empty");
  await expectNoFaults(student, "folder-empty", errors);
  await student.open("/content/all");
  await student.waitForText("Genes and proteins");
  await student.press("checkbox", "Select Cells");
  await student.press("button", "Add to folder");
  await student.waitForText("Choose a folder");
  expect(await student.checkScreen("folder-picker")).toEqual([]);
  await student.close();
});

test("a page with code, an equation and a deck passes axe, and its print has every card but no controls", async () => {
  const { student, user } = await registerStudent(browser, server.origin, { name: "Ada Lovelace" });
  const errors = collectErrors(student);
  const pageId = await aPage(user, "Enzyme kinetics");
  const base = { pageId, createdAt: 1, modifiedAt: 1, createdBy: "", lastOpenedAt: null, version: 1 };
  const put = (type: "code_block" | "equation", content: object) => {
    const id = ulid();
    const component = { ...base, _id: id, type, content } as Component;
    return send(user, aChange("component_create", id, { component, parentId: pageId }));
  };
  await aText(user, pageId, "The rate of a reaction that an enzyme speeds up, by Michaelis and Menten:");
  await put("equation", { latex: String.raw`v = \frac{V_{\max} [S]}{K_m + [S]}` });
  await put("code_block", { language: "python", code: "def rate(s, v_max, k_m):\n    return v_max * s / (k_m + s)" });
  await aDeck(user, pageId, [
    aCard("codon", "What does a codon name?"),
    ...Array.from({ length: 19 }, (_, i) => aCard(`site ${i + 2}`)),
  ]);
  await student.open(`/page/${pageId}`);
  await student.waitForText("def rate");
  await student.page.waitForSelector(".katex-html");
  await student.page.waitForSelector(".hljs-keyword");
  await expectNoFaults(student, "page-blocks", errors);
  const paper = await student.page.pdf({ format: "A4" });
  const shots = process.env["SCREENSHOTS"];
  if (shots) await writeFile(join(shots, "page-blocks.pdf"), paper);
  const words = await readPrinted(paper);
  expect(words).toContain("What does a codon name?");
  expect(words).toContain("def rate(s, v_max, k_m)");
  // A long deck is collapsed on the screen and complete in print.
  expect(words).toContain("the answer to site 20");
  expect(words).not.toContain("Open tutor");
  expect(words).not.toContain("Python");
  expect(words).not.toContain("Saved");
  await student.close();
});

test("the search opens over a screen, and a found passage is highlighted on its page", async () => {
  const { student, user } = await registerStudent(browser, server.origin, { name: "Ada Lovelace" });
  const errors = collectErrors(student);
  const pageId = await aPage(user, "Osmosis and diffusion");
  await aText(user, pageId, "Osmosis is the movement of water across a membrane that lets water pass and little else.");
  await student.open("/home");
  await student.waitForText("Osmosis and diffusion");
  await student.page.waitForNetworkIdle();
  await student.page.keyboard.down("Control");
  await student.page.keyboard.press("k");
  await student.page.keyboard.up("Control");
  await student.page.waitForSelector("dialog[open] [role=combobox]:focus");
  await student.page.keyboard.type("osmosis");
  await student.waitForText("that lets water pass");
  await expectNoFaults(student, "search", errors);
  await student.page.keyboard.press("ArrowDown");
  await student.page.keyboard.press("Enter");
  await student.page.waitForFunction(() => location.search.includes("quote="));
  await student.waitForText("little else");
  await student.page.waitForFunction(() =>
    [...CSS.highlights.values()].some((lit) => [...lit].some((range) => !range.collapsed)),
  );
  await expectNoFaults(student, "page-cited", errors);
  await student.close();
});

/** Delays every script, as a slow connection does, until the function it resolves to is called. */
async function holdScripts({ page }: Student): Promise<() => Promise<void>> {
  const queue: HTTPRequest[] = [];
  let isDelayed = true;
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (isDelayed && request.resourceType() === "script") queue.push(request);
    else void request.continue();
  });
  return async () => {
    isDelayed = false;
    for (const request of queue) await request.continue();
    await page.waitForSelector("#early", { hidden: true });
  };
}

test("a form that was submitted before the app has loaded is submitted by the app", async () => {
  const student = await openStudent(browser, server.origin);
  const release = await holdScripts(student);
  await student.page.goto(`${server.origin}/login?from=%2Fsettings`, { waitUntil: "domcontentloaded" });
  await student.page.type("#early [name=email]", "nobody@example.org");
  await student.page.type("#early [name=password]", PASSWORD);
  await student.press("button", "Sign in");
  // The link to the other form keeps the address to return to.
  await student.page.waitForSelector(".centered-aside a[href$='/register?from=%2Fsettings']");
  await release();
  await student.waitForText("Wrong email or password.");
  expect(await student.page.$$eval("input", (fields) => fields.map(({ value }) => value))).toEqual([
    "nobody@example.org",
    PASSWORD,
  ]);
  expect(await student.checkScreen("login-refused")).toEqual([]);
  await student.close();
});

test("a prerendered form in another language than the app's is replaced by the app's form", async () => {
  const student = await openStudent(browser, server.origin);
  await student.open("/login?lang=de");
  await student.waitForText("Willkommen zurück");
  // The choice made in the app outranks that of the address.
  await student.page.evaluate(() => localStorage.setItem("lamplight_language", "en"));
  await student.open("/login?lang=de");
  await student.waitForText("Welcome back");
  await student.close();
});

test("the query parameter ref is stored in the browser as referral_code", async () => {
  const student = await openStudent(browser, server.origin);
  await student.open("/?ref=FRIEND");
  expect(await student.page.evaluate(() => localStorage.getItem("referral_code"))).toBe("FRIEND");
  await student.close();
});

test("the theme is set before the first paint, and a signed-in visitor of / never sees the landing page", async () => {
  const { student } = await registerStudent(browser, server.origin);
  await student.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await student.page.evaluateOnNewDocument(() => {
    document.addEventListener("DOMContentLoaded", () => {
      document.documentElement.dataset["seenAtParse"] = document.documentElement.dataset["theme"] ?? "none";
    });
  });
  await student.open("/");
  await student.waitForText("Start with a page");
  expect(new URL(student.page.url()).pathname).toBe("/home");
  expect(await student.page.evaluate(() => document.documentElement.dataset["seenAtParse"])).toBe("dark");
  await student.close();
});
