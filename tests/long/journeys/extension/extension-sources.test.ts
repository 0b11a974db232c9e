import type { Page } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveSites, type Site } from "#tests/kit/servers/named-sites.ts";
import { checkScreen, takePicture } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { type WatchedVideo, youtubeSite } from "#tests/kit/servers/youtube-site.ts";
import { openPageWithPanel, type PageWithPanel } from "#tests/kit/browser/extension-panel.ts";

const FACTS = [
  ["Photosynthesis is the process by which plants convert light energy into chemical energy."],
  ["Chlorophyll is the green pigment that absorbs light in the leaves of plants."],
  ["The Calvin cycle is a series of reactions that builds sugar from carbon dioxide."],
];
const slides = new Uint8Array(await tinyPdf(FACTS).arrayBuffer());
/** A file that needs more than one piece of an upload. */
const large = Buffer.concat([slides, Buffer.alloc(5 * 1024 * 1024, "% padding\n")]);

const PDF = "application/pdf";
let wasOnceServed = false;
/** The size of screenshots in the stores. */
const STORE = { width: 1280, height: 800 };
/** A course website whose files require a sign-in. */
const courses: Site = ({ url, cookies }) => {
  if (url.pathname === "/login")
    return { body: "<title>Hello</title>", headers: { "set-cookie": "seat=12; SameSite=Strict; Secure; HttpOnly" } };
  if (url.pathname === "/slides.pdf")
    return cookies.includes("seat=12")
      ? { type: PDF, body: slides }
      : { body: "<!doctype html><title>Sign in</title>" };
  if (url.pathname === "/large.pdf") return { type: PDF, body: large };
  if (url.pathname === "/ticket") {
    const isFirst = !wasOnceServed;
    wasOnceServed = true;
    return isFirst ? { type: PDF, body: slides, headers: { "cache-control": "no-store" } } : { status: 410 };
  }
  return undefined;
};

const VTT = `WEBVTT

00:00:01.000 --> 00:00:05.000
A codon is a sequence of three nucleotides.

00:00:06.000 --> 00:00:09.000
<v Anna>The ribosome reads it.</v>
`;
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const LESSON = `<!doctype html><html lang="en"><head><title>Cells</title></head><body><main><h1>Cells</h1>
<p id="one">A codon is a sequence of three nucleotides that corresponds to a specific amino acid.</p>
<p>Osmosis is the movement of water through a membrane.</p><p id="two"><math alttext="\\Pi = iMRT"><mi>Π</mi></math></p>
<img src="/cell.png" alt="A cell" style="width:300px;height:200px;background:teal">
<a href="/later?utm_source=mail">To the next lesson</a></main></body></html>`;
const lessons: Site = ({ url }) => {
  if (url.pathname === "/lesson") return { body: LESSON };
  if (url.pathname === "/cell.png") return { type: "image/png", body: PICTURE };
  if (url.pathname === "/said.vtt") return { type: "text/vtt", body: VTT };
  if (url.pathname === "/film")
    return {
      body: `<!doctype html><title>Codons</title><video src="/codons.mp4" style="width:400px;height:300px"><track kind="captions" srclang="en" label="English" src="/said.vtt"></video>`,
    };
  return undefined;
};

const chapters = [
  { title: "Sugar", startMs: 0 },
  { title: "Leaves", startMs: 60_000 },
];
const videos = {
  PLANTS_0001: {
    title: "Plants",
    at: 94,
    chapters,
    tracks: [
      { language: "en", name: "English" },
      { language: "de", name: "Deutsch" },
    ],
  },
  SPA_0000001: { openedWith: "PLANTS_0001" },
  PANEL_00001: { captions: "empty", api: "bot_check", panel: "classic" },
  PANEL_00002: { captions: "html", api: "forbidden", panel: "modern" },
  API_0000001: { hasProof: false },
  NOCAPS_0001: { tracks: [] },
  LIVE_000001: { isLive: true },
  AGE_0000001: { status: { status: "LOGIN_REQUIRED", reason: "This video may be inappropriate for some users." } },
  GONE_000001: { status: { status: "ERROR", reason: "This video is unavailable" } },
  GATED_00001: { hasProof: false, api: "bot_check" },
  EMPTY_00001: { captions: "empty" },
  HTML_000001: { captions: "html" },
  CONSENT_001: { captions: "consent" },
  MANY_000001: { captions: "rate_limited" },
} satisfies Record<string, WatchedVideo>;

/** The parts of the extension's `chrome` that this test uses. */
interface Chrome {
  commands: { getAll(): Promise<{ name: string; shortcut: string }[]> };
}

