import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aDeck, aPage } from "#tests/store/changes.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { cardsFromPrompt, startModelServer } from "#tests/kit/servers/model-server.ts";
import { ownChapter } from "#tests/kit/own-chapter.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess, type ServerProcess } from "#tests/kit/servers/server-process.ts";
import type { Student } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const SUBJECTS = ["ribosome", "nucleus", "membrane", "vacuole"];
const lecture = (pages: number) =>
  tinyPdf(
    Array.from({ length: pages }, (_, i) => {
      const subject = SUBJECTS[i % SUBJECTS.length] ?? "";
      return [
        `The ${subject} on page ${i + 1} carries out ${i + 3} steps of the work of a cell.`,
        `Every ${subject} is built from proteins that a cell keeps in store.`,
        `Heat above ${i + 40} degrees stops the ${subject} within minutes.`,
      ];
    }),
  );

/** A textbook chapter if the corpus is available, or else a generated lecture. */
function chapter(): Blob {
  const folder = corpusFolder("textbook");
  const path = folder && join(folder, "15-genes-and-proteins.pdf");
  return path && existsSync(path) ? new Blob([new Uint8Array(readFileSync(path))]) : lecture(12);
}

async function openDocument(server: ServerProcess, file: Blob) {
  const { student, user } = await registerStudent(browser, server.origin);
  const { client } = user;
  const pageId = await aPage(user, "Cells");
  const { component } = await client.uploads.uploadImageComponent({ pageId }, [
    { field: "file", file, name: "lecture.pdf" },
  ]);
  await student.open(`/pdf/${component._id}`);
  return { student, pageId };
}

const passagesIn = (prompt: string) =>
  prompt
    .split("\n")
    .filter((line) => line.startsWith('{"id":'))
    .map((line) => (JSON.parse(line) as { text: string }).text);

/** Statements of a truthful model: reworded sentences, each with the sentence that supports it. */
const summarise = (prompt: string) =>
  JSON.stringify(
    passagesIn(prompt)
      .flatMap((text) => text.match(/[A-Z][^.]{30,200}\./g) ?? [])
      .slice(0, 5)
      .map((quote, i) => ({ statement: `In short: ${quote}`, quote, key: i === 0 })),
  );

/** Presses each statement's citation badge; resolves to their number, and the statements that highlighted nothing. */
async function pressEachBadge(student: Student): Promise<{ count: number; unhighlighted: string[] }> {
  const badges = await student.page.$$(".pdf-point .cite-badge");
  const unhighlighted: string[] = [];
  for (const badge of badges) {
    await student.page.keyboard.press("Escape");
    const statement = await badge.evaluate((element) => {
      element.scrollIntoView({ block: "center" });
      return element.closest("li")?.textContent ?? "";
    });
    await badge.evaluate((element) => (element as HTMLElement).click());
    const note = await student.page.waitForFunction(() => {
      const text = document.querySelector(".pdf-note-place")?.textContent ?? "";
      return /highlighted on page|not found|differs/.exec(text)?.[0];
    });
    if ((await note.jsonValue()) !== "highlighted on page" || (await student.page.$(".pdf-lit")) === null)
      unhighlighted.push(statement);
  }
  return { count: badges.length, unhighlighted };
}

