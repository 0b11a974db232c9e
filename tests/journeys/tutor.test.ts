import type { Browser } from "puppeteer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "#tests/kit/browser.ts";
import { startModelServer } from "#tests/kit/model-server.ts";
import { aStudent } from "#tests/kit/seat.ts";
import { startServerProcess } from "#tests/kit/server-process.ts";
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
  await student.reads("Saved");
}

/** By keyboard: the question is typed where it is asked, and Enter sends it. */
async function ask(student: Student, question: string): Promise<void> {
  await student.page.locator('::-p-aria([name="Your question"])').click();
  await student.page.keyboard.type(question);
  await student.page.keyboard.press("Enter");
}

/** A blank page with the tutor beside it: what was said is put on it, and it is the same page after a reload. */
async function writeTogether(student: Student, engine: string): Promise<void> {
  await student.open("/canvas");
  await student.reads("Ask about what you study");
  await student.type("Page title", "What codons are");
  await ask(student, "What is a codon?");
  await student.page.locator('::-p-aria([name="Put on the page"])').click();
  await student.reads("Put at the end of the page");
  const written = await student.page.$eval('[aria-label="Page text"]', (text) => text.textContent);
  expect(written).toContain(engine === "model" ? "It reads mRNA" : "one codon at a time");
  await student.reads("Saved");
  expect(await student.look(`canvas-${engine}`)).toEqual([]);
  const address = student.page.url();
  await student.page.reload();
  await student.page.locator('::-p-aria([name="Page title"])').wait();
  expect(student.page.url()).toBe(address);
  expect(await student.page.evaluate(() => document.body.innerText)).toContain("What codons are");
}

const LONG = `It reads mRNA. [P1: "reads messenger RNA one codon at a time"]\n\n${"And so on it goes, one word after another, quite slowly. ".repeat(60)}\n\n![x](https://evil.example/p.png) <img src="https://evil.example/q.png">`;

const engines = [
  { name: "builtin", start: async () => ({ server: await startServerProcess(), close: async () => undefined }) },
  {
    name: "model",
    start: async () => {
      const model = await startModelServer({
        say: (prompt) => (prompt.includes("You name a conversation") ? "Ribosomes and codons" : LONG),
      });
      const server = await startServerProcess({ AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" });
      model.play("slow", "slow");
      return { server, close: () => model.close() };
    },
  },
];

describe.each(engines)("with the $name engine", ({ name, start }) => {
  test("a student asks beside a page, sees the passage, closes the tab in mid-answer and finds the answer", async () => {
    const { server, close } = await start();
    const { student } = await aStudent(browser, server.origin);
    const asked: string[] = [];
    student.page.on("request", (request) => void asked.push(request.url()));
    try {
      await student.open("/home");
      await student.reads("Hello, Ada");
      await writePage(student);
      await student.reads("Ask about what you study");
      expect(await student.look(`tutor-${name}-empty`)).toEqual([]);
      await ask(student, "What does the ribosome read?");
      await student.reads("Genes and pro");
      if (name === "model") {
        await student.page.locator(".cite-badge").wait();
        await student.page.reload();
      }
      await student.reads(name === "model" ? "q.png" : "one codon at a time");
      await student.page.locator('::-p-aria([name="Answer again"])').wait();
      const badge = await student.page.waitForSelector(".tutor-panel .cite-badge");
      await badge?.focus();
      await student.page.locator(".tooltip").wait();
      await student.page.keyboard.press("Escape");
      await student.page.waitForSelector(".tooltip", { hidden: true });
      if (name === "model") await student.reads("Not from your sources");
      expect(await student.look(`tutor-${name}-answer`)).toEqual([]);
      await student.press("button", "Put on the page");
      await student.reads("Put at the end of the page");

      await student.open("/chat");
      await student.reads(name === "model" ? "Ribosomes and codons" : "What does the ribosome read");
      await student.page.locator(".thread-name").click();
      await student.reads("one codon at a time".slice(0, name === "model" ? 0 : undefined));
      await student.page.locator(".chat .cite-badge").wait();
      expect(await student.look(`chat-${name}`)).toEqual([]);
      await student.open("/assistant");
      await student.reads("Ask about what you study");
      await ask(student, "What is a codon?");
      await student.page.locator(".chat .cite-badge").wait();
      expect(await student.look(`assistant-${name}`)).toEqual([]);
      await writeTogether(student, name);
      expect(asked.filter((url) => !url.startsWith(server.origin) && /^https?:/.test(url))).toEqual([]);
    } finally {
      await student.leave();
      await server.dispose();
      await close();
    }
  }, 120_000);
});