let sites: Awaited<ReturnType<typeof serveSites>>;
let setup: PageWithPanel;
let extended: PageWithPanel["extended"];
let lamplight: PageWithPanel["lamplight"];
let tab: Page;
let panel: Page;
let driver: PageWithPanel["driver"];

beforeAll(async () => {
  sites = await serveSites({
    "courses.example.edu": courses,
    "lessons.example.org": lessons,
    "www.youtube.com": youtubeSite(videos),
  });
  const env = { YOUTUBE_BASE_URL: "http://127.0.0.1:9" };
  setup = await openPageWithPanel("https://courses.example.edu/login", { browser: { args: sites.args }, env });
  ({ extended, lamplight, page: tab, panel, driver } = setup);
  await tab.setViewport(STORE);
});
afterAll(async () => {
  await setup.close();
  sites.close();
});

async function visit(address: string): Promise<void> {
  tab = await driver.visit(tab, address);
}

const capturesOf = async (kind: string) =>
  (await lamplight.client.capture.listCaptures({})).captures.filter((capture) => capture.kind === kind);

async function cardsOn(pageId: string) {
  const { components } = await lamplight.client.pages.getPage({ id: pageId });
  const deck = components.find(({ type }) => type === "flash_cards");
  return deck?.type === "flash_cards" ? deck.content.cards : [];
}

test("a PDF behind a sign-in is saved with the tab's session, and opens at the page being read", async () => {
  await visit("https://courses.example.edu/slides.pdf#page=3");
  await driver.press("Save PDF");
  expect(await driver.latest("slides.pdf")).toContain("PDF · saved");
  const [record] = await capturesOf("pdf");
  expect(record).toMatchObject({ address: "https://courses.example.edu/slides.pdf", locator: { page: 3 } });
  const stored = await lamplight.client.pdf.getPdfData({ componentId: record?.componentId ?? "" });
  expect(new Uint8Array(await stored.arrayBuffer())).toEqual(slides);
  const opened = extended.browser.waitForTarget((target) =>
    target.url().includes(`/pdf/${record?.componentId}?page=3`),
  );
  await driver.press("Open slides.pdf in Lamplight");
  const viewer = await (await opened).page();
  await viewer?.waitForFunction(() => document.title.includes("slides"));
  await viewer?.close();
});

test("cards are made from selected pages of a PDF", async () => {
  await visit("https://courses.example.edu/slides.pdf");
  await driver.choose("Make cards from this PDF");
  await panel.locator('::-p-aria([name="Pages"])').fill("2-3");
  await driver.press("Make cards");
  await driver.waitForText("Lamplight is making cards from it.");
  const [record] = await capturesOf("pdf");
  await expect.poll(async () => (await cardsOn(record?.pageId ?? "")).length).toBeGreaterThan(0);
  const pages = (await cardsOn(record?.pageId ?? "")).map(({ citation }) => citation?.split(":")[2]);
  expect(pages.every((page) => page === "2" || page === "3")).toBe(true);
});

test("selected words of a PDF lead to their page", async () => {
  await visit("https://courses.example.edu/slides.pdf");
  await driver.chooseMenu({ menuItemId: "page", selectionText: "absorbs light in the leaves" });
  await driver.latest("slides.pdf");
  await expect.poll(async () => (await capturesOf("pdf")).map(({ locator }) => locator?.page)).toContain(2);
});

test("a site that sends something other than the PDF is detected", async () => {
  await visit("https://courses.example.edu/ticket");
  await driver.press("Save page as note");
  expect(await driver.latest("ticket")).toContain("The site sends this PDF only once");
});

test("captures made while the server is down survive the end of the service worker, and arrive once", async () => {
  await lamplight.server.stop();
  await visit("https://lessons.example.org/lesson");
  await driver.choose("Make cards from the whole page");
  await driver.waitForText("Note · waiting for the server");
  await visit("https://courses.example.edu/large.pdf");
  await driver.press("Save PDF");
  // The capture is on disk once the panel lists it.
  await driver.waitForText("PDF · ");
  await driver.endWorker();
  await driver.waitForText("PDF · waiting for the server");
  await lamplight.server.start();
  expect(await driver.latest("large.pdf")).toContain("PDF · saved");
  const { content } = await lamplight.client.pages.getContent({});
  expect(content.components.filter(({ title }) => title.includes("large"))).toHaveLength(1);
  await driver.waitForText("Cards made: ");
  await expect.poll(async () => (await capturesOf("note")).length).toBe(1);
  const [note] = await capturesOf("note");
  // Each card of the page has its quote, and was made without a server.
  expect((await cardsOn(note?.pageId ?? "")).map(({ citation }) => citation)).toContainEqual(
    expect.stringMatching(/^web_citation:lessons\.example\.org\/lesson:A%20codon%20is/),
  );
});

