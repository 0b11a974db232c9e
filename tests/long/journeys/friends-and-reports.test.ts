import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "puppeteer";
import { afterAll, expect, test } from "vitest";
import { clientAt, PASSWORD } from "#tests/kit/account.ts";
import { uploadByKeys, tabTo, typeByKeys } from "#tests/kit/browser/keyboard.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { openStudent, type Student } from "#tests/kit/student.ts";

const { browser, server } = await startBrowserAndServer();
const folder = mkdtempSync(join(tmpdir(), "lamplight-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function registerByKeys(student: Student, name: string): Promise<void> {
  const { page } = student;
  await student.open("/register");
  await student.waitForText("Your notes and progress are saved to your account.");
  await typeByKeys(page, /^Name$/, name);
  await typeByKeys(page, /^Email$/, `${name.toLowerCase()}@example.org`);
  await typeByKeys(page, /^Password$/, PASSWORD);
  await page.keyboard.press("Enter");
  await student.waitForText(`Welcome, ${name}`);
}

const storedCode = ({ page }: Student) => page.evaluate(() => localStorage.getItem("referral_code"));

/** Runs in the browser before its scripts: makes local storage full. */
const fillStorage = () => {
  Storage.prototype.setItem = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
};

test("a referral code is stored until registration and counts once; if it can't be stored, a console warning is all that happens", async () => {
  const { student: ada, user } = await registerStudent(browser, server.origin);
  const { code, link } = await user.client.user.getReferral({});
  const friend = await openStudent(browser, server.origin);
  await friend.open(new URL(link).pathname + new URL(link).search);
  expect(await storedCode(friend)).toBe(code);
  // The friend reads other pages first, and comes back later.
  await friend.open("/features");
  await friend.open("/");
  expect(await storedCode(friend)).toBe(code);
  await registerByKeys(friend, "Grace");
  await ada.open("/settings");
  await ada.waitForText("People who joined with your link: 1");
  // Signing out and in again does not count as another registration.
  await friend.open("/logout");
  await friend.waitForText("You're signed out");
  await clientAt(server.origin).auth.login({ email: "grace@example.org", password: PASSWORD });
  await ada.open("/settings");
  await ada.waitForText("joined with your link: 1");
  expect(await ada.checkScreen("friends")).toEqual([]);
  await friend.close();

  const other = await openStudent(browser, server.origin);
  const warned: string[] = [];
  other.page.on("console", (entry) => entry.type() === "warn" && warned.push(entry.text()));
  await other.page.evaluateOnNewDocument(fillStorage);
  await other.open(`/?ref=${code}`);
  await other.waitForText("Lamplight");
  expect(warned.join("\n")).toContain("The referral code could not be stored");
  await registerByKeys(other, "Alan");
  expect((await user.client.user.getReferral({})).credited).toBe(1);
  await Promise.all([ada.close(), other.close()]);
});

interface Call {
  origin: string;
  path: string;
  body: string;
}

/** Records every request of this tab. */
function recordCalls(page: Page): Call[] {
  const calls: Call[] = [];
  page.on("request", (request) => {
    const { protocol, origin, pathname: path } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol)) calls.push({ origin, path, body: request.postData() ?? "" });
  });
  return calls;
}

/** Runs in the browser: whether a notice contains these words. */
const hasAlert = (words: string) => document.querySelector(".alerts")?.textContent?.includes(words) === true;

const EVENTS = "/v1/analytics/events";

test("error reports by keyboard are sent only with consent and only to this server, every line is shown, and withdrawing consent stops them", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const { page } = student;
  const calls = recordCalls(page);
  const reports = () => calls.filter(({ path }) => path === EVENTS);
  const noPicture = join(folder, "words.png");
  writeFileSync(noPicture, "not a picture");
  const fail = async () => {
    await uploadByKeys(page, /^Choose picture$/, noPicture);
    await page.waitForFunction(hasAlert, { polling: 100 }, "Failed to upload profile picture");
    await page.waitForFunction(() => !document.querySelector(".alerts")?.textContent);
  };
  const toggleConsent = async () => {
    await tabTo(page, /^Send error reports to this server only$/);
    await page.keyboard.press("Space");
  };
  const isAllowed = async () => (await user.client.user.getPreferences({})).analytics.enabled;

  await student.open("/settings");
  await tabTo(page, /^Advanced$/);
  await page.keyboard.press("Enter");
  await student.waitForText("Error reports");
  expect(await isAllowed()).toBe(false);
  await fail();
  expect(reports()).toEqual([]);

  await toggleConsent();
  await student.waitForText("No errors reported from this window.");
  await fail();
  await student.waitForText("alert_error Failed to upload profile picture");
  expect(await student.checkScreen("reports")).toEqual([]);
  await expect.poll(() => reports().length).toBe(1);
  expect(JSON.parse(reports()[0]?.body ?? "")).toMatchObject({ events: [{ name: "alert_error" }] });

  await toggleConsent();
  await expect.poll(isAllowed).toBe(false);
  await fail();
  expect(reports()).toHaveLength(1);
  expect([...new Set(calls.map(({ origin }) => origin))]).toEqual([server.origin]);
  await student.close();
});
