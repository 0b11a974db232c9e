import type { Browser } from "puppeteer";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { criticiseCard, findRatings, praiseAnswer } from "#tests/feedback/rate-in-browser.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { tabBackTo, tabTo } from "#tests/kit/browser/keyboard.ts";
import { type ModelServer, startModelServer } from "#tests/kit/servers/model-server.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import type { Student } from "#tests/kit/student.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const FACTS = [
  "The ribosome reads messenger RNA one codon at a time.",
  "A codon is a sequence of three nucleotides that names one amino acid.",
  "Chlorophyll is the green pigment that absorbs light in the leaves of plants.",
];

async function writePage(student: Student): Promise<void> {
  await student.press("button", "New page");
  await student.type("Page title", "Genes and proteins");
  await student.page.locator('::-p-aria([name="Page text"])').wait();
  for (const fact of FACTS) {
    await student.page.keyboard.press("Enter");
    await student.page.keyboard.type(fact);
  }
  await student.waitForText("Saved");
}

/** Types the question and sends it with Enter. */
async function ask(student: Student, question: string): Promise<void> {
  await student.page.locator('::-p-aria([name="Your question"])').click();
  await student.page.keyboard.type(question);
  await student.page.keyboard.press("Enter");
}

/** Opens the canvas, adds an answer to its blank page, and expects the same page after a reload. */
async function addAnswerOnCanvas(student: Student, engine: string): Promise<void> {
  await student.open("/canvas");
  await student.waitForText("Ask about what you're studying");
  const blank = student.page.url();
  expect(blank).toContain("?page=");
  // Opening the canvas again shows the same blank page, not a second one.
  await student.open("/canvas");
  await student.waitForText("Ask about what you're studying");
  expect(student.page.url()).toBe(blank);
  await student.type("Page title", "What codons are");
  await ask(student, "What is a codon?");
  await student.page.locator('::-p-aria([name="Add to page"])').click();
  await student.waitForText("Added to the end of the page");
  const written = await student.page.$eval('[aria-label="Page text"]', (text) => text.textContent);
  expect(written).toContain(engine === "model" ? "It reads mRNA" : FACTS[1]);
  await student.waitForText("Saved");
  expect(await student.checkScreen(`canvas-${engine}`)).toEqual([]);
  const address = student.page.url();
  await student.page.reload();
  await student.page.locator('::-p-aria([name="Page title"])').wait();
  expect(student.page.url()).toBe(address);
  expect(await student.page.evaluate(() => document.body.innerText)).toContain("What codons are");
}

const focusedLabel = () => {
  const { activeElement } = document;
  return (activeElement?.getAttribute("aria-label") ?? activeElement?.textContent ?? "").trim();
};
const waitForFocus = ({ page }: Student, name: string) =>
  page.waitForFunction(`(${focusedLabel.toString()})() === ${JSON.stringify(name)}`);
const waitForAnswer = ({ page }: Student) =>
  page.waitForSelector('.tutor-panel .message-answer[aria-busy="false"] .cite-badge');
const waitUntilWriting = ({ page }: Student) => page.waitForSelector('.tutor-panel .message-answer[aria-busy="true"]');
const waitUntilDone = ({ page }: Student) =>
  page.waitForFunction(() => document.querySelector('.tutor-panel .message-answer[aria-busy="true"]') === null, {
    // A slow answer has about a thousand pieces, and the machine may be busy.
    timeout: 60_000,
  });

