import type { Page } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aRecording } from "#tests/kit/browser/recording.ts";
import { checkScreen } from "#tests/kit/student.ts";
import { aLectureSite } from "#tests/kit/browser/extension.ts";
import { checkPanel, openPageWithPanel, type PageWithPanel } from "#tests/kit/browser/extension-panel.ts";

const RIBOSOMES = `<!doctype html><html lang="en"><head><title>How ribosomes read mRNA</title><meta name="author" content="R. Franklin"></head>
<body><nav>Home Courses Contact</nav><article><h1>How ribosomes read mRNA</h1>
<p id="fact">A codon is a sequence of three nucleotides that corresponds to a specific amino acid.</p>
<p>The ribosome slides along the messenger RNA one codon at a time. The empty transfer RNA leaves the ribosome from the exit site, and the next one enters at the aminoacyl site. This goes on until a stop codon is met, and the finished chain is set free.</p>
<h2>The three sites</h2>
<ul><li>The aminoacyl site takes the next transfer RNA in.</li><li>The peptidyl site holds the growing chain.</li></ul>
<pre><code class="language-python">codons = [rna[i:i + 3] for i in range(0, len(rna), 3)]</code></pre>
<p>Each step costs the cell two molecules of guanosine triphosphate, which is why protein synthesis is among the most expensive things that a cell does at all.</p>
</article><footer>Imprint</footer></body></html>`;

const GLOSSARY = `<!doctype html><html lang="en"><title>Glossary of the cell</title><article><h1>Glossary of the cell</h1>
<p>Diffusion is the spreading of particles from where they are many to where they are few.</p>
<p id="osmosis">Osmosis is the movement of water through a membrane that lets no salt pass.</p></article></html>`;

let site: Awaited<ReturnType<typeof aLectureSite>>;
let setup: PageWithPanel;
let extended: PageWithPanel["extended"];
let lamplight: PageWithPanel["lamplight"];
let lecture: Page;
let panel: Page;
let driver: PageWithPanel["driver"];

beforeAll(async () => {
  site = await aLectureSite({ "/ribosomes": RIBOSOMES, "/glossary": GLOSSARY });
  const browser = { args: site.args };
  setup = await openPageWithPanel(`${site.origin}/ribosomes?utm_source=mail`, {
    browser,
    env: { RESEARCH_SOURCES: "library" },
  });
  ({ extended, lamplight, page: lecture, panel, driver } = setup);
  await lecture.bringToFront();
  await extended.extension.triggerAction(lecture);
});
afterAll(async () => {
  await setup.close();
  site.close();
});

/** Selects the text of an element, as a mouse would. */
const selectText = (selector: string) =>
  lecture.evaluate((chosen) => {
    const element = document.querySelector(chosen);
    if (element) getSelection()?.selectAllChildren(element);
  }, selector);

async function theDeck() {
  const { content } = await lamplight.client.pages.getContent({});
  const deck = content.components.find(({ type }) => type === "flash_cards");
  const { component } = await lamplight.client.pages.getComponent({ id: deck?._id ?? "" });
  if (component.type !== "flash_cards") throw new Error("no deck");
  return component;
}

const listCaptures = async () => (await lamplight.client.capture.listCaptures({})).captures;

test("selected words become a card that Enter saves to the library with its passage", async () => {
  await selectText("#fact");
  await driver.press("Card from selection");
  await panel.locator('::-p-aria([name="Question"])').wait();
  const question = await panel.$eval("textarea", ({ value }) => value);
  expect(question).toContain("codon");
  await panel.focus("textarea");
  await panel.keyboard.press("Enter");
  await driver.waitForText("Card · saved");
  const deck = await theDeck();
  expect(deck.content.cards).toHaveLength(1);
  expect(deck.content.cards[0]?.citation).toMatch(/^web_citation:lectures\.example\.org\/ribosomes:A%20codon%20is/);
  const { captures } = await lamplight.client.capture.listCaptures({});
  expect(captures).toEqual([
    expect.objectContaining({
      kind: "card",
      address: "http://lectures.example.org/ribosomes",
      title: "How ribosomes read mRNA",
      author: "R. Franklin",
      cardId: deck.content.cards[0]?.id,
    }),
  ]);
  expect(captures[0]?.locator?.suffix).toContain("The ribosome slides");
});

