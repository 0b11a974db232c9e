// Takes the pictures of the help articles from the built product, in each language: `npm run pictures:help` writes them to
// webapp/public/pictures. Names of groups and languages limit the run (`npm run pictures:help -- cards study de`). It fails
// if a screen does not show what its article describes.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "puppeteer";
import sharp from "sharp";
import { screenPath } from "#shared/screens.ts";
import { registerAccount } from "#tests/kit/account.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { openStudentAs } from "#tests/kit/browser/signed-in.ts";
import { ownChapter } from "#tests/kit/own-chapter.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { allowServiceWorkers } from "#tests/kit/student.ts";
import { copyStarterPage } from "#tests/sharing/starter-page.ts";
import { takeCards, takeCoverage, takeDeckMenu, takeImageCards, takePrint, takeSelection } from "./help/cards.ts";
import { takeHighlights, takeKinds, takeReader, takeUpload, takeVideo } from "./help/documents.ts";
import { takePodcast, takeResearch, takeWebsite } from "./help/making.ts";
import { takeHistory, takeImport, takeOffline } from "./help/notes.ts";
import { type Language, type Scene, tables, upload } from "./help/scene.ts";
import { takeModes, takeStatistics, takeStudy } from "./help/study.ts";
import { takeTutor } from "./help/tutor.ts";
import { takeSettings, takeShared, takeTool, takeWorkspace } from "./help/workspace.ts";

allowServiceWorkers();

const FOLDER = "webapp/public/pictures";
const [WIDTH, HEIGHT] = [960, 600];

/** In the order in which they are taken, because later groups change the account's content. */
const groups: Record<string, readonly ((scene: Scene) => Promise<void>)[]> = {
  cards: [takeCards, takeSelection, takeCoverage, takeDeckMenu, takePrint],
  study: [takeStudy, takeModes],
  tutor: [takeTutor],
  making: [takeResearch, takePodcast, takeWebsite],
  workspace: [takeWorkspace],
  documents: [takeReader, takeHighlights],
  sharing: [takeShared],
  tool: [takeTool],
  notes: [takeImport, takeHistory, takeOffline],
  images: [takeImageCards],
  sources: [takeUpload, takeKinds, takeVideo],
  statistics: [takeStatistics],
  settings: [takeSettings],
};
const chosen = new Set(process.argv.slice(2));
/** The names that were chosen; all of them if none was chosen. */
const pickChosen = (names: string[]) =>
  names.filter((name) => chosen.has(name) || !names.some((candidate) => chosen.has(candidate)));

const waitForAnimations = (page: Page) =>
  page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getTiming().iterations === Infinity),
  );

// A plan with daily limits, so that the settings show usage.
const server = await startServerProcess({ DEFAULT_PLAN: "PLUS" });
const shots: string[] = [];
const failures: string[] = [];

/** Takes all pictures in one language, as a student with a copied chapter, its cards and a document. */
async function takeAll(language: Language): Promise<void> {
  const user = await registerAccount(server.origin, { name: "Ada" });
  const { page, components } = await copyStarterPage(user);
  const deckId = components.find(({ type }) => type === "flash_cards")?._id ?? "";
  const pdfId = await upload({ user, pageId: page._id }, await ownChapter(), "genes.pdf");
  await user.client.user.savePreferences({ appearance: { language } });
  const browser = await openBrowser();
  try {
    const student = await openStudentAs(browser, server.origin, user);
    await student.page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: "light" },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
    await student.page.setViewport({ width: WIDTH, height: HEIGHT });
    // The app restarts in the language of the account.
    await student.open(screenPath("home", {}));
    await student.waitForText(tables[language].planning.plan_exam);
    const take = async (name: string, from = student.page) => {
      await waitForAnimations(from);
      const path = join(FOLDER, language, `${name}.webp`);
      mkdirSync(dirname(path), { recursive: true });
      await sharp(await from.screenshot())
        .webp({ quality: 72, effort: 6 })
        .toFile(path);
      shots.push(path);
    };
    const ids = { pageId: page._id, deckId, pdfId };
    const scene = { language, origin: server.origin, user, student, words: tables[language], ...ids, take };
    for (const takeScene of pickChosen(Object.keys(groups)).flatMap((name) => groups[name] ?? []))
      await takeScene(scene).catch((error: unknown) => {
        failures.push(`${language} ${takeScene.name}: ${String(error)}`);
      });
  } finally {
    await browser.close();
  }
}

try {
  for (const language of pickChosen(Object.keys(tables))) await takeAll(language as Language);
} finally {
  await server.dispose();
}
process.stdout.write(`${[...shots, ...failures].join("\n")}\n`);
process.exit(failures.length > 0 ? 1 : 0);
