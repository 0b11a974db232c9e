import { expect, test } from "vitest";
import { aCard, aDeck, aPage, aText } from "#tests/store/changes.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import type { Student } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { aQuestion, ask } from "#tests/kit/tutor.ts";

const { browser, server } = await startBrowserAndServer();

/** A student with content on every screen that these tests open. */
async function aStudentWithContent() {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "Cells");
  await aText(user, pageId, "The ribosome joins amino acids into proteins.");
  const deckId = await aDeck(user, pageId, [aCard("one", "What does a ribosome join?"), aCard("two")]);
  const files = [{ field: "file", file: tinyPdf([["A codon names one amino acid."]]), name: "Genes.pdf" }];
  const { component } = await user.client.uploads.uploadImageComponent({ pageId }, files);
  const question = aQuestion({ text: "What does a ribosome join?" });
  await ask(user.client, question);
  const screens = [
    ["home", "/home"],
    ["content", "/content/all"],
    ["sources", "/knowledge"],
    ["settings", "/settings"],
    ["labs", "/labs"],
    ["connections", "/connections"],
    ["chat", `/chat?thread=${question.threadId}`],
    ["page", `/page/${pageId}`],
    ["deck", `/page/${pageId}/flashcard/${deckId}`],
    ["study", `/page/${pageId}/study/${deckId}`],
    ["pdf", `/pdf/${component._id}`],
  ] as const;
  return { student, user, screens };
}

const waitUntilRendered = ({ page }: Student) =>
  page.waitForFunction(() => document.querySelector("main, .study, h1") && !document.querySelector(".skeleton"), {
    polling: 200,
    timeout: 90_000,
  });

/** The width of the content on a phone of 360 px. */
async function widthOnPhone({ page }: Student): Promise<number> {
  await page.setViewport({ width: 360, height: 740 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  await page.setViewport({ width: 1360, height: 860 });
  return width;
}

test("every screen works right to left, wide and narrow", async () => {
  const { student, screens } = await aStudentWithContent();
  await student.page.evaluateOnNewDocument(() => localStorage.setItem("lamplight_language", "en-x-mirrored"));
  const faults: string[] = [];
  for (const [name, path] of screens) {
    await student.open(path);
    await waitUntilRendered(student);
    expect(await student.page.evaluate(() => document.documentElement.dir)).toBe("rtl");
    faults.push(...(await student.checkScreen(`mirrored-${name}`)));
    const width = await widthOnPhone(student);
    if (width > 360) faults.push(`${name} is ${width} wide on a phone`);
  }
  expect(faults).toEqual([]);
  await student.close();
});

test("a dialog works right to left: its text starts at the right, and it closes at the left", async () => {
  const { student } = await aStudentWithContent();
  const { page } = student;
  await page.evaluateOnNewDocument(() => localStorage.setItem("lamplight_language", "en-x-mirrored"));
  await student.open("/home");
  await waitUntilRendered(student);
  await page.waitForNetworkIdle();
  await page.bringToFront();
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open] h2");
  const [title, close] = await Promise.all(
    ["dialog[open] h2", "dialog[open] button"].map((selector) =>
      page.$eval(selector, (element) => element.getBoundingClientRect().left),
    ),
  );
  expect(close).toBeLessThan(title ?? 0);
  expect(await student.checkScreen("mirrored-dialog")).toEqual([]);
  await student.close();
});

test("for a student who chose German, all text, dates and numbers are German from the first paint", async () => {
  const { student, user, screens } = await aStudentWithContent();
  await user.client.user.savePreferences({ appearance: { language: "de" } });
  await student.open("/home");
  await student.waitForText("Hallo, Ada");
  const english: string[] = [];
  student.page.on("domcontentloaded", () => {
    student.page
      .evaluate(() => document.documentElement.lang)
      .then(
        (lang) => lang !== "de" && english.push(lang),
        () => undefined,
      );
  });
  const faults: string[] = [];
  for (const [name, path] of screens) {
    await student.open(path);
    await waitUntilRendered(student);
    faults.push(...(await student.checkScreen(`german-${name}`)));
    const width = await widthOnPhone(student);
    if (width > 360) faults.push(`${name} is ${width} wide on a phone`);
  }
  expect(english).toEqual([]);
  expect(faults).toEqual([]);
  await student.close();
});

test("in German the panel beside a document and its close button fit a phone", async () => {
  const { student, user, screens } = await aStudentWithContent();
  await user.client.user.savePreferences({ appearance: { language: "de" } });
  await student.open("/home");
  await student.waitForText("Hallo, Ada");
  const { page } = student;
  await page.setViewport({ width: 360, height: 740 });
  await student.open(screens.find(([name]) => name === "pdf")?.[1] ?? "");
  await waitUntilRendered(student);
  await student.press("button", "Karten und Notizen");
  await student.press("tab", "Zusammenfassung");
  const right = await page.$eval(
    '[aria-label="Seitenleiste schließen"]',
    (close) => close.getBoundingClientRect().right,
  );
  expect(right).toBeLessThanOrEqual(360);
  await student.press("button", "Seitenleiste schließen");
  await page.waitForSelector(".pdf-side", { hidden: true });
  await student.close();
});