test.each(["the built-in engine", "a model server"])(
  "a chapter is summarised by %s, and each statement highlights its passage",
  async (engine) => {
    const model = engine === "a model server" ? await startModelServer({ say: summarise }) : undefined;
    const server = await startServerProcess(model ? { AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" } : {});
    const { student } = await openDocument(server, chapter());
    try {
      await student.press("button", "Cards and notes");
      await student.press("tab", "Summary");
      await student.press("button", "Summarise");
      await student.waitForText("Add key points to page");
      const { count, unhighlighted } = await pressEachBadge(student);
      expect(unhighlighted).toEqual([]);
      expect(count).toBeGreaterThan(3);
      if (model) expect(await student.readScreen()).toContain("In short:");
      expect(await student.checkScreen(`pdf-summary-${model ? "model" : "built-in"}`)).toEqual([]);
      await student.press("button", "Highlight key points");
      await student.waitForText("highlighted");
      await student.page.waitForSelector(".pdf-mark-yellow");
    } finally {
      await student.close();
      await server.dispose();
      await model?.close();
    }
  },
);

/** Highlights of a truthful model, and one that no card supports. */
const highlightsOf = (prompt: string) =>
  JSON.stringify([
    { highlight: "Whoever learns 1999 cards in a night remembers all of them.", card: 1 },
    ...prompt
      .split("\n")
      .filter((line) => line.startsWith('{"card":'))
      .map((line) => JSON.parse(line) as { card: number; question: string; answer: string })
      .map(({ card, question, answer }) => ({ highlight: question.replace("____", `**${answer}**`), card })),
  ]);

const describeDeck = (prompt: string) =>
  prompt.includes("highlights of a deck") ? highlightsOf(prompt) : JSON.stringify(cardsFromPrompt(prompt));

test("a model server's highlights and the coverage of a deck are shown above it", async () => {
  const model = await startModelServer({ say: describeDeck });
  const server = await startServerProcess({ AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" });
  const { student, user } = await registerStudent(browser, server.origin);
  const { page } = student;
  try {
    const pageId = await aPage(user, "Genes");
    const file = new Blob([new Uint8Array(await ownChapter())]);
    const files = [{ field: "file", file, name: "Chapter.pdf" }];
    const { component } = await user.client.uploads.uploadImageComponent({ pageId }, files);
    const target = { pageId, componentId: await aDeck(user, pageId, []) };
    const options = { density: "AUTO" as const, target };
    await user.client.flashcards.generateCards({ pdfComponents: [{ componentId: component._id }], options }, []);
    await student.open(`/page/${pageId}`);
    await student.press("button", "Deck menu");
    await student.press("menuitem", "Highlights");
    await student.waitForText("No highlights yet.");
    expect(await student.checkScreen("deck-highlights-none")).toEqual([]);
    await student.press("button", "Generate highlights");
    await student.waitForText("Regenerate");
    await page.waitForSelector(".highlights li strong");
    expect((await page.$$(".highlights li")).length).toBeGreaterThan(3);
    expect(await student.readScreen()).not.toContain("1999");
    expect(await student.checkScreen("deck-highlights")).toEqual([]);
    await student.press("button", "Close");

    await student.press("button", "Deck menu");
    await student.press("menuitem", "Coverage");
    await student.waitForText("Key terms");
    expect(await student.checkScreen("deck-coverage")).toEqual([]);
    await student.press("checkbox", "Only sections without cards");
    expect(await student.checkScreen("deck-coverage-skipped")).toEqual([]);
  } finally {
    await student.close();
    await server.dispose();
    await model.close();
  }
});

test("a document is summarised beside its pages, and each statement highlights its passage", async () => {
  const server = await startServerProcess();
  onTestFinished(() => server.dispose());
  const { student, pageId } = await openDocument(server, lecture(12));
  await student.press("button", "Cards and notes");
  await student.press("tab", "Summary");
  await student.waitForText("Summarise");
  expect(await student.checkScreen("pdf-summary-empty")).toEqual([]);
  await student.press("button", "Summarise");
  await student.waitForText("Pages 11 to 12");
  await student.waitForText("Add key points to page");
  expect(await student.checkScreen("pdf-summary")).toEqual([]);
  await student.page.locator(".pdf-point .cite-badge").click();
  await student.page.waitForSelector(".pdf-page .lit, .pdf-lit, .lit");
  expect(await student.checkScreen("pdf-summary-lit")).toEqual([]);
  // On a phone the panel covers the pages, and closes when it shows a passage.
  await student.page.setViewport({ width: 360, height: 740 });
  await student.page.locator(".pdf-point .cite-badge").click();
  await student.page.waitForFunction(() => document.querySelector(".pdf-side") === null);
  expect(await student.checkScreen("pdf-summary-phone")).toEqual([]);
  await student.page.setViewport({ width: 1360, height: 860 });
  await student.press("button", "Cards and notes");
  await student.press("tab", "Summary");
  await student.press("button", "Add key points to page");
  await student.waitForText("Key points added to the end of the page");
  await student.press("button", "Highlight key points");
  await student.waitForText("passages highlighted");
  await student.page.waitForSelector(".pdf-mark-yellow");
  await student.press("button", "Highlight key points");
  await student.waitForText("The key points are already highlighted");
  expect(await student.checkScreen("pdf-summary-highlighted")).toEqual([]);
  await student.open(`/page/${pageId}`);
  await student.waitForText("Key points of lecture");
  await student.waitForText("p. 1");
  expect(await student.checkScreen("pdf-summary-inserted")).toEqual([]);
  await student.close();
});