test("a saved page becomes a note with its source and only its article, and saving it again adds nothing", async () => {
  await driver.press("Save page as note");
  await driver.waitForText("Note · saved");
  const { captures } = await lamplight.client.capture.listCaptures({});
  const { page, components } = await lamplight.client.pages.getPage({ id: captures[0]?.pageId ?? "" });
  expect(page.title).toBe("How ribosomes read mRNA");
  const contents = components.map(({ type, content }) => `${type} ${JSON.stringify(content)}`);
  expect(contents[0]).toContain("http://lectures.example.org/ribosomes");
  expect(contents.join("\n")).toContain("two molecules of guanosine triphosphate");
  expect(contents.filter((line) => line.startsWith("code_block"))[0]).toContain("rna[i:i + 3]");
  expect(contents.filter((line) => line.includes("list_unordered"))).toHaveLength(2);
  expect(contents.join("\n")).not.toContain("Imprint");
  const count = components.length;
  await driver.press("Save page as note");
  await panel.waitForFunction(() => document.body.innerText.split("Note · saved").length === 3, { polling: 100 });
  expect((await lamplight.client.pages.getPage({ id: page._id })).components).toHaveLength(count);
});

test("captures made while the server is down are stored, and sent once when it returns", async () => {
  await lamplight.server.stop();
  await selectText("h2");
  await driver.press("Card from selection");
  await panel.locator('::-p-aria([name="Question"])').fill("How many sites are there?");
  await panel.focus("textarea");
  await panel.keyboard.press("Enter");
  await driver.waitForText("Card · waiting for the server");
  await driver.waitForText("1 capture waits for the server. Nothing is lost.");
  await panel.reload();
  await driver.waitForText("How many sites are there?");
  await lamplight.server.start();
  await panel.waitForFunction(() => !document.body.innerText.includes("waits for the server"), {
    polling: 100,
    timeout: 40_000,
  });
  const { content } = await theDeck();
  expect(
    content.cards.map(({ question }) => question).filter((text) => text === "How many sites are there?"),
  ).toHaveLength(1);
  expect(content.cards).toHaveLength(2);
});

test("no capture is lost if the service worker is stopped after the gesture and again before sending", async () => {
  await driver.endWorker();
  await selectText("ul li");
  await lecture.bringToFront();
  // The press starts the worker, as any gesture does.
  await extended.extension.triggerAction(lecture);
  await driver.chooseMenu({ menuItemId: "card", selectionText: "site" });
  await panel.locator('::-p-aria([name="Question"])').fill("What does the aminoacyl site do?");
  await driver.endWorker();
  await panel.focus("textarea");
  await panel.keyboard.press("Enter");
  await driver.endWorker();
  await expect.poll(async () => (await theDeck()).content.cards.length).toBe(3);
  // The source is shown once the card has arrived.
  await expect.poll(async () => (await listCaptures()).filter(({ kind }) => kind === "card").length).toBe(3);
});

test("the tutor answers from the page beside it, and clicking a citation highlights its words", async () => {
  await lecture.bringToFront();
  await panel
    .locator('::-p-aria([name="Ask about this page"])')
    .fill("From which site does the empty transfer RNA leave?");
  await driver.press("Ask");
  await panel.locator(".tutor-answer .cite-badge").wait();
  await driver.waitForText("The empty transfer RNA leaves the ribosome from the exit site");
  await panel.evaluate(() => document.querySelector<HTMLElement>(".tutor-answer .cite-badge")?.click());
  await driver.waitForText("Highlighted on the page.");
  const lit = await lecture.evaluate(() =>
    [...(CSS.highlights.get("lamplight") ?? [])].map((range) => (range as Range).toString()).join(" "),
  );
  expect(lit).toContain("transfer RNA leaves the ribosome");
});

test("explain, summarise and quiz work without a model, and translate reports that it needs one", async () => {
  const before = await panel.$$eval(".tutor-answer", (all) => all.length);
  const answered = (more: number) =>
    panel.waitForFunction(
      (count) =>
        document.querySelectorAll(".tutor-answer").length === count &&
        !/Searching the page|Reading the page/.test(document.body.innerText),
      { polling: 100 },
      before + more,
    );
  const last = () => panel.$$eval(".tutor-answer", (all) => all.at(-1)?.outerHTML);
  await selectText("#fact");
  await driver.press("Explain");
  await driver.waitForText("Explain the selected text.");
  await answered(1);
  expect(await last()).toContain("cite-badge");
  await driver.press("Summarise");
  await answered(2);
  expect(await last()).toContain("cite-badge");
  await driver.press("Translate");
  await driver.waitForText("Translation needs a language model");
  await driver.press("Quiz me");
  await answered(3);
  await driver.waitForText("Quiz in progress. Answer below.");
  await panel.locator('::-p-aria([name="Your answer"])').fill("I do not know");
  await driver.press("Answer");
  await answered(4);
  await driver.waitForText("The answer:");
  await driver.press("End quiz");
  await panel.locator('::-p-aria([name="Ask about this page"])').wait();
});

