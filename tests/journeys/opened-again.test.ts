import { ulid } from "ulid";
import { expect, test } from "vitest";
import { pageCitation } from "#shared/citations.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { aCard, aChange, aPage, deckComponent, send, textComponent } from "#tests/store/changes.ts";

const { browser, server } = await startBrowserAndServer();

const LINES = 80;
const lineText = (at: number) => `Line ${at} says what gene ${at} does in the cell.`;

/** Runs in the browser: whether the cited passage is in the window. */
function isCitedVisible(): boolean {
  const highlight = CSS.highlights.get("lamplight-cited");
  const [range] = highlight ? [...highlight] : [];
  const box = range instanceof Range ? range.getBoundingClientRect() : undefined;
  return box !== undefined && box.height > 0 && box.top >= 0 && box.bottom <= window.innerHeight;
}

test("a citation of the page that is open scrolls to its passage each time, and going back returns", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const { page } = student;
  const pageId = await aPage(user);
  const ids = Array.from({ length: LINES }, () => ulid());
  const cited = LINES - 5;
  const citation = pageCitation(pageId, ids[cited] ?? "", lineText(cited));
  const deckId = ulid();
  await send(
    user,
    aChange("component_create", deckId, deckComponent(deckId, pageId, [{ ...aCard("gene"), citation }])),
    ...ids.map((id, at) => aChange("component_create", id, textComponent(id, pageId, lineText(at)))),
  );
  await student.open(`/page/${pageId}`);
  await student.waitForText(lineText(0));
  for (let press = 0; press < 3; press += 1) {
    await page.evaluate(() => window.scrollTo(0, 0));
    expect(await page.evaluate(isCitedVisible)).toBe(false);
    await student.press("button", "Source");
    await page.waitForFunction(isCitedVisible);
    // It stays there after the router has finished as well.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await page.evaluate(isCitedVisible)).toBe(true);
  }
  await page.goBack();
  await page.waitForFunction(() => window.scrollY === 0);
  await student.close();
});
