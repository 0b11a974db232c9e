import { TargetType, type Page } from "puppeteer";
import { expect, test } from "vitest";
import { registerAccount } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";
import { registerStudent, openStudentAs } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { openStudent, takePicture, type Student } from "#tests/kit/student.ts";
import { serveTwoBuilds } from "#tests/kit/browser/replaceable-app.ts";

const { browser, server } = await startBrowserAndServer();

/** Runs in the browser: the worker has every file and answers for this page. */
const isCached = async () => {
  await navigator.serviceWorker.ready;
  return navigator.serviceWorker.controller !== null;
};

/** Runs in the browser: the notices that stand there, as the student reads them. */
const notices = async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  return ((await registration?.getNotifications()) ?? []).map(({ title, body, silent }) => ({ title, body, silent }));
};

/** Runs in the worker, since no pointer reaches a notice of a browser without a window. */
const pressNotice = `registration.getNotifications().then(([notification]) =>
  self.dispatchEvent(new NotificationEvent("notificationclick", { notification })))`;

/** A quarter of an hour ago, or midnight where that was yesterday: it is the day's time for a notice. */
function justNow(): string {
  const now = new Date();
  const minutes = Math.max(0, now.getUTCHours() * 60 + now.getUTCMinutes() - 15);
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

test("settings by keyboard: a reminder is allowed, comes once and opens the session; one click turns it off", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  await user.client.user.saveSettings({ timezone: "UTC" });
  await user.client.user.savePreferences({ notifications: { due_at: justNow() } });
  const pageId = await aPage(user, "Genes and proteins");
  const deckId = await aDeck(user, pageId, [aCard("codon", "What does a codon name?")]);
  const review = { _id: "a-review-long-ago", componentId: deckId, cardId: "codon", grade: 3 } as const;
  const long = { reviewedAt: Date.now() - 60 * 86_400_000, durationMs: 900, mode: "study" } as const;
  await send(user, aChange("review_add", deckId, { ...review, ...long }));
  const { page } = student;
  await page.browserContext().overridePermissions(server.origin, ["notifications"]);
  // As behind other windows.
  await page.evaluateOnNewDocument(() => {
    document.hasFocus = () => false;
  });
  await student.open("/settings");
  await student.waitForText("Reminders");
  await page.waitForFunction(isCached, { polling: 200 });
  await reach(page, "Remind me daily when cards are due");
  await page.keyboard.press("Space");
  await student.waitForText("One notification a day");
  await page.waitForFunction(`(${String(notices)})().then((all) => all.length === 1)`, { polling: 200 });
  expect(await page.evaluate(notices)).toEqual([{ title: "1 card is due", body: "Start with “Genes”", silent: true }]);
  const faults = await student.checkScreen("settings-reminders");
  const worker = await (await browser.waitForTarget((target) => target.type() === TargetType.SERVICE_WORKER)).worker();
  await worker?.evaluate(pressNotice);
  await page.waitForFunction((path) => location.pathname === path, {}, `/page/${pageId}/study/${deckId}`);
  await student.waitForText("What does a codon name?");
  expect(await page.evaluate(notices)).toEqual([]);
  await student.open("/settings");
  await student.waitForText("One notification a day");
  await reach(page, "Remind me daily when cards are due");
  await page.keyboard.press("Space");
  await expect.poll(async () => (await user.client.user.getPreferences({})).notifications.due_cards).toBe(false);
  await student.open("/labs");
  await student.waitForText("Experiments, off by default");
  faults.push(...(await student.checkScreen("labs")));
  expect(faults).toEqual([]);
  await student.close();
}, 90_000);

/** Runs in the browser: whether the control with this label has the focus. */
const isThere = (wanted: string) => {
  const at = document.activeElement;
  return at instanceof HTMLInputElement && [...(at.labels ?? [])].some((one) => one.textContent === wanted);
};

/** By Tab to the control with this label. */
async function reach(page: Page, label: string): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    if (await page.evaluate(isThere, label)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${label}`);
}

const scriptOf = ({ page }: Student) =>
  page.evaluate(() => document.querySelector<HTMLScriptElement>("script[type=module][src*=index]")?.src ?? "");

/** Runs in the browser: its clock goes ahead. */
const setAhead = (ms: number) => Object.assign((globalThis as unknown as { ahead: { ms: number } }).ahead, { ms });

const UPDATED = "The app has been updated. Please refresh the page to get the latest version";
const alerts = ({ page }: Student) => page.evaluate(() => document.querySelector(".alerts")?.textContent ?? "");

test("a new version is announced and loads on request; without it a missing part is reported once in 30 s, and the screen stays", async () => {
  const released = await serveTwoBuilds("dist/web", (webFolder) => startApi({ webFolder, realClock: true }));
  const user = await registerAccount(released.origin);
  const student = await openStudentAs(browser, released.origin, user);
  await student.open("/home");
  await student.waitForText("Hello, Ada");
  await student.page.waitForFunction(isCached, { polling: 200 });
  // Somebody whose browser keeps no files has the old version open as well.
  const bare = await openStudentAs(browser, released.origin, user);
  await bare.page.evaluateOnNewDocument(() => {
    const real = performance.now.bind(performance);
    const ahead = { ms: 0 };
    Object.assign(globalThis, { ahead });
    performance.now = () => real() + ahead.ms;
    Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
  });
  await bare.open("/home");
  await bare.waitForText("Hello, Ada");
  const visitor = await openStudent(browser, released.origin);
  await visitor.open("/login");
  await visitor.waitForText("Welcome back");

  released.release();
  expect(await scriptOf(student)).not.toContain("-next");
  await student.page.bringToFront();
  await student.page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));
  await student.waitForText("A new version of the product is available");
  expect(await student.checkScreen("new-version")).toEqual([]);
  await student.press("button", "Refresh");
  await student.page.waitForFunction(
    () => document.querySelector<HTMLScriptElement>("script[type=module][src*=index]")?.src.includes("-next"),
    { polling: 200 },
  );
  await student.waitForText("Hello, Ada");
  await student.close();

  // The sheet of keys was never fetched, and its file is gone.
  const { page } = bare;
  await page.bringToFront();
  // What this screen fetched by itself meanwhile was missing as well, and was reported.
  await page.evaluate(setAhead, 60_000);
  await page.keyboard.press("?");
  await bare.waitForText(UPDATED);
  await takePicture(page, "part-missing");
  await bare.waitForText("Hello, Ada");
  await page.waitForFunction(() => !document.body.innerText.includes("The app has been updated"));
  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.up("Control");
  await page.waitForNetworkIdle();
  expect(await alerts(bare)).not.toContain("The app has been updated");
  await page.evaluate(setAhead, 90_000);
  await page.keyboard.press("?");
  await bare.waitForText(UPDATED);
  await bare.close();

  // A screen whose file is gone is opened anew with the new version.
  await visitor.page.bringToFront();
  await visitor.page.locator("::-p-text(Forgot your password?)").click();
  await visitor.waitForText("Reset your password");
  expect(await scriptOf(visitor)).toContain("-next");
  await visitor.close();
}, 120_000);
