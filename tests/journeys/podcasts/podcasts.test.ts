import type { Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { type ServerProcess, startServerProcess } from "#tests/kit/servers/server-process.ts";
import { aDocument, MAKING_LIMIT_MS, TEST_LIMIT_MS } from "#tests/podcasts/made-podcast.ts";
import { aTextbook } from "#tests/podcasts/textbook.ts";
import { runResearch } from "#tests/kit/research.ts";
import { aPage, aText } from "#tests/store/changes.ts";

const RIBOSOME = [
  "The ribosome reads messenger RNA one codon at a time.",
  "Ribosomes make proteins by joining amino acids into a chain.",
  "A ribosome consists of two subunits, a small one and a large one.",
  "The ribosome of a bacterium contains 55 proteins.",
];

let browser: Browser;
let server: ServerProcess;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), startServerProcess()]);
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

/** Runs in the browser: what the player shows as its time, in seconds. */
const shownSeconds = () => {
  const [minutes = "0", seconds = "0"] = (document.querySelector(".player-time")?.textContent ?? "").split(":");
  return Number(minutes) * 60 + Number(seconds);
};

test(
  "a student makes a podcast from a PDF, listens, jumps to a line, follows it to its page, and listens on elsewhere",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { student, user } = await registerStudent(browser, server.origin);
    const { page } = student;
    try {
      await aDocument(user, aTextbook(4), "Cells.pdf");
      await student.open("/podcasts");
      await student.waitForText("No podcasts yet");
      expect(await student.checkScreen("podcasts-empty")).toEqual([]);
      await page.locator(".podcasts-head .button").click();
      await student.waitForText("Ewan");
      await student.press("button", "Make podcast");
      await student.waitForText("Must provide between 1 and 3 content sources");
      await page.locator(".podcast-source").click();
      await page.locator("::-p-text(5 min)").click();
      expect(await student.checkScreen("podcast-new")).toEqual([]);
      await student.press("button", "Make podcast");
      await page.waitForSelector(".player-play", { timeout: MAKING_LIMIT_MS });
      await page.locator(".player-play").click();
      await page.waitForFunction(() => document.querySelector('.line[data-state="now"]') !== null);
      expect(await student.checkScreen("podcast-making")).toEqual([]);
      await page.waitForFunction(() => document.querySelector(".episode-making") === null, {
        timeout: MAKING_LIMIT_MS,
      });

      const target = await page.waitForSelector('.line[data-speaker="guest"]:nth-of-type(9) .line-text');
      const [, minutes = "0", seconds = "0"] =
        /(\d+):(\d+)/.exec((await target?.evaluate((button) => button.getAttribute("title"))) ?? "") ?? [];
      await target?.evaluate((button) => (button as HTMLElement).click());
      await page.waitForFunction(() => document.querySelector('.line[data-state="now"] .lit') !== null);
      const at = Number(minutes) * 60 + Number(seconds);
      expect(Math.abs((await page.evaluate(shownSeconds)) - at)).toBeLessThanOrEqual(1);
      expect(await student.checkScreen("podcast-playing")).toEqual([]);

      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await page.keyboard.press("Space");
      await page.waitForSelector('.player-play[aria-label="Play"]');
      await page.keyboard.press("o");
      await page.waitForFunction(() => location.pathname.startsWith("/pdf/"));
      await page.waitForSelector(".mini-player");
      await student.open("/podcasts");
      await student.waitForText("5 minutes");
      expect(await student.checkScreen("podcasts-list")).toEqual([]);

      const [podcast] = (await user.client.pages.getContent({})).content.podcasts ?? [];
      const { share } = await user.client.sharing.putShare({ type: "podcast", id: podcast?._id ?? "" });
      await student.open(`/s/${share._id}`);
      await page.waitForFunction(() => (document.querySelector("audio")?.duration ?? 0) > 200);
      await page.evaluate(() => document.querySelectorAll<HTMLElement>(".shared-episode .line-text")[6]?.click());
      await page.waitForSelector(".shared-episode .lit");
      expect(await student.checkScreen("podcast-shared")).toEqual([]);
    } finally {
      await student.close();
    }
  },
);

test(
  "a podcast from a research session: its mark opens the stored source with the words lit, and the search finds its lines",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { student, user } = await registerStudent(browser, server.origin);
    const { page } = student;
    try {
      const pageId = await aPage(user, "Protein synthesis");
      for (const text of RIBOSOME) await aText(user, pageId, text);
      const { session } = await runResearch(user.client, { userMessage: "How does the ribosome make proteins?" });
      await student.open(`/research/${session._id}`);
      await student.press("button", "More actions");
      await student.press("menuitem", "Make podcast");
      await student.waitForText("Ewan");
      expect(await student.checkScreen("podcast-new-research")).toEqual([]);
      await student.press("button", "Make podcast");
      await page.waitForSelector(".player-play", { timeout: MAKING_LIMIT_MS });
      const badge = await page.waitForSelector('.line[data-speaker="guest"] .cite-badge');
      await badge?.evaluate((mark) => (mark as HTMLElement).click());
      await page.waitForSelector("dialog mark.lit");
      expect(await student.checkScreen("podcast-snapshot")).toEqual([]);

      // Only a finished episode is searched.
      const statuses = async () =>
        (await user.client.pages.getContent({})).content.podcasts?.map(({ status }) => status);
      await expect.poll(statuses, { timeout: MAKING_LIMIT_MS }).toEqual(["completed"]);
      await student.open("/search");
      await page.locator('[role="combobox"]').fill("joining amino");
      await page.waitForFunction(() =>
        [...document.querySelectorAll('[role="option"]')].some((row) => /\d:\d\d/.test(row.textContent ?? "")),
      );
    } finally {
      await student.close();
    }
  },
);

test("a podcast that was not finished shows the reason and can be tried again", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  try {
    const german = "Die Zelle ist die kleinste Einheit des Lebens, die sich selbst vermehren kann.\n\n".repeat(8);
    const id = await aDocument(user, german, "Zellen.pdf");
    const { podcast } = await user.client.podcasts.createPodcast({
      sources: [{ type: "pdf", id }],
      guest: { name: "Ruth", voice: "RUTH_FEMALE" },
    });
    await student.open(`/podcast/${podcast._id}`);
    await student.waitForText("This podcast was not finished");
    await student.waitForText("is not in English");
    expect(await student.checkScreen("podcast-failed")).toEqual([]);
    await student.press("button", "Try again");
    await student.waitForText("is not in English");
  } finally {
    await student.close();
  }
});
