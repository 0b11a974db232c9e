import type { Browser } from "puppeteer";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseCitation } from "#shared/citations.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import type { TestUser } from "#tests/kit/api.ts";
import { chooseByKeys, pressByKeys, tabTo, typeByKeys } from "#tests/kit/browser/keyboard.ts";
import { type ModelServer, startModelServer } from "#tests/kit/servers/model-server.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { openTab, takePicture, type Student } from "#tests/kit/student.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { startYoutubeServer } from "#tests/kit/servers/youtube-server.ts";
import { madePptx } from "#tests/pdf/made-office.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

type User = Pick<TestUser, "client">;

const BOARD = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="220"><rect width="1000" height="220" fill="#fff"/>
<g font-family="sans-serif" font-size="30"><text x="30" y="80">A vacuole is a sac that stores water in the cell.</text>
<text x="30" y="150">The membrane is a layer that surrounds the cell.</text></g></svg>`;

const LEAVES = [
  [
    "Chlorophyll is the green pigment that absorbs light in the leaves.",
    "The stroma is the fluid that fills the inside of the chloroplast.",
  ],
  [
    "Respiration is the process that sets free the energy of sugar.",
    "A mitochondrion is the organelle in which respiration takes place.",
  ],
];

/** A page with a text, a document, slides, a photograph of a board and a video with captions. */
async function aFullPage(user: User): Promise<string> {
  const pageId = await aPage(user, "Plants");
  await aText(user, pageId, "Osmosis is the movement of water across a membrane.");
  const slides = madePptx([{ title: "Roots", bullets: ["A **root hair** is a thin cell that takes up water."] }]);
  const board = await sharp(Buffer.from(BOARD)).png().toBuffer();
  const files = [
    { file: tinyPdf(LEAVES), name: "Leaves.pdf" },
    { file: new Blob([new Uint8Array(slides)]), name: "Roots.pptx" },
    { file: new Blob([new Uint8Array(board)], { type: "image/png" }), name: "Board.png" },
  ];
  for (const file of files) await user.client.uploads.uploadImageComponent({ pageId }, [{ field: "file", ...file }]);
  await user.client.video.createVideoComponent({ url: "https://youtu.be/abcdefghij1", pageId });
  return pageId;
}

const cardsOn = async ({ client }: User, pageId: string) => {
  const { components } = await client.pages.getPage({ id: pageId });
  return components.flatMap((component): Flashcard[] =>
    component.type === "flash_cards" ? component.content.cards : [],
  );
};

/** Fills in the dialog by keyboard: chooses everything on the page, and of the document only its second page. */
async function fillIn({ page }: Student): Promise<void> {
  await page.waitForSelector("dialog[open] .maker");
  await typeByKeys(page, /^First page$/, "2");
  await tabTo(page, /^Automatic/);
  await page.keyboard.press("ArrowDown");
  await pressByKeys(page, /^More options$/);
  for (const name of [/^Roots\.pptx$/, /^Board\.png$/, /^Plants \{part/, /^This page's text$/]) {
    await tabTo(page, name);
    await page.keyboard.press("Space");
  }
}

/** Opens the coverage of the deck by keyboard. */
async function openCoverage(student: Student): Promise<void> {
  // In the page's text, Tab indents; Escape leaves the text.
  await tabTo(student.page, /^Page text$/);
  await student.page.keyboard.press("Escape");
  await pressByKeys(student.page, /^Deck menu$/);
  await chooseByKeys(student.page, /^Coverage$/);
  await student.page.waitForSelector("dialog[open] .coverage-line");
}

async function widthOnPhone({ page }: Student): Promise<number> {
  await page.setViewport({ width: 360, height: 740 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  await page.setViewport({ width: 1360, height: 860 });
  return width;
}

const engines = [
  { name: "builtin", start: async () => undefined as ModelServer | undefined },
  { name: "model", start: () => startModelServer() },
];

test.each(engines)(
  "by keyboard, one deck is made from all kinds of sources, survives closing the tab midway, and shows its coverage: $name",
  async ({ name, start }) => {
    const [youtube, model] = await Promise.all([startYoutubeServer({ abcdefghij1: {} }), start()]);
    const server = await startServerProcess({
      YOUTUBE_BASE_URL: youtube.baseUrl,
      DEFAULT_PLAN: "ULTIMATE",
      ...(model && { AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" }),
    });
    const { student, user } = await registerStudent(browser, server.origin);
    const faults: string[] = [];
    const look = async (viewer: Student, screen: string) => {
      faults.push(...(await viewer.checkScreen(`${screen}-${name}`)));
      const width = await widthOnPhone(viewer);
      if (width > 360) faults.push(`${screen} is ${width} wide on a phone`);
    };
    try {
      const pageId = await aFullPage(user);
      model?.play("slow");
      await student.open(`/page/${pageId}`);
      await student.waitForText("2 pages");
      await pressByKeys(student.page, /^Page menu$/);
      await chooseByKeys(student.page, /^Make flashcards/);
      await fillIn(student);
      await look(student, "maker-mixed");
      await pressByKeys(student.page, /^Make cards$/);
      await student.page.waitForSelector(".deck-cards [data-card]", { timeout: 120_000 });
      if (model) expect(await student.page.$(".deck-run[data-status='running']")).not.toBeNull();

      const again = await openTab(student.page.browserContext(), server.origin);
      await student.page.close();
      await again.open(`/page/${pageId}`);
      await again.page.waitForSelector(".deck-cards [data-card]");
      // A student who comes back after the end finds the cards; one who comes back earlier sees the progress.
      await again.page.waitForFunction(
        () => !document.querySelector('.deck-run[data-status="running"], .deck-run[data-status="waiting"]'),
        { timeout: 120_000 },
      );
      const citationTypes = (await cardsOn(user, pageId)).map(({ citation }) => parseCitation(citation ?? "")?.type);
      expect(new Set(citationTypes)).toEqual(new Set(["pdf_citation", "video_citation", "page_citation"]));
      await look(again, "deck-mixed");

      await openCoverage(again);
      await again.waitForText("p. 1 of Roots.pptx");
      expect(await again.readScreen()).not.toContain("Selected:");
      await look(again, "coverage");
      // The end of the coverage list and its details can be reached.
      await again.page.focus(".coverage-line:last-child button");
      await takePicture(again.page, `coverage-end-${name}`);
      await again.page.keyboard.press("Escape");
      await again.page.waitForSelector("dialog[open]", { hidden: true });
      await again.page.evaluate(() => localStorage.setItem("lamplight_language", "en-x-mirrored"));
      await again.page.reload();
      await again.page.waitForSelector(".deck-cards [data-card]");
      await look(again, "deck-mirrored");
      await again.page.evaluate(() => {
        const buttons = [...document.querySelectorAll("button")];
        buttons.find(({ textContent }) => /flashcards|sdrachsalf/.test(textContent))?.click();
      });
      await again.page.waitForSelector("dialog[open] .maker-also");
      await look(again, "maker-mirrored");
      expect(faults).toEqual([]);
      await again.close();
    } finally {
      await Promise.all([server.dispose(), youtube.close(), model?.close()]);
    }
  },
  240_000,
);
