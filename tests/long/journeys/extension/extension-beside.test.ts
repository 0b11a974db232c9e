import type { Page } from "puppeteer";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLamplight, connectExtension } from "#tests/kit/browser/extension.ts";
import { openPageWithPanel, type PageWithPanel } from "#tests/kit/browser/extension-panel.ts";
import { type ModelServer, startModelServer } from "#tests/kit/servers/model-server.ts";
import { serveSites, type Site } from "#tests/kit/servers/named-sites.ts";
import { checkScreen } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { youtubeSite } from "#tests/kit/servers/youtube-site.ts";

const slides = new Uint8Array(
  await tinyPdf([
    ["Photosynthesis is the process by which plants convert light energy into chemical energy."],
    ["Chlorophyll is the green pigment that absorbs light in the leaves of plants."],
    ["The Calvin cycle is a series of reactions that builds sugar from carbon dioxide."],
  ]).arrayBuffer(),
);
const CELL = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="320"><rect width="480" height="320" fill="#e8f1ea"/>
<ellipse cx="240" cy="160" rx="210" ry="135" fill="#b9dcc0" stroke="#3f7a4c" stroke-width="6"/><circle cx="240" cy="160" r="62" fill="#7a5ea8"/></svg>`;
const picture = await sharp(Buffer.from(CELL)).png().toBuffer();

const PDF = "https://courses.example.edu/slides.pdf";
const FILM = "https://www.youtube.com/watch?v=PLANTS_0001";
const LESSON = "https://courses.example.edu/lesson";

/** Requests for the paper; at the second one the site asks for a sign-in. */
let paperRequests = 0;

const courses: Site = ({ url }) => {
  if (url.pathname === "/paper.pdf") {
    paperRequests += 1;
    return paperRequests === 2
      ? { body: "<!doctype html><title>Sign in</title>" }
      : { type: "application/pdf", body: slides };
  }
  if (url.pathname === "/slides.pdf") return { type: "application/pdf", body: slides };
  if (url.pathname === "/cell.png") return { type: "image/png", body: picture };
  if (url.pathname === "/lesson")
    return {
      body: '<!doctype html><html lang="en"><title>Cells</title><h1>Cells</h1><img src="/cell.png" alt="A cell"></html>',
    };
  return undefined;
};

const tracks = [
  { language: "en", name: "English" },
  { language: "de", name: "Deutsch" },
];

/** A model's answer in its own words, with a citation of the passage that contains the quote. */
const answerWithCitation = (prompt: string) => {
  const line = /"id":"(P\d+)"[^\n]*absorbs light in the leaves/.exec(prompt);
  return line ? `It catches light [${line[1]}: "absorbs light in the leaves"]. ` : "I do not find it there.";
};

let sites: Awaited<ReturnType<typeof serveSites>>;
let model: ModelServer;
let setup: PageWithPanel;
let extended: PageWithPanel["extended"];
let lamplight: PageWithPanel["lamplight"];
let tab: Page;
let panel: Page;
let driver: PageWithPanel["driver"];

beforeAll(async () => {
  sites = await serveSites({
    "courses.example.edu": courses,
    "www.youtube.com": youtubeSite({ PLANTS_0001: { title: "Plants", at: 94, tracks } }),
  });
  model = await startModelServer({
    say: (prompt) => (prompt.includes("END OF PASSAGES") ? answerWithCitation(prompt) : "Light"),
  });
  const env = { YOUTUBE_BASE_URL: "http://127.0.0.1:9" };
  setup = await openPageWithPanel(LESSON, { browser: { args: sites.args }, env });
  ({ extended, lamplight, page: tab, panel, driver } = setup);
});
afterAll(async () => {
  await setup.close();
  await model.close();
  sites.close();
});

async function ask(question: string): Promise<string> {
  await panel.locator('::-p-aria([name="Ask about this page"])').fill(question);
  await driver.press("Ask");
  await panel.locator(".tutor-answer .cite-badge").wait();
  await panel.waitForFunction(() => !/Searching the page|Reading the page/.test(document.body.innerText), {
    polling: 100,
  });
  return panel.$eval(".tutor-answer", (answer) => answer.textContent);
}

const pressBadge = () =>
  panel.evaluate(() => document.querySelector<HTMLElement>(".tutor-answer .cite-badge")?.click());

/** Presses the first citation, and reads the page of the document that it opens. */
async function openCited(): Promise<{ address: string; text: string }> {
  const opening = extended.browser.waitForTarget((target) => /\/pdf\/[^/]+\?page=/.test(target.url()));
  await pressBadge();
  const viewer = await (await opening).page();
  if (!viewer) throw new Error("No viewer was opened");
  await viewer.locator(".pdf-lit").wait();
  const text = await viewer.evaluate(() => document.body.innerText);
  const address = viewer.url();
  await viewer.close();
  return { address, text };
}

const videoTime = () => tab.evaluate(() => document.querySelector("video")?.currentTime);

test("the tutor beside a PDF cites its pages, and clicking one opens the page with the words highlighted", async () => {
  tab = await driver.visit(tab, PDF);
  expect(await ask("Which pigment absorbs light in the leaves?")).toContain("Chlorophyll is the green pigment");
  expect(await panel.$eval(".tutor-answer .cite-badge", (badge) => badge.textContent)).toContain("2");
  const { address, text } = await openCited();
  expect(new URL(address).searchParams.get("page")).toBe("2");
  expect(text).toContain("The quoted passage is highlighted on page 2.");
});

test("the tutor beside a video cites its seconds, and clicking one seeks the video", async () => {
  tab = await driver.visit(tab, FILM);
  expect(await videoTime()).toBe(94);
  expect(await ask("Which pigment absorbs light in the leaves?")).toContain("Chlorophyll is the green pigment");
  await pressBadge();
  await expect.poll(videoTime).toBe(66);
  expect(await checkScreen(panel, "extension-beside-video")).toEqual([]);
});

test("the caption language of a saved video can be selected in the panel, only beside the video", async () => {
  tab = await driver.visit(tab, FILM);
  await driver.press("Save video");
  expect(await driver.latest("Plants")).toContain("Video · saved");
  const choice = 'select:has(option[value="de"])';
  await panel.waitForSelector(choice);
  expect(await panel.$eval(choice, (select) => select.value)).toBe("en");
  await panel.select(choice, "de");
  const { captures } = await lamplight.client.capture.listCaptures({});
  const id = captures.find(({ kind }) => kind === "video")?.componentId ?? "";
  const german = async () =>
    (await lamplight.client.video.getTranscript({ id, language: "de" })).transcript.segments[1]?.text;
  await expect.poll(() => german().catch(() => "")).toContain("(de) Photosynthesis");
  expect(await driver.latest("Plants")).toContain("Video · saved");
  tab = await driver.visit(tab, LESSON);
  await panel.select(choice, "en");
  await driver.waitForText("Switch to the video's tab");
});

test("a picture captured with a hidden part can be studied in the panel by keyboard", async () => {
  tab = await driver.visit(tab, LESSON);
  await driver.chooseMenu({ menuItemId: "image", srcUrl: "https://courses.example.edu/cell.png" });
  await driver.press("Add part");
  await panel.locator('::-p-aria([name="Label of part 1"])').fill("The nucleus");
  await driver.press("Make 1 card");
  expect(await driver.latest("A cell")).toContain("Picture · saved");
  await panel.waitForSelector('button[aria-label="Study A cell"]');
  await panel.focus('button[aria-label="Study A cell"]');
  await panel.keyboard.press("Enter");
  await panel.waitForSelector('.study-card .hidden-part[data-state="asked"]');
  // The picture under the cover is loaded.
  await panel.waitForFunction(
    () => document.querySelector<HTMLImageElement>(".hidden-picture img")?.naturalWidth === 480,
  );
  expect(await driver.readPanel()).not.toContain("The nucleus");
  expect(await checkScreen(panel, "extension-beside-hidden")).toEqual([]);
  await panel.keyboard.press("Enter");
  await panel.waitForSelector('.study-card .hidden-part[data-state="shown"]');
  await driver.waitForText("The nucleus");
  await panel.keyboard.press("4");
  await driver.waitForText("1 card answered.");
  await panel.keyboard.press("Escape");
});

/**
 * Sets how the browser answers a permission request, because a test cannot press the browser's own prompt. If a school or
 * a company has blocked the permission by policy, the request fails without a prompt.
 */
const answerPermission = (may: boolean | "blocked") =>
  panel.evaluate((answer) => {
    const { chrome } = globalThis as unknown as { chrome: { permissions: { request: () => Promise<boolean> } } };
    chrome.permissions.request = () =>
      answer === "blocked" ? Promise.reject(new Error("Permissions are blocked by policy.")) : Promise.resolve(answer);
  }, may);

test("access to a PDF whose tab moved on is requested when needed; if refused, the PDF stays in the list with a message", async () => {
  tab = await driver.visit(tab, "https://courses.example.edu/paper.pdf");
  await driver.press("Save PDF");
  expect(await driver.latest("paper.pdf")).toContain("Sign in there, open the PDF and save it again.");
  // The access from pressing the toolbar button ends when the tab closes.
  const film = await extended.browser.newPage();
  await film.goto(FILM);
  await tab.close();
  tab = film;
  await driver.press("Send again: paper.pdf");
  await driver.waitForText("The extension may not read from this site.");
  await answerPermission(false);
  await driver.press("Allow this site: paper.pdf");
  await driver.waitForText("Access was not allowed.");
  expect(await driver.latest("paper.pdf")).toContain("not accepted");
  // Pressing the button on the site again gives access, and the refused PDF is sent.
  tab = await driver.visit(tab, "https://courses.example.edu/paper.pdf");
  await answerPermission(true);
  await driver.press("Allow this site: paper.pdf");
  await panel.waitForFunction(
    () => document.querySelector<HTMLElement>("li.capture")?.innerText.includes("PDF · saved"),
    { polling: 100 },
  );
});

test("if permission to follow tabs is refused, the panel says so, works with the toolbar button, and asks again", async () => {
  tab = await driver.visit(tab, LESSON);
  await panel.focus(".here-follow summary");
  await panel.keyboard.press("Enter");
  for (const answer of [false, "blocked"] as const) {
    await answerPermission(answer);
    await driver.press("Update as I switch tabs");
    await driver.waitForText("Your browser didn't allow it. The toolbar button still works.");
    // The permission is not half active: on a tab where the button was not pressed, the panel knows nothing.
    const other = await extended.browser.newPage();
    await other.goto(FILM);
    await driver.waitForText("Click the Lamplight button");
    await other.close();
    await answerPermission(true);
    await driver.press("Update as I switch tabs");
    await panel.waitForFunction(() => !document.body.innerText.includes("The toolbar button still works."), {
      polling: 100,
    });
  }
  await answerPermission(false);
  await driver.press("Update as I switch tabs");
  await driver.waitForText("The toolbar button still works.");
  expect(await checkScreen(panel, "extension-beside-refused")).toEqual([]);
  // With the button everything works as before.
  tab = await driver.visit(tab, LESSON);
  await driver.press("Save page as note");
  expect(await driver.latest("Cells")).toContain("Note · saved");
});

test("with a language model the tutor cites each statement beside PDF and video, and the citations open their position", async () => {
  const withModel = await startLamplight(extended.browser, {
    AI_BASE_URL: model.baseUrl,
    AI_MODEL: "test-model",
    YOUTUBE_BASE_URL: "http://127.0.0.1:9",
  });
  try {
    await connectExtension(extended, panel, withModel.server.origin);
    tab = await driver.visit(tab, PDF);
    expect(await ask("Which pigment absorbs light in the leaves?")).toContain("It catches light");
    expect(new URL((await openCited()).address).searchParams.get("page")).toBe("2");
    tab = await driver.visit(tab, FILM);
    expect(await ask("Which pigment absorbs light in the leaves?")).toContain("It catches light");
    await pressBadge();
    await expect.poll(videoTime).toBe(66);
    const before = await panel.$$eval(".tutor-answer", (all) => all.length);
    await driver.press("Translate");
    await driver.waitForText("Translate this page into");
    await panel.waitForFunction(
      (count) => document.querySelectorAll(".tutor-answer").length > count,
      { polling: 100 },
      before,
    );
  } finally {
    await withModel.close();
  }
});