test("a video is saved with its captions in the player's language and its chapters", async () => {
  await visit("https://www.youtube.com/watch?v=PLANTS_0001&t=94s");
  await driver.press("Save video");
  expect(await driver.latest("Plants")).toContain("Video · saved");
  const [record] = await capturesOf("video");
  expect(record).toMatchObject({
    address: "https://www.youtube.com/watch?v=PLANTS_0001",
    title: "Plants",
    author: "A. Teacher",
    locator: { startMs: 94_000 },
  });
  const id = record?.componentId ?? "";
  const { transcript } = await lamplight.client.video.getTranscript({ id });
  expect(transcript).toMatchObject({ language: "en", source: "client", isGenerated: false });
  expect(transcript.segments).toHaveLength(6);
  expect(transcript.segments[4]).toEqual({
    startMs: 74_000,
    endMs: 80_000,
    text: "It's found in the thylakoid & nowhere else.",
  });
  expect((await lamplight.client.video.getVideo({ id })).chapters).toEqual(
    chapters.map(({ startMs, title }) => ({ startMs, title })),
  );
});

test("a card of the last half minute has its time range in the video", async () => {
  await visit("https://www.youtube.com/watch?v=PLANTS_0001");
  await driver.pressKeys("capture-clip");
  await driver.waitForText("1:04 to 1:34 of the video.");
  await panel.focus("textarea");
  await panel.keyboard.press("Enter");
  await expect.poll(async () => (await capturesOf("card")).length).toBe(1);
  const [video] = await capturesOf("video");
  const [card] = await cardsOn(video?.pageId ?? "");
  expect(card?.citation).toMatch(new RegExp(`^video_citation:${video?.componentId}:64000-94000:Chlorophyll`));
});

test("cards are made from a whole video", async () => {
  await visit("https://www.youtube.com/watch?v=PLANTS_0001");
  await driver.choose("Make cards from this video");
  await driver.waitForText("Lamplight is making cards from it.");
  const [video] = await capturesOf("video");
  await expect.poll(async () => (await cardsOn(video?.pageId ?? "")).length).toBeGreaterThan(1);
});

test.each([
  ["the old transcript below the video", "PANEL_00001"],
  ["the new transcript below the video", "PANEL_00002"],
  ["the API of YouTube's own app", "API_0000001"],
  ["the player, after in-page navigation", "SPA_0000001"],
])("falls back to another way if captions can't be loaded in one: %s", async (_, id) => {
  await visit(`https://www.youtube.com/watch?v=${id}`);
  await driver.press("Save video");
  expect(await driver.latest(`Lecture ${id}`)).toContain("Video · saved");
  const record = (await capturesOf("video")).find(({ address }) => address.includes(id));
  const { transcript } = await lamplight.client.video.getTranscript({ id: record?.componentId ?? "" });
  expect(transcript.segments.map(({ text }) => text)).toContain("convert light energy into chemical energy.");
});

test.each([
  ["NOCAPS_0001", "This video has no captions"],
  ["LIVE_000001", "This is a live stream"],
  ["AGE_0000001", "This video is age-restricted"],
  ["GONE_000001", "This video is unavailable"],
  ["GATED_00001", "The site sent empty captions"],
  ["EMPTY_00001", "The site sent empty captions"],
  ["HTML_000001", "The site sent empty captions"],
  ["CONSENT_001", "YouTube asked for cookie consent"],
  ["MANY_000001", "YouTube received too many requests"],
])("a video without available captions is saved with the reason: %s", async (id, reason) => {
  await visit(`https://www.youtube.com/watch?v=${id}`);
  await driver.press("Save video");
  const shown = await driver.latest(`Lecture ${id}`);
  expect(shown).toContain("Video · saved");
  expect(shown).toContain(reason);
});

test("a video of any other site is saved with the caption track of its page", async () => {
  await visit("https://lessons.example.org/film");
  await driver.choose("Make a card from the last 30 seconds");
  await driver.waitForText("0:00 to 0:00 of the video.");
  await driver.press("Discard");
  await driver.chooseMenu({ menuItemId: "video" });
  expect(await driver.latest("Codons")).toContain("Video · saved");
  const record = (await capturesOf("video")).find(({ title }) => title === "Codons");
  const { transcript } = await lamplight.client.video.getTranscript({ id: record?.componentId ?? "" });
  expect(transcript.segments).toEqual([
    { startMs: 1000, endMs: 5000, text: "A codon is a sequence of three nucleotides." },
    { startMs: 6000, endMs: 9000, text: "The ribosome reads it." },
  ]);
});

