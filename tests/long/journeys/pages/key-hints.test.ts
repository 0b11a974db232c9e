import { expect, test } from "vitest";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { aCard, aDeck, aPage } from "#tests/store/changes.ts";

const { browser, server } = await startBrowserAndServer();

const DESK = { width: 1360, height: 860 };
const PHONE = { width: 360, height: 740, hasTouch: true, isMobile: true };

/** Runs in the browser: the keys that the screen names. */
const listShownKeys = () =>
  [...document.querySelectorAll("kbd, .key-hint")]
    .filter((hint) => hint.checkVisibility() && hint.querySelector("kbd") === null)
    .map(({ textContent }) => textContent);

test("hints name keys beside a mouse, and none on a touch screen", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const { page } = student;
  const pageId = await aPage(user);
  const deckId = await aDeck(user, pageId, [aCard("gene"), aCard("cell")]);
  const study = `/page/${pageId}/study/${deckId}`;
  const screens = [
    { path: "/home", shown: "Study all", key: "S" },
    { path: study, shown: "Show answer", key: "Space" },
    { path: study, pressed: ".study-show", shown: "Good", key: "3" },
    { path: `/page/${pageId}`, pressed: '[aria-label="Page menu"]', shown: "Undo", key: "Ctrl Z" },
  ];
  const openScreen = async ({ path, pressed, shown }: (typeof screens)[number]) => {
    await student.open(path);
    if (pressed !== undefined) await page.locator(pressed).click();
    await student.waitForText(shown);
  };
  for (const screen of screens) {
    await page.setViewport(DESK);
    await openScreen(screen);
    expect(await page.evaluate(listShownKeys)).toContain(screen.key);
    await page.setViewport(PHONE);
    await openScreen(screen);
    expect(await page.evaluate(listShownKeys)).toEqual([]);
  }
  // The sidebar of a wide window is behind a button on a phone.
  await openScreen({ path: "/home", pressed: '[aria-label="Open menu"]', shown: "Search", key: "" });
  expect(await page.evaluate(listShownKeys)).toEqual([]);
  await page.setViewport(DESK);
  await openScreen({ path: "/home", pressed: '[aria-label="Expand sidebar"]', shown: "Search", key: "" });
  expect(await page.evaluate(listShownKeys)).toContain("Ctrl K");
  await student.close();
});
