import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "puppeteer";
import { afterAll, expect, test } from "vitest";
import { clientAt, PASSWORD } from "#tests/kit/account.ts";
import { giveByKeys, tabTo, writeByKeys } from "#tests/kit/browser/keyboard.ts";
import { aStudent } from "#tests/kit/browser/seat.ts";
import { aStage } from "#tests/kit/browser/stage.ts";
import { sitDown, type Student } from "#tests/kit/student.ts";

const { browser, server } = await aStage();
const folder = mkdtempSync(join(tmpdir(), "lamplight-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function registerByKeys(student: Student, name: string): Promise<void> {
  const { page } = student;
  await student.open("/register");
  await student.reads("Your notes and progress are saved to your account.");
  await writeByKeys(page, /^Name$/, name);
  await writeByKeys(page, /^Email$/, `${name.toLowerCase()}@example.org`);
  await writeByKeys(page, /^Password$/, PASSWORD);
  await page.keyboard.press("Enter");
  await student.reads(`Welcome, ${name}`);
}

const keptCode = ({ page }: Student) => page.evaluate(() => localStorage.getItem("referral_code"));

/** Runs in the browser before anything else: as where nothing may be kept any more. */
const withoutRoom = () => {
  Storage.prototype.setItem = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
};

test("a friend's link is kept until an account is made, counts once, and where it cannot be kept the console says so and all else works", async () => {
  const { student: ada, user } = await aStudent(browser, server.origin);
  const { code, link } = await user.client.user.getReferral({});
  const friend = await sitDown(browser, server.origin);
  await friend.open(new URL(link).pathname + new URL(link).search);
  expect(await keptCode(friend)).toBe(code);
  // Read on first, and come back another day.
  await friend.open("/features");
  await friend.open("/");
  expect(await keptCode(friend)).toBe(code);
  await registerByKeys(friend, "Grace");
  await ada.open("/settings");
  await ada.reads("People who joined with your link: 1");
  // Signing out and in again makes no account.
  await friend.open("/logout");
  await friend.reads("You're signed out");
  await clientAt(server.origin).auth.login({ email: "grace@example.org", password: PASSWORD });
  await ada.open("/settings");
  await ada.reads("joined with your link: 1");
  expect(await ada.look("friends")).toEqual([]);
  await friend.leave();

  const other = await sitDown(browser, server.origin);
  const warned: string[] = [];
  other.page.on("console", (said) => said.type() === "warn" && warned.push(said.text()));
  await other.page.evaluateOnNewDocument(withoutRoom);
  await other.open(`/?ref=${code}`);
  await other.reads("Lamplight");
  expect(warned.join("\n")).toContain("The referral code could not be kept");
  await registerByKeys(other, "Alan");
  expect((await user.client.user.getReferral({})).credited).toBe(1);
  await Promise.all([ada.leave(), other.leave()]);
});

interface Call {
  origin: string;
  path: string;
  body: string;
}

/** Everything that this tab asks of anybody. */
function overhear(page: Page): Call[] {
  const calls: Call[] = [];
  page.on("request", (request) => {
    const { protocol, origin, pathname: path } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol)) calls.push({ origin, path, body: request.postData() ?? "" });
  });
  return calls;
}

/** Runs in the browser: whether a notice says these words. */
const told = (words: string) => document.querySelector(".alerts")?.textContent?.includes(words) === true;

const EVENTS = "/v1/analytics/events";

test("reports by keyboard alone: nothing leaves the browser until it is allowed, then to this server alone, each line shown, and no more once it is forbidden", async () => {
  const { student, user } = await aStudent(browser, server.origin);
  const { page } = student;
  const calls = overhear(page);
  const reports = () => calls.filter(({ path }) => path === EVENTS);
  const noPicture = join(folder, "words.png");
  writeFileSync(noPicture, "not a picture");
  const fail = async () => {
    await giveByKeys(page, /^Choose picture$/, noPicture);
    await page.waitForFunction(told, { polling: 100 }, "Failed to upload profile picture");
    await page.waitForFunction(() => !document.querySelector(".alerts")?.textContent);
  };
  const turn = async () => {
    await tabTo(page, /^Send error reports to this server only$/);
    await page.keyboard.press("Space");
  };
  const isAllowed = async () => (await user.client.user.getPreferences({})).analytics.enabled;

  await student.open("/settings");
  await student.reads("Error reports");
  expect(await isAllowed()).toBe(false);
  await fail();
  expect(reports()).toEqual([]);

  await turn();
  await student.reads("No errors reported from this window.");
  await fail();
  await student.reads("alert_error Failed to upload profile picture");
  expect(await student.look("reports")).toEqual([]);
  await expect.poll(() => reports().length, { timeout: 10_000 }).toBe(1);
  expect(JSON.parse(reports()[0]?.body ?? "")).toMatchObject({ events: [{ name: "alert_error" }] });

  await turn();
  await expect.poll(isAllowed, { timeout: 10_000 }).toBe(false);
  await fail();
  expect(reports()).toHaveLength(1);
  expect([...new Set(calls.map(({ origin }) => origin))]).toEqual([server.origin]);
  await student.leave();
});
