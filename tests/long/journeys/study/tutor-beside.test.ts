import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { registerAccount } from "#tests/kit/account.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aPage } from "#tests/store/changes.ts";
import { type ModelServer, startModelServer } from "#tests/kit/servers/model-server.ts";
import { openStudentAs } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import type { Student } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { startYoutubeServer } from "#tests/kit/servers/youtube-server.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const PAGES = [
  ["A codon is a sequence of three nucleotides that names one amino acid."],
  ["Chlorophyll is the green pigment that absorbs light in the leaves."],
];

/** A model that repeats the beginning of the first passage, and cites it. */
const answerFromFirst = (prompt: string): string => {
  const line = prompt.split("\n").find((candidate) => candidate.startsWith('{"id":"P1"'));
  if (line === undefined) return "Plants";
  const words = (JSON.parse(line) as { text: string }).text.split(/\s+/).slice(0, 8).join(" ");
  return `So it is said. [P1: "${words}"]`;
};

/** Opens the tutor panel by keyboard and asks a question; resolves to the text of the citation badge. */
async function ask({ page }: Student, name: string, question: string): Promise<string> {
  await page.locator(`::-p-aria([name="${name}"][role="button"])`).wait();
  await (await page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`))?.focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.matches(".composer textarea"));
  await page.keyboard.type(question);
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    (words) => [...document.querySelectorAll(".tutor-panel .message-question")].at(-1)?.textContent.includes(words),
    {},
    question,
  );
  // An earlier conversation may be above, so the last answer is read.
  const badge = await page.waitForFunction(() => {
    const last = [...document.querySelectorAll(".tutor-panel .message")].at(-1);
    return last?.matches('.message-answer[aria-busy="false"]')
      ? last.querySelector(".cite-badge")?.textContent
      : undefined;
  });
  return String(await badge.jsonValue());
}

async function pressBadge({ page }: Student): Promise<void> {
  await (await page.waitForSelector(".tutor-panel .cite-badge"))?.focus();
  await page.keyboard.press("Enter");
}

const engines = [
  { name: "builtin", model: async () => undefined as ModelServer | undefined },
  { name: "model", model: () => startModelServer({ say: answerFromFirst }) },
];

test.each(engines)(
  "beside a document and a video the tutor cites their positions, in German too, and clicking leads there: $name",
  async ({ name, model }) => {
    const [youtube, speaking] = await Promise.all([startYoutubeServer({ abcdefghij1: {} }), model()]);
    const server = await startServerProcess({
      YOUTUBE_BASE_URL: youtube.baseUrl,
      DEFAULT_PLAN: "ULTIMATE",
      ...(speaking && { AI_BASE_URL: speaking.baseUrl, AI_MODEL: "test-model" }),
    });
    const account = await registerAccount(server.origin);
    const pageId = await aPage(account, "Plants");
    const files = [{ field: "file", file: tinyPdf(PAGES), name: "Leaves.pdf" }];
    const { component } = await account.client.uploads.uploadImageComponent({ pageId }, files);
    const url = "https://youtu.be/abcdefghij1";
    const { component: video } = await account.client.video.createVideoComponent({ url, pageId });
    const student = await openStudentAs(browser, server.origin, account);
    const { page } = student;
    try {
      await student.open(`/pdf/${component._id}`);
      await page.waitForSelector(".textLayer span");
      expect(await ask(student, "Open tutor", "What absorbs light?")).toBe("p. 2");
      expect(await student.checkScreen(`tutor-pdf-${name}`)).toEqual([]);
      await pressBadge(student);
      await page.waitForSelector(".pdf-lit");

      await student.open(`/video/${video._id}`);
      await student.waitForText("Photosynthesis is the process by which plants");
      expect(await ask(student, "Open tutor", "What is photosynthesis?")).toMatch(/^\d:\d\d$/);
      expect(await student.checkScreen(`tutor-video-${name}`)).toEqual([]);
      await pressBadge(student);
      await page.waitForSelector("mark.lit");

      await account.client.user.savePreferences({ appearance: { language: "de" } });
      await student.open("/home");
      await student.waitForText("Hallo, Ada");
      await student.open(`/pdf/${component._id}`);
      await page.waitForSelector(".textLayer span");
      expect(await ask(student, "Tutor öffnen", "Was sagen meine Quellen über chlorophyll?")).toBe("S. 2");
      if (name === "builtin") await student.waitForText("Aus deinen Quellen, Wort für Wort:");
      expect(await student.checkScreen(`tutor-pdf-german-${name}`)).toEqual([]);
    } finally {
      await student.close();
      await Promise.all([server.dispose(), youtube.close(), speaking?.close()]);
    }
  },
  150_000,
);