test("several selections become cards through the page's toolbar, and formulas are preserved", async () => {
  await visit("https://lessons.example.org/lesson");
  const before = await tab.evaluate(() => document.documentElement.outerHTML);
  expect(before).not.toContain("lamplight");
  await driver.chooseMenu({ menuItemId: "bar" });
  await tab.waitForSelector("lamplight-host");
  for (const id of ["#one", "#two"]) {
    await tab.evaluate((chosen) => getSelection()?.selectAllChildren(document.querySelector(chosen) ?? document), id);
    await tab.keyboard.press("Enter");
    await panel.waitForFunction(
      (count) => document.querySelectorAll("form.draft").length === count,
      { polling: 100 },
      id === "#one" ? 1 : 2,
    );
  }
  const answers = await panel.$$eval("form.draft textarea", (fields) => fields.map(({ value }) => value).join("\n"));
  expect(answers).toContain("codon");
  expect(answers).toContain("$\\Pi = iMRT$");
  // The page cannot click for the student: the toolbar is in a closed shadow root.
  expect(await tab.evaluate(() => document.querySelector("lamplight-host")?.shadowRoot)).toBeNull();
  await takePicture(tab, "extension-bar");
  await tab.keyboard.press("Escape");
  expect(await tab.$("lamplight-host")).toBeNull();
});

test("the hidden parts of a captured picture can be studied", async () => {
  await visit("https://lessons.example.org/lesson");
  await driver.chooseMenu({ menuItemId: "image", srcUrl: "https://lessons.example.org/cell.png" });
  await driver.press("Add part");
  await panel.locator('::-p-aria([name="Label of part 1"])').fill("The nucleus");
  await driver.press("Make 1 card");
  expect(await driver.latest("A cell")).toContain("Picture · saved");
  const [record] = await capturesOf("image");
  const card = (await cardsOn(record?.pageId ?? "")).find(({ kind }) => kind === "occlusion");
  expect(card).toMatchObject({ answer: "The nucleus", occlusion: { regions: [{ label: "The nucleus" }] } });
  const file = await lamplight.client.uploads.getFile({ fileId: card?.questionImage?.split("/").at(-1) ?? "" });
  expect(Buffer.from(await file.arrayBuffer())).toEqual(PICTURE);
});

test("an area of the screen can be selected by keyboard, and is captured without the selection overlay", async () => {
  await visit("https://lessons.example.org/lesson");
  await driver.chooseMenu({ menuItemId: "region" });
  await tab.waitForSelector("lamplight-host");
  await takePicture(tab, "extension-region");
  await tab.keyboard.press("ArrowUp");
  await tab.keyboard.press("Enter");
  const size = await panel.waitForFunction(
    () => document.querySelector<HTMLImageElement>("form.draft .hide-stage img")?.naturalWidth,
    { polling: 100 },
  );
  expect(await size.jsonValue()).toBeGreaterThan(300);
});

test("a link is saved to a folder for later", async () => {
  await visit("https://lessons.example.org/lesson");
  const linkUrl = "https://lessons.example.org/later?utm_source=mail";
  await driver.chooseMenu({ menuItemId: "link", linkUrl, selectionText: "To the next lesson" });
  await driver.latest("To the next lesson");
  const [record] = await capturesOf("link");
  expect(record?.address).toBe("https://lessons.example.org/later");
  const { folders } = await lamplight.client.library.listFolders({});
  const later = folders.find(({ title }) => title === "Read later");
  expect(later?.items.map(({ item_id: id }) => id)).toEqual([record?.pageId]);
});

test("every keyboard shortcut of the extension is set in this browser", async () => {
  const keys = await driver.inWorker(() => (globalThis as unknown as { chrome: Chrome }).chrome.commands.getAll());
  const own = keys.filter(({ name }) => !name.startsWith("_"));
  expect(own.map(({ name, shortcut }) => [name, shortcut !== ""])).toEqual([
    ["capture-card", true],
    ["capture-clip", true],
    ["capture-page", true],
    ["open-panel", true],
  ]);
});

test("the panel with a picture and waiting cards is accessible, wide and narrow, light and dark", async () => {
  const page = await extended.openPage("sidepanel");
  await page.bringToFront();
  await page.locator("form.draft .hide-stage img").wait();
  await page.setViewport(STORE);
  await takePicture(page, "extension-panel");
  expect(await checkScreen(page, "extension-sources")).toEqual([]);
  await page.close();
});
