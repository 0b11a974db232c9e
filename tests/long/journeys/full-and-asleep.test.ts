import type { Browser, Page } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { moveClockAhead, setClockAhead } from "#tests/kit/browser/browser-clock.ts";
import { registerAccount, clientAt, PASSWORD } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { type FakeClock, fakeClock } from "#tests/kit/fake-clock.ts";
import { registerStudent, openStudentAs } from "#tests/kit/browser/signed-in.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { allowServiceWorkers, takePicture } from "#tests/kit/student.ts";

allowServiceWorkers();

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Types at the end of the line with these words. */
async function writeAfter(page: Page, words: string, text: string): Promise<void> {
  await page.bringToFront();
  await page.locator(`::-p-text(${words})`).click();
  await page.keyboard.press("End");
  await page.keyboard.type(text);
}

/** Runs in the browser: whether the service worker has cached every file and controls this page. */
const isCached = async () => {
  await navigator.serviceWorker.ready;
  return navigator.serviceWorker.controller !== null;
};

/** Types until the screen shows these words, or no longer shows them, because a browser does not check its quota at every write. */
const typeUntil = (page: Page, words: string, isShown: boolean) =>
  expect
    .poll(
      async () => {
        await page.keyboard.type(".");
        return (await page.evaluate(() => document.body.innerText)).includes(words);
      },
      { timeout: 60_000, interval: 1_000 },
    )
    .toBe(isShown);

const NO_SPACE = "Not saved yet. This device is out of space, so keep this page open";

test("in a browser without space, unsaved text is reported, stays, is sent when the server returns, and is stored again once there is space", async () => {
  const server = await startServerProcess();
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "Osmosis");
  await aText(user, pageId, "Water passes the membrane.");
  const { page } = student;
  const serverText = async () => JSON.stringify(await user.client.pages.getPage({ id: pageId }));
  await student.open(`/page/${pageId}`);
  await student.waitForText("Water passes the membrane.");
  await page.waitForFunction(isCached, { polling: 200 });
  const cdp = await page.createCDPSession();
  await cdp.send("Storage.overrideQuotaForOrigin", { origin: server.origin, quotaSize: 1 });
  await page.setOfflineMode(true);
  await writeAfter(page, "Water passes the membrane.", " Salt does not");
  await typeUntil(page, NO_SPACE, true);
  await takePicture(page, "disk-full");
  await page.setOfflineMode(false);
  await expect.poll(serverText).toContain("Salt does not.");
  await student.waitForText("Saved");

  // Again without a network, until there is space again.
  await page.setOfflineMode(true);
  await page.keyboard.type(" Sugar neither");
  await typeUntil(page, NO_SPACE, true);
  await cdp.send("Storage.overrideQuotaForOrigin", { origin: server.origin });
  await typeUntil(page, NO_SPACE, false);
  await student.waitForText("Offline. Kept on this device");
  await page.reload();
  await student.waitForText("Sugar neither.");
  await page.setOfflineMode(false);
  await expect.poll(serverText).toContain("Sugar neither.");
  await student.close();
  await server.dispose();
});

const THREE_DAYS_MS = 3 * 86_400_000;

/** Puts the laptop to sleep with unsent text, and wakes it three days later with a network. */
async function sleepThreeDays(page: Page, clock: FakeClock, meanwhile: () => Promise<void>) {
  const cdp = await page.createCDPSession();
  await page.evaluate(setClockAhead, THREE_DAYS_MS);
  await cdp.send("Page.setWebLifecycleState", { state: "frozen" });
  clock.advance(THREE_DAYS_MS);
  await meanwhile();
  await page.setOfflineMode(false);
  await cdp.send("Page.setWebLifecycleState", { state: "active" });
  await page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));
}

/** A student with unsent text, on a laptop and a server whose clocks can be moved. */
async function aStudentWithUnsentText(words: string) {
  const clock = fakeClock(Date.now());
  const api = await startApi({ webFolder: "dist/web", clock });
  const user = await registerAccount(api.origin);
  const pageId = await aPage(user, "Enzymes");
  await aText(user, pageId, "An enzyme speeds a reaction up.");
  const student = await openStudentAs(browser, api.origin, user);
  const { page } = student;
  await page.evaluateOnNewDocument(moveClockAhead);
  await student.open(`/page/${pageId}`);
  await student.waitForText("An enzyme speeds a reaction up.");
  await page.setOfflineMode(true);
  await writeAfter(page, "An enzyme speeds a reaction up.", words);
  await student.waitForText("Offline. Kept on this device");
  return { clock, api, user, pageId, student };
}

test("a laptop asleep for three days renews its expired tokens and sends its earlier changes", async () => {
  const { clock, api, user, pageId, student } = await aStudentWithUnsentText(" It is not used up.");
  const { page } = student;
  const before = (await page.cookies(api.origin)).find(({ name }) => name === "lamplight_token")?.value;
  await sleepThreeDays(page, clock, async () => undefined);
  const { token } = await clientAt(api.origin).auth.login({ email: user.email, password: PASSWORD });
  const serverText = async () => JSON.stringify(await clientAt(api.origin, token).pages.getPage({ id: pageId }));
  await expect.poll(serverText).toContain("It is not used up.");
  await student.waitForText("Saved");
  expect(new URL(page.url()).pathname).toBe(`/page/${pageId}`);
  const after = (await page.cookies(api.origin)).find(({ name }) => name === "lamplight_token")?.value;
  expect(after).not.toBe(before);
  await student.close();
});

test("a laptop whose session was ended while asleep asks to sign in, shows what is stored, and sends it then", async () => {
  const { clock, api, user, pageId, student } = await aStudentWithUnsentText(" It is free.");
  const { page } = student;
  const { token } = await clientAt(api.origin).auth.login({ email: user.email, password: PASSWORD });
  const phone = clientAt(api.origin, token);
  await sleepThreeDays(page, clock, async () => {
    await phone.auth.removeOtherSessions({});
  });
  await student.waitForText("Sign in with the same account to save");
  await takePicture(page, "asleep-signed-out");
  // By keyboard, because a page that was frozen takes long to paint a frame, which mouse actions wait for.
  await page.focus("input[autocomplete=email], input[type=email]");
  await page.keyboard.type(user.email);
  await page.focus("input[autocomplete=current-password]");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  const serverText = async () => JSON.stringify(await phone.pages.getPage({ id: pageId }));
  await expect.poll(serverText).toContain("It is free.");
  await student.close();
});