/** Uses the panel by keyboard: closes and opens it, asks, stops, changes the mode, edits a question, switches versions. */
async function useByKeyboard(student: Student, playSlowAnswer: (() => void) | undefined): Promise<void> {
  const { page } = student;
  const { keyboard } = page;
  // Adding the answer to the page moved the focus there, and Escape leaves the text.
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Page text");
  await keyboard.press("Escape");
  await tabTo(page, /^Close tutor$/);
  await keyboard.press("Enter");
  await waitForFocus(student, "Open tutor");
  await keyboard.press("Enter");
  await waitForFocus(student, "Your question");
  await waitForAnswer(student);
  playSlowAnswer?.();
  await keyboard.type("What does a codon name?");
  await keyboard.press("Enter");
  if (playSlowAnswer) {
    await waitUntilWriting(student);
    await tabTo(page, /^Stop$/);
    await keyboard.press("Enter");
    await student.waitForText("Stopped.");
    await waitForFocus(student, "Ask");
  }
  await waitUntilDone(student);
  await tabBackTo(page, /^Regenerate$/);
  await keyboard.press("Enter");
  await waitUntilDone(student);
  await waitForFocus(student, "Ask");

  await tabBackTo(page, /^Explain: Answer mode$/);
  await keyboard.press("Enter");
  await waitForFocus(student, "Explain");
  await keyboard.press("ArrowDown");
  await waitForFocus(student, "Socratic");
  await keyboard.press("Enter");
  await waitForFocus(student, "Socratic: Answer mode");

  await tabBackTo(page, /^Edit question$/);
  await keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.closest(".message-edit") !== null);
  await keyboard.press("Escape");
  await waitForFocus(student, "Edit question");
  await keyboard.press("Enter");
  await page.waitForSelector(".tutor-panel .message-edit textarea");
  await keyboard.press("End");
  await keyboard.type(" In one sentence.");
  await tabTo(page, /^Ask again$/);
  await keyboard.press("Enter");
  await waitUntilDone(student);
  await waitForFocus(student, "Ask");
  // The edited question is version 2 of 2, and the answer below it has only one version.
  await tabBackTo(page, /^Previous version$/);
  await student.waitForText("Version 2 of 2");
  await keyboard.press("Enter");
  await student.waitForText("Version 1 of 2");
  await waitForFocus(student, "Previous version");
}

/** Opens a citation by keyboard, and waits until the quoted text is highlighted on its page. */
async function openCitation({ page }: Student): Promise<void> {
  const first = await page.waitForSelector(".tutor-panel .message-question button");
  await first?.focus();
  for (let press = 0; press < 40; press += 1) {
    if (await page.evaluate(() => document.activeElement?.classList.contains("cite-badge") === true)) break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.search.includes("quote=") && CSS.highlights.has("lamplight-cited"));
}

/** Pastes one picture into the question field, and drops a second one there and removes it. */
async function addPictures({ page }: Student): Promise<void> {
  const bytes = await sharp({ create: { width: 24, height: 24, channels: 3, background: "#2f7d4f" } })
    .png()
    .toBuffer();
  const addPicture = (event: "paste" | "drop", name: string) =>
    page.evaluate(
      (kind, fileName, base64) => {
        const data = new DataTransfer();
        const fileBytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([fileBytes], fileName, { type: "image/png" }));
        const field = document.querySelector(".composer textarea");
        const eventOptions = { bubbles: true, cancelable: true };
        field?.dispatchEvent(
          kind === "paste"
            ? new ClipboardEvent("paste", { ...eventOptions, clipboardData: data })
            : new DragEvent("drop", { ...eventOptions, dataTransfer: data }),
        );
      },
      event,
      name,
      bytes.toString("base64"),
    );
  await addPicture("paste", "leaf.png");
  await page.locator('::-p-aria([name="Remove leaf.png"])').wait();
  await addPicture("drop", "root.png");
  await page.locator('::-p-aria([name="Remove root.png"])').click();
  await page.waitForFunction(() => !document.querySelector(".scope-chips")?.textContent.includes("root.png"));
}

const LONG = `It reads mRNA. [P1: "reads messenger RNA one codon at a time"]\n\n${"And so on it goes, one word after another, quite slowly. ".repeat(60)}\n\n![x](https://evil.example/p.png) <img src="https://evil.example/q.png">`;

