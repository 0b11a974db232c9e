// Makes the pictures of the help from the built product, in each language: `npm run pictures:help` writes them to
// webapp/public/pictures. It fails where a screen does not show what its article describes.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { table as german } from "#shared/messages/german.ts";
import { english } from "#shared/messages/english.ts";
import { screenPath } from "#shared/screens.ts";
import { registerAccount } from "#tests/kit/account.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { openStudentAs } from "#tests/kit/browser/signed-in.ts";
import { ownChapter } from "#tests/kit/own-chapter.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { copyStarterPage } from "#tests/sharing/starter-page.ts";
import type { Student } from "#tests/kit/student.ts";

const FOLDER = "webapp/public/pictures";
const [WIDTH, HEIGHT] = [960, 600];
const languages = { en: english, de: german } as const;

interface Scene {
  student: Student;
  words: (typeof languages)[keyof typeof languages];
  pageId: string;
  deckId: string;
  pdfId: string;
  take: (name: string) => Promise<void>;
}

const settle = ({ page }: Student) =>
  page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== "running"));

/** A page of notes with its cards, their sentence, and how they are studied. */
async function takeCards({ student, words, pageId, deckId, take }: Scene): Promise<void> {
  const { page } = student;
  await student.open(screenPath("page", { id: pageId }));
  await student.waitForText("Photosynthesis is the process");
  await take("page");
  await student.open(screenPath("deck", { id: pageId, slug: deckId }));
  await page.waitForSelector(".cite-badge");
  // The schedules come after the cards.
  await page.waitForSelector(".deck-progress");
  await take("deck");
  await page.locator(".cite-badge").click();
  await page.waitForFunction(() => CSS.highlights.size > 0);
  await take("card-source");
  await student.open(screenPath("study", { id: pageId, flashcard: deckId }));
  await student.waitForText(words.study.show);
  await page.keyboard.press("Space");
  await student.waitForText(words.study.good);
  await take("study");
}

/** Cards that turn by themselves, and the choice of cards above a session. */
async function takeModes({ student, words, pageId, deckId, take }: Scene): Promise<void> {
  const { page } = student;
  const study = screenPath("study", { id: pageId, flashcard: deckId });
  await student.open(`${study}?mode=flip`);
  await page.waitForSelector("select[class*=study-bucket]");
  await page.select("select[class*=study-bucket]", "all");
  await student.waitForText(words.modes.flip_play);
  await take("autoplay");
  await student.open(study);
  await student.waitForText(words.study.show);
  await page.select("select[class*=study-bucket]", "all");
  await page.focus("select[class*=study-bucket]");
  await take("buckets");
}

/** Words that are selected in a document, with what can be done with them. */
async function takeHighlights({ student, pdfId, take }: Scene): Promise<void> {
  const { page } = student;
  await student.open(screenPath("pdf", { slug: pdfId }));
  await page.waitForSelector(".textLayer span");
  await page.keyboard.press("/");
  await page.waitForSelector("search input");
  await page.keyboard.type("reading frame");
  await page.waitForSelector(".pdf-find-now");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".pdf-selection");
  await take("highlight");
}

/** A question about the page, with the passages of the answer. */
async function takeTutor({ student, words, pageId, take }: Scene): Promise<void> {
  const { page } = student;
  await student.open(screenPath("page", { id: pageId }));
  await student.waitForText("Photosynthesis is the process");
  if (!(await page.$(".tutor-panel"))) await student.press("button", words.tutor.open);
  await page.locator(`::-p-aria([name="${words.tutor.ask_label}"])`).click();
  await page.keyboard.type("What does the rate of photosynthesis depend on?");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.tutor-panel .message-answer[aria-busy="false"] .cite-badge');
  await take("tutor");
}

/** Where things are planned, found, read and set. */
async function takeWorkspace({ student, words, pdfId, take }: Scene): Promise<void> {
  const { page } = student;
  await student.open(screenPath("home", {}));
  await student.waitForText(words.planning.plan_exam);
  await take("home");
  await student.press("button", words.planning.plan_exam);
  await page.waitForSelector('input[type="date"]');
  await take("exam");
  await student.open(`${screenPath("search", {})}?q=chlorophyll`);
  await student.waitForText("Photosynthesis");
  await take("search");
  await student.open(screenPath("pdf", { slug: pdfId }));
  await page.waitForSelector(".textLayer span");
  await take("reader");
  await student.open(screenPath("settings", {}));
  await page.waitForSelector("h1");
  await take("settings");
}

/** How a page is shared, and what others shared. */
async function takeShared({ student, words, pageId, take }: Scene, endSharing: () => Promise<unknown>): Promise<void> {
  await student.open(screenPath("page", { id: pageId }));
  await student.press("button", words.pages.menu);
  await student.press("menuitem", words.common.share);
  await student.waitForText(words.sharing.private_text);
  await student.press("radio", words.sharing.listed);
  await student.waitForText(words.sharing.licence);
  await take("share");
  await endSharing();
  await student.open(screenPath("explore", {}));
  await student.waitForText("Photosynthesis");
  await take("explore");
}

const server = await startServerProcess();
const shots: string[] = [];

/** A student with a copied chapter, its cards and a document. */
async function takeAll(language: keyof typeof languages): Promise<void> {
  const folder = join(FOLDER, language);
  mkdirSync(folder, { recursive: true });
  const user = await registerAccount(server.origin, { name: "Ada" });
  const { page, components } = await copyStarterPage(user);
  const deckId = components.find(({ type }) => type === "flash_cards")?._id ?? "";
  const file = new Blob([new Uint8Array(await ownChapter())], { type: "application/pdf" });
  const sent = { field: "file", file, name: "genes.pdf" };
  const { component } = await user.client.uploads.uploadImageComponent({ pageId: page._id }, [sent]);
  await user.client.user.savePreferences({ appearance: { language } });
  const browser = await openBrowser();
  try {
    const student = await openStudentAs(browser, server.origin, user);
    await student.page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: "light" },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
    await student.page.setViewport({ width: WIDTH, height: HEIGHT });
    // The app starts again in the language of the account.
    await student.open(screenPath("home", {}));
    await student.waitForText(languages[language].planning.plan_exam);
    const take = async (name: string) => {
      await settle(student);
      const path = join(folder, `${name}.webp`);
      await sharp(await student.page.screenshot())
        .webp({ quality: 72, effort: 6 })
        .toFile(path);
      shots.push(path);
    };
    const scene = { student, words: languages[language], pageId: page._id, deckId, pdfId: component._id, take };
    await takeCards(scene);
    await takeModes(scene);
    await takeTutor(scene);
    await takeWorkspace(scene);
    await takeHighlights(scene);
    await takeShared(scene, () => user.client.sharing.endShare({ type: "page", id: page._id }));
  } finally {
    await browser.close();
  }
}

try {
  await takeAll("en");
  await takeAll("de");
} finally {
  await server.dispose();
}
process.stdout.write(`${shots.join("\n")}\n`);
process.exit(0);
