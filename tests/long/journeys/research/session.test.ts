import { expect, test } from "vitest";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { startSearchServers } from "#tests/kit/servers/search-services.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { allowServiceWorkers, openTab } from "#tests/kit/student.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { readNotifications } from "#tests/kit/browser/notifications.ts";
import { printSession, saveSession, shareSession } from "./export-and-share.ts";
import { LATER_QUESTION, PAGES, PLANNED, answerAboutTides } from "./with-model.ts";

allowServiceWorkers();

const { browser, server } = await startBrowserAndServer({ DEFAULT_PLAN: "ULTIMATE", RESEARCH_SOURCES: "library" });

/** Runs in the browser: whether the service worker has cached every file and controls this page. */
const isCached = async () => {
  await navigator.serviceWorker.ready;
  return navigator.serviceWorker.controller !== null;
};

const SIDE = "The ribosome of a bacterium contains about 70 proteins in its two subunits.";
const FACTS = [
  "The ribosome reads messenger RNA one codon at a time.",
  "Ribosomes make proteins by joining amino acids into a chain.",
  "A ribosome consists of two subunits, a small one and a large one.",
  "The ribosome of a bacterium contains about 55 proteins in its two subunits.",
];

const CONTENT = {
  title: "Protein factories",
  fact: "Ribosomes make proteins by joining amino acids into a chain.",
  side: SIDE,
  source: "Protein synthesis",
  notes: "Ask about transfer RNA.",
  addition: "My own addition.",
};

test("a student researches a question in the library, checks a sentence, asks again, exports, prints and shares the result, and finds it offline", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  try {
    const pageId = await aPage(user, "Protein synthesis");
    for (const fact of FACTS) await aText(user, pageId, fact);
    const oldLectureId = await aPage(user, "Old lecture");
    await aText(user, oldLectureId, SIDE);
    await student.page.browserContext().overridePermissions(server.origin, ["notifications"]);

    await student.open("/research");
    await student.waitForText("No sessions yet");
    await student.page.waitForFunction(isCached, { polling: 200 });
    await student.waitForText("My library");
    expect(await student.checkScreen("research-start")).toEqual([]);
    await student.type("Your question", "ribosomes");
    await student.press("button", "Start research");
    await student.waitForText("What would you like to know about “ribosomes”?");
    await student.type("Your answer", "How do ribosomes make proteins?");
    await student.press("button", "Send");

    await student.page.waitForFunction(() => /^\/research\/\w+/.test(location.pathname));
    await student.waitForText("Ribosomes make proteins by joining amino acids into a chain.");
    expect(await student.page.$eval("h1", (heading) => heading.textContent)).toBe("How do ribosomes make proteins?");
    await student.waitForText("These two sources disagree");
    await student.waitForText("sentences checked");
    await student.waitForText("2 sources");
    expect(await student.checkScreen("research-session")).toEqual([]);
    expect(await student.page.evaluate(readNotifications)).toEqual([]);
    const wide = await student.page.waitForSelector('[aria-label="Wide result"]');
    await wide?.focus();
    await student.page.keyboard.press("Enter");
    await student.page.waitForSelector('.research[data-wide="true"]');
    expect(await student.checkScreen("research-wide")).toEqual([]);
    await wide?.click();
    await student.page.waitForSelector('.research[data-wide="false"]');

    await student.page.locator(".research-cite .cite-badge").hover();
    await student.page.waitForSelector('.research-source[data-lit="true"] .lit');
    // The dialog shows the source with the quote highlighted; closing it leaves the session unchanged.
    await student.page.locator(".research-source-title").click();
    await student.press("button", "Show what was read");
    await student.page.waitForSelector("dialog[open] .lit");
    expect(await student.checkScreen("research-snapshot")).toEqual([]);
    await student.page.keyboard.press("Escape");
    await student.page.waitForFunction(() => document.querySelector("dialog[open]") === null);
    await student.waitForText("sentences checked");
    // Text that is typed slowly is also saved before the student stops typing.
    const saved = student.page.waitForResponse(
      (response) => response.request().postData()?.includes(CONTENT.notes) === true,
    );
    await student.type("Your notes", CONTENT.notes);
    await student.page.keyboard.press("Tab");
    await saved;

    // The window counts as hidden behind other windows.
    await student.page.evaluate(() => void (document.hasFocus = () => false));
    await student.type("Add a question", "What does the ribosome read?");
    await student.press("button", "Add");
    await student.waitForText("The ribosome reads messenger RNA one codon at a time.");
    await expect
      .poll(async () => (await student.page.evaluate(readNotifications)).map(({ title, body }) => `${title}: ${body}`))
      .toEqual(["Your research is finished: How do ribosomes make proteins?"]);
    await student.page.reload();
    await student.waitForText("The ribosome reads messenger RNA one codon at a time.");
    await student.waitForText("Ribosomes make proteins by joining amino acids into a chain.");
    expect(await student.page.$eval(".research-notes textarea", (field) => field.value)).toBe(
      "Ask about transfer RNA.",
    );

    await student.page.locator(".research-cite .cite-badge").click();
    await student.page.waitForFunction(
      () => location.pathname.startsWith("/page/") && location.search.includes("quote="),
    );
    await student.open("/research");
    await student.waitForText("Your sessions");
    await student.page.locator(".research-row-title").click();
    await student.page.waitForSelector(".research-cite .cite-badge");
    await student.page.locator(".research-section-bar button:last-child").click();
    await student.page.waitForSelector(".research-editor textarea");
    await student.page.keyboard.down("Control");
    await student.page.keyboard.press("End");
    await student.page.keyboard.up("Control");
    await student.page.keyboard.type(" My own addition.");
    expect(await student.checkScreen("research-edit")).toEqual([]);
    await student.press("button", "Save");
    await student.waitForText("Your version. Not checked against the sources.");
    await student.waitForText("My own addition.");
    await student.press("button", "Show checked text");
    await student.waitForText("Hide checked text");
    expect(await student.checkScreen("research-version")).toEqual([]);
    await student.page.locator(".research-head button[aria-haspopup]").click();
    await student.press("menuitem", "Rename");
    await student.page.waitForSelector(".research-rename input");
    await student.type("Title", "Protein factories");
    await student.press("button", "Save");
    await student.page.waitForFunction(() => document.querySelector("h1")?.textContent === "Protein factories");
    await saveSession(student, CONTENT);
    await printSession(student, CONTENT);
    await shareSession(student, browser, CONTENT);

    await student.page.setOfflineMode(true);
    await student.press("link", "Research");
    await student.waitForText("These sessions are saved in this browser.");
    await student.page.locator(".research-row-title").click();
    await student.waitForText("This is the copy saved in this browser.");
    await student.waitForText("Ribosomes make proteins by joining amino acids into a chain.");
    await student.waitForText("My own addition.");
    expect(await student.page.$$('.research-follow-up, .research-section-bar [aria-label^="Edit"]')).toEqual([]);
    // After an offline reload the sidebar lists the sessions that are saved in this browser.
    await student.page.reload();
    await student.waitForText("This is the copy saved in this browser.");
    await student.open("/research");
    await student.waitForText("These sessions are saved in this browser.");
    await student.press("button", "Expand sidebar");
    await student.page.locator('.sidebar-section a[href^="/research/"]').click();
    await student.waitForText("My own addition.");
    await student.press("button", "Collapse sidebar");
    await student.page.setOfflineMode(false);
    await student.open("/home");
    await student.waitForText("Protein factories");
    expect(await student.checkScreen("research-on-home")).toEqual([]);
    await student.page.locator('.home a[href^="/research/"]').click();
    await student.press("button", "Make flashcards");
    await student.page.waitForSelector("dialog[open]");
    await student.page.goBack();
    await student.page.waitForSelector(".research-cite .cite-badge");
    await student.press("button", "Make a page");
    await student.waitForText("Page created");
    await student.page.waitForFunction(
      () => location.pathname.startsWith("/page/") && !location.search.includes("quote="),
    );
    await student.waitForText("Ribosomes make proteins by joining amino acids into a chain.");
  } finally {
    await student.close();
  }
});

