import { TargetType, type Page } from "puppeteer";
import { expect, test } from "vitest";
import { registerAccount } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";
import { registerStudent, openStudentAs } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { allowServiceWorkers, openStudent, takePicture, type Student } from "#tests/kit/student.ts";
import { serveTwoBuilds } from "#tests/kit/browser/replaceable-app.ts";
import { readNotifications } from "#tests/kit/browser/notifications.ts";

allowServiceWorkers();

const { browser, server } = await startBrowserAndServer();

/** Runs in the browser: whether the service worker has cached every file and controls this page. */
const isCached = async () => {
  await navigator.serviceWorker.ready;
  return navigator.serviceWorker.controller !== null;
};

/** Runs in the service worker, because a headless browser has no notification to click. */
const clickNotification = `registration.getNotifications().then(([notification]) =>
  self.dispatchEvent(new NotificationEvent("notificationclick", { notification })))`;

/** The time 15 minutes ago, or midnight if that was yesterday, so that today's reminder is due now. */
function justNow(): string {
  const now = new Date();
  const minutes = Math.max(0, now.getUTCHours() * 60 + now.getUTCMinutes() - 15);
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

test("a reminder turned on by keyboard appears once, opens the session when clicked, and can be turned off again", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  await user.client.user.saveSettings({ timezone: "UTC" });
  await user.client.user.savePreferences({ notifications: { due_at: justNow() } });
  const pageId = await aPage(user, "Genes and proteins");
  const deckId = await aDeck(user, pageId, [aCard("codon", "What does a codon name?")]);
  const review = { _id: "a-review-long-ago", componentId: deckId, cardId: "codon", grade: 3 } as const;
  const answered = { reviewedAt: Date.now() - 60 * 86_400_000, durationMs: 900, mode: "study" } as const;
  await send(user, aChange("review_add", deckId, { ...review, ...answered }));
  const { page } = student;
  await page.browserContext().overridePermissions(server.origin, ["notifications"]);
  // The window never counts as focused, as if it were behind another one.
  await page.evaluateOnNewDocument(() => {
    document.hasFocus = () => false;
  });
  await student.open("/settings");
  await student.waitForText("Reminders");
  await page.waitForFunction(isCached, { polling: 200 });
  await tabTo(page, "Remind me daily when cards are due");
  await page.keyboard.press("Space");
  await student.waitForText("One notification a day");
  await page.waitForFunction(`(${String(readNotifications)})().then((all) => all.length === 1)`, { polling: 200 });
  expect(await page.evaluate(readNotifications)).toEqual([
    { title: "1 card is due", body: "Start with “Genes”", silent: true },
  ]);
  const faults = await student.checkScreen("settings-reminders");
  const worker = await (await browser.waitForTarget((target) => target.type() === TargetType.SERVICE_WORKER)).worker();
  await worker?.evaluate(clickNotification);
  await page.waitForFunction((path) => location.pathname === path, {}, `/page/${pageId}/study/${deckId}`);
  await student.waitForText("What does a codon name?");
  expect(await page.evaluate(readNotifications)).toEqual([]);
  await student.open("/settings");
  await student.waitForText("One notification a day");
  await tabTo(page, "Remind me daily when cards are due");
  await page.keyboard.press("Space");
  await expect.poll(async () => (await user.client.user.getPreferences({})).notifications.due_cards).toBe(false);
  await student.open("/labs");
  await student.waitForText("Experiments, off by default");
  faults.push(...(await student.checkScreen("labs")));
  expect(faults).toEqual([]);
  await student.close();
});

/** Runs in the browser: whether the control with this label has the focus. */
const isFocused = (wanted: string) => {
  const element = document.activeElement;
  return (
    element instanceof HTMLInputElement && [...(element.labels ?? [])].some((label) => label.textContent === wanted)
  );
};

/** Presses Tab until the control with this label has the focus. */
async function tabTo(page: Page, label: string): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    if (await page.evaluate(isFocused, label)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${label}`);
}

const readAppScript = ({ page }: Student) =>
  page.evaluate(() => document.querySelector<HTMLScriptElement>("script[type=module][src*=index]")?.src ?? "");

/** Runs in the browser: sets its clock ahead by this many milliseconds. */
const setAhead = (ms: number) => Object.assign((globalThis as unknown as { ahead: { ms: number } }).ahead, { ms });

const UPDATED = "The app has been updated. Please refresh the page to get the latest version";
const readAlerts = ({ page }: Student) => page.evaluate(() => document.querySelector(".alerts")?.textContent ?? "");

test("a new version loads on request; if an old version lacks a file, a message says so at most once in 30 s", async () => {
  const released = await serveTwoBuilds("dist/web", (webFolder) => startApi({ webFolder, realClock: true }));
  const user = await registerAccount(released.origin);
  const student = await openStudentAs(browser, released.origin, user);
  await student.open("/home");
  await student.waitForText("Hello, Ada");
  await student.page.waitForFunction(isCached, { polling: 200 });
  // A student whose browser has no service worker has the old version open too.
  const uncached = await openStudentAs(browser, released.origin, user);
  await uncached.page.evaluateOnNewDocument(() => {
    const real = performance.now.bind(performance);
    const ahead = { ms: 0 };
    Object.assign(globalThis, { ahead });
    performance.now = () => real() + ahead.ms;
    Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
  });
  await uncached.open("/home");
  await uncached.waitForText("Hello, Ada");
  const visitor = await openStudent(browser, released.origin);
  await visitor.open("/login");
  await visitor.waitForText("Welcome back");

  released.release();
  expect(await readAppScript(student)).not.toContain("-next");
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

  // The list of shortcuts was never loaded, and the server no longer has its file.
  const { page } = uncached;
  await page.bringToFront();
  // The screen may have reported another missing file by itself, so the clock skips the next 30 s.
  await page.evaluate(setAhead, 60_000);
  await page.keyboard.press("?");
  await uncached.waitForText(UPDATED);
  await takePicture(page, "part-missing");
  await uncached.waitForText("Hello, Ada");
  await page.waitForFunction(() => !document.body.innerText.includes("The app has been updated"));
  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.up("Control");
  await page.waitForNetworkIdle();
  expect(await readAlerts(uncached)).not.toContain("The app has been updated");
  await page.evaluate(setAhead, 90_000);
  await page.keyboard.press("?");
  await uncached.waitForText(UPDATED);
  await uncached.close();

  // Opening a screen whose file is gone reloads the app in the new version.
  await visitor.page.bringToFront();
  await visitor.page.locator("::-p-text(Forgot your password?)").click();
  await visitor.waitForText("Reset your password");
  expect(await readAppScript(visitor)).toContain("-next");
  await visitor.close();
});