test("research of a selection shows its progress in the panel, and its result after the panel is reloaded", async () => {
  await lecture.bringToFront();
  await driver.chooseMenu({ menuItemId: "research", selectionText: "What does the ribosome do?" });
  const question = '::-p-aria([name="Question to research"])';
  await driver.waitForText("Quick research: up to 2 minutes and 6 sources.");
  await panel.locator(question).fill("How does the ribosome read messenger RNA?");
  await checkPanel(panel, "research-question");
  await panel.bringToFront();
  await panel.focus(".research-form textarea");
  await panel.keyboard.press("Enter");
  await panel.locator(".research-session .cite-badge").wait();
  await driver.waitForText("Finished · ");
  await driver.waitForText("The ribosome slides along the messenger RNA one codon at a time.");
  await checkPanel(panel, "research-session");
  await panel.reload();
  await panel.locator(".research-session .cite-badge").wait();
  const opened = extended.browser.waitForTarget((target) => target.url().includes("/research/"));
  await panel.evaluate(() =>
    document.querySelector<HTMLElement>(".research-session .research-buttons button")?.click(),
  );
  const session = await (await opened).page();
  await session?.locator("::-p-text(How does the ribosome read messenger RNA?)").wait();
  await session?.close();

  await lecture.bringToFront();
  await selectText("#fact");
  await driver.press("Research this");
  await panel.waitForFunction(
    () => document.querySelector<HTMLTextAreaElement>(".research-form textarea")?.value.startsWith("A codon is"),
    { polling: 100 },
  );
  await panel.setOfflineMode(true);
  await driver.press("Start research");
  await driver.waitForText("You're offline. Your question stays here");
  await checkPanel(panel, "research-offline");
  await panel.setOfflineMode(false);
  await driver.press("Discard question");
  await driver.press("Close");
  await driver.waitForText("Select words on the page, or just ask.");
});

test("a card shows its source, and reports if the page has changed", async () => {
  await driver.press("Show source: What is a codon?");
  await driver.waitForText("Highlighted on the page.");
  await lecture.evaluate(() => document.querySelector("#fact")?.remove());
  await driver.press("Show source: What is a codon?");
  await driver.waitForText("The page has changed and no longer contains this text.");
});

test("a passage becomes a card, is studied, and is found again highlighted on its page", async () => {
  const record = aRecording("extension-round");
  await lecture.goto(`${site.origin}/glossary`);
  await lecture.bringToFront();
  await extended.extension.triggerAction(lecture);
  await driver.waitForText("Glossary of the cell");
  await selectText("#osmosis");
  record.begin();
  await record.ended("passage selected", lecture);
  await driver.press("Card from selection");
  await panel.locator('::-p-aria([name="Question"])').wait();
  await record.ended("card draft shown", panel);
  await panel.focus("textarea");
  await panel.keyboard.press("Enter");
  await panel.waitForFunction(() => document.querySelector("form.draft") === null, { polling: 20 });
  await record.ended("card saved with Enter", panel);
  await panel.locator('button[aria-label="Study Glossary of the cell"]').wait();
  await record.ended("card due in the panel", panel);
  await panel.focus('button[aria-label="Study Glossary of the cell"]');
  await panel.keyboard.press("Enter");
  await driver.waitForText("Card 1 of 1", 20);
  await record.ended("question shown", panel);
  await panel.keyboard.press("Enter");
  await driver.waitForText("Good", 20);
  await panel.keyboard.press("4");
  await driver.waitForText("1 card answered.", 20);
  await record.ended("card rated", panel);
  await panel.keyboard.press("Escape");
  await panel.locator('button[aria-label^="Show source: "]').click();
  const highlighted = () =>
    lecture.evaluate(() => [...(CSS.highlights.get("lamplight") ?? [])].map((range) => (range as Range).toString()));
  await expect
    .poll(highlighted, { interval: 20 })
    .toEqual([expect.stringContaining("Osmosis is the movement of water")]);
  await record.ended("passage highlighted", lecture);
  expect(record.tell()).toHaveLength(7);
});

test("panel and settings are accessible, wide and narrow, light and dark", async () => {
  await driver.waitForText("Due today");
  await selectText("h1");
  await driver.press("Card from selection");
  await panel.locator('::-p-aria([name="Question"])').wait();
  for (const name of ["sidepanel", "options"] as const) {
    const page = await extended.openPage(name);
    await page.bringToFront();
    await page.locator("main").wait();
    expect(await checkScreen(page, `extension-${name}`)).toEqual([]);
    await page.close();
  }
});