test("with a model, a student sees the plan and only supported sentences, stops a run, and continues in two tabs", async () => {
  const services = await startSearchServers({ web: PAGES, silent: [["qwant", "timeout"]] });
  const model = await startModelServer({ say: answerAboutTides });
  const ai = { AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" };
  const env = { ...services.env, ...ai, RESEARCH_SOURCES: "library", DEFAULT_PLAN: "ULTIMATE" };
  const serverWithModel = await startServerProcess(env);
  const { student } = await registerStudent(browser, serverWithModel.origin);
  try {
    await student.open("/research");
    await student.waitForText("test-model writes it");
    expect(await student.checkScreen("research-model-start")).toEqual([]);
    await student.type("Your question", "How do the tides of the sea come about?");
    await student.press("button", "Start research");
    for (const planned of PLANNED) await student.waitForText(planned);
    await student.waitForText("sentences checked");
    await student.page.locator(".research-lookups summary").click();
    await student.waitForText("No answer from qwant.");
    await student.waitForText(PAGES["/moon.html"].text);
    // The model quoted this sentence wrongly at first.
    await student.waitForText(PAGES["/day.html"].text);
    await student.waitForText("left out");
    expect(await student.readScreen()).not.toContain("1492");
    expect(model.requests.some(({ prompt }) => prompt.includes('{"rejected":'))).toBe(true);
    expect(await student.checkScreen("research-model")).toEqual([]);

    const second = await openTab(student.page.browserContext(), serverWithModel.origin);
    await second.open(new URL(student.page.url()).pathname);
    await second.waitForText(PAGES["/moon.html"].text);
    await student.page.bringToFront();
    model.play("silent");
    await student.type("Add a question", "Which harbours publish tables?");
    await student.press("button", "Add");
    await second.page.bringToFront();
    await second.press("button", "Stop");
    await second.waitForText("Stopped. What was found so far is below.");
    await student.page.bringToFront();
    await student.waitForText("Stopped. What was found so far is below.");
    await student.type("Add a question", LATER_QUESTION);
    await student.press("button", "Add");
    await student.waitForText(PAGES["/low.html"].text);
    await second.page.bringToFront();
    await second.waitForText(PAGES["/low.html"].text);
    await second.waitForText(PAGES["/moon.html"].text);
  } finally {
    await student.close();
    await serverWithModel.dispose();
    await model.close();
  }
});