const engines = [
  {
    name: "builtin",
    start: async () => ({
      server: await startServerProcess({ DEFAULT_PLAN: "ULTIMATE" }),
      model: undefined as ModelServer | undefined,
    }),
  },
  {
    name: "model",
    start: async () => {
      const model = await startModelServer({
        say: (prompt) => (prompt.includes("You name a conversation") ? "Ribosomes and codons" : LONG),
      });
      const server = await startServerProcess({
        AI_BASE_URL: model.baseUrl,
        AI_MODEL: "test-model",
        DEFAULT_PLAN: "ULTIMATE",
      });
      model.play("slow", "slow");
      return { server, model };
    },
  },
];

describe.each(engines)("with the $name engine", ({ name, start }) => {
  test("a student asks beside a page, opens the passage, closes the tab during an answer and finds it completed", async () => {
    const { server, model } = await start();
    // The first account on a loopback server is the administrator.
    const { student, user } = await registerStudent(browser, server.origin);
    const requestedUrls: string[] = [];
    student.page.on("request", (request) => void requestedUrls.push(request.url()));
    try {
      await student.open("/home");
      await student.waitForText("Hello, Ada");
      await writePage(student);
      await student.waitForText("Ask about what you're studying");
      expect(await student.checkScreen(`tutor-${name}-empty`)).toEqual([]);
      await ask(student, "What does the ribosome read?");
      await student.waitForText("Genes and pro");
      // The model is still writing its answer here, and the built-in engine has finished.
      await student.page.locator(".cite-badge").wait();
      await student.page.reload();
      await student.waitForText(name === "model" ? "q.png" : "one codon at a time");
      await student.page.locator('::-p-aria([name="Regenerate"])').wait();
      const badge = await student.page.waitForSelector(".tutor-panel .cite-badge");
      await badge?.focus();
      await student.page.locator(".tooltip").wait();
      await student.page.keyboard.press("Escape");
      await student.page.waitForSelector(".tooltip", { hidden: true });
      if (name === "model") await student.waitForText("Not from your sources");
      expect(await student.checkScreen(`tutor-${name}-answer`)).toEqual([]);
      // The panel was hidden while the window was narrow, and is shown again.
      await (await student.page.waitForSelector(".tutor-panel .cite-badge"))?.focus();
      await tabTo(student.page, /^Add to page$/);
      await student.page.keyboard.press("Enter");
      await student.waitForText("Added to the end of the page");
      await useByKeyboard(student, model && (() => model.play("slow")));
      expect(await student.checkScreen(`tutor-${name}-versions`)).toEqual([]);
      await openCitation(student);

      await student.open("/chat");
      await student.waitForText(name === "model" ? "Ribosomes and codons" : "What does the ribosome read");
      await student.page.locator(".thread-name").click();
      await student.waitForText("one codon at a time".slice(0, name === "model" ? 0 : undefined));
      await student.page.locator(".chat .cite-badge").wait();
      expect(await student.checkScreen(`chat-${name}`)).toEqual([]);
      await student.open("/assistant");
      await student.waitForText("Ask about what you're studying");
      await ask(student, "What is a codon?");
      await student.page.locator(".chat .cite-badge").wait();
      await addPictures(student);
      await ask(student, "And what is on this picture?");
      await student.page.waitForFunction(() => document.querySelectorAll(".chat .message-answer").length === 2);
      await student.page.waitForSelector('.chat .message-answer[aria-busy="true"]', { hidden: true });
      if (model) expect(model.requests.some(({ images }) => images.length === 1)).toBe(true);
      expect(await student.checkScreen(`assistant-${name}`)).toEqual([]);
      await praiseAnswer(student);
      await addAnswerOnCanvas(student, name);
      await criticiseCard(student, user);
      await findRatings(student);
      expect(requestedUrls.filter((url) => !url.startsWith(server.origin) && /^https?:/.test(url))).toEqual([]);
    } finally {
      await student.close();
      await server.dispose();
      await model?.close();
    }
  });
});
