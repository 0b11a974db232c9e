import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "puppeteer";
import sharp from "sharp";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { clientAt, PASSWORD } from "#tests/kit/account.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { aSignInIssuer } from "#tests/kit/servers/issuer.ts";
import { uploadByKeys, pressByKeys, typeByKeys } from "#tests/kit/browser/keyboard.ts";
import { aMailServer, type MailServer } from "#tests/kit/servers/mail-server.ts";
import { freePort, startServerProcess, type ServerProcess } from "#tests/kit/servers/server-process.ts";
import { openStudent, type Student } from "#tests/kit/student.ts";

let browser: Browser;
const folder = mkdtempSync(join(tmpdir(), "lamplight-"));
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

const SECOND = "another lamp upon the desk";
const THIRD = "a third lamp upon the desk";

/** Starts a server with its own address in the settings, which links in mails and sign-in providers need. */
async function aServer(env: (origin: string) => Promise<Record<string, string>>): Promise<ServerProcess> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = await startServerProcess({ PORT: String(port), PUBLIC_URL: origin, ...(await env(origin)) });
  onTestFinished(() => server.dispose());
  return server;
}

/** A client with the token of the account that is signed in to this browser. */
async function clientOf({ page }: Student, { origin }: ServerProcess) {
  const cookies = await page.cookies(origin);
  return clientAt(origin, cookies.find(({ name }) => name === "lamplight_token")?.value);
}

/** Ends the onboarding, which has its own test. */
async function endOnboarding(student: Student, server: ServerProcess): Promise<void> {
  await (await clientOf(student, server)).user.saveSettings({ onboardingComplete: true });
}

/** Opens a link from a mail; its secret must not be in the address afterwards. */
async function openLink({ page }: Student, link: string): Promise<void> {
  await page.goto(link, { waitUntil: "load" });
  await page.waitForFunction(() => location.hash === "");
}

async function signInByKeys(student: Student, email: string, password: string): Promise<void> {
  await student.open("/login");
  await student.waitForText("Welcome back");
  await typeByKeys(student.page, /^Email$/, email);
  await typeByKeys(student.page, /^Password$/, password);
  await student.page.keyboard.press("Enter");
}

async function registerByKeys({ page }: Student, name: string, email: string): Promise<void> {
  await typeByKeys(page, /^Name$/, name);
  await typeByKeys(page, /^Email$/, email);
  await typeByKeys(page, /^Password$/, PASSWORD);
  await page.keyboard.press("Enter");
}

/** Changes the password; the first attempt is refused because the current password is wrong. */
async function changePassword(student: Student): Promise<void> {
  const { page } = student;
  await pressByKeys(page, /^Change password$/);
  await page.waitForSelector("dialog[open]");
  await typeByKeys(page, /^Current password$/, "not it");
  await typeByKeys(page, /^New password$/, SECOND);
  await page.keyboard.press("Enter");
  await student.waitForText("Wrong password.");
  await typeByKeys(page, /^Current password$/, PASSWORD);
  await page.keyboard.press("Enter");
  await student.waitForText("Password saved. You were signed out on all other devices.");
}

test("an account by keyboard: registration, mail confirmation, picture, new password and address, sign-out of each session, password reset", async () => {
  const mail: MailServer = await aMailServer();
  const server = await aServer(async () => mail.env);
  const [ada, moved] = ["ada@example.org", "ada.lovelace@example.org"];
  const faults: string[] = [];
  const student = await openStudent(browser, server.origin);
  const other = await openStudent(browser, server.origin);
  const look = async (name: string) => faults.push(...(await student.checkScreen(name)));
  const { page } = student;
  await student.open("/register");
  await student.waitForText("Your notes and progress are saved to your account.");
  await registerByKeys(student, "Ada", ada);
  await student.waitForText("Welcome, Ada");
  await endOnboarding(student, server);
  await openLink(student, await mail.linkTo(ada));
  await student.waitForText("Email verified");
  await look("account-confirmed");
  await pressByKeys(page, /^Continue$/);
  await student.waitForText("Hello, Ada");

  // The picture of the account, which has none at first.
  await student.open("/settings");
  await student.waitForText("Verified");
  writeFileSync(join(folder, "words.png"), "not a picture");
  await uploadByKeys(page, /^Choose picture$/, join(folder, "words.png"));
  await student.waitForText("Failed to upload profile picture");
  const picture = sharp({ create: { width: 300, height: 200, channels: 3, background: "#2f5d50" } });
  await picture.png().toFile(join(folder, "me.png"));
  await uploadByKeys(page, /^Choose picture$/, join(folder, "me.png"));
  await page.waitForSelector(".settings-picture img");

  // A new password signs the other browser out. That browser signs in again, and is signed out from the list of sessions.
  await signInByKeys(other, ada, PASSWORD);
  await other.waitForText("Hello, Ada");
  await changePassword(student);
  expect(await mail.mailTo(ada, 1)).toContain("The password of your account was changed");
  await other.open("/home");
  await other.waitForText("Welcome back");
  await signInByKeys(other, ada, SECOND);
  await other.waitForText("Hello, Ada");
  await student.open("/settings");
  await student.waitForText("Sign out of all other sessions");
  await look("account-settings");
  await pressByKeys(page, /^Sign out Chrome/);
  await page.waitForFunction(() => !document.body.innerText.includes("Sign out of all other sessions"));
  await other.open("/home");
  await other.waitForText("Welcome back");

  // A new address takes effect once its link is opened; the old address is notified.
  await pressByKeys(page, /^Change email$/);
  await typeByKeys(page, /^New email$/, moved);
  await typeByKeys(page, /^Current password$/, SECOND);
  await page.keyboard.press("Enter");
  await student.waitForText(`We sent a link to ${moved}`);
  await openLink(student, await mail.linkTo(moved));
  await student.waitForText(`${moved} is now verified.`);
  expect(await mail.mailTo(ada, 2)).toContain("You can no longer sign in with this one");

  // Signs out, and in again after a password reset.
  await student.open("/logout");
  await student.waitForText("You're signed out");
  await student.open("/login");
  await student.waitForText("Welcome back");
  await pressByKeys(page, /^Forgot your password\?$/);
  await student.waitForText("Reset your password");
  await typeByKeys(page, /^Email$/, moved);
  await page.keyboard.press("Enter");
  await student.waitForText("Check your email");
  await look("account-forgot");
  const link = await mail.linkTo(moved, 1);
  await openLink(student, link);
  await student.waitForText("Set a new password");
  await look("account-reset");
  await typeByKeys(page, /^New password$/, THIRD);
  await page.keyboard.press("Enter");
  await student.waitForText("Password saved");
  await signInByKeys(student, moved, THIRD);
  await student.waitForText("Hello, Ada");
  await openLink(other, link);
  await other.waitForText("Set a new password");
  await typeByKeys(other.page, /^New password$/, SECOND);
  await other.page.keyboard.press("Enter");
  await other.waitForText("This link has expired or was already used.");
  expect(faults).toEqual([]);
  await Promise.all([student.close(), other.close()]);
});

async function goByGoogle(student: Student): Promise<void> {
  await student.open("/login");
  await student.waitForText("Continue with Google");
  await pressByKeys(student.page, /^Continue with Google$/);
}

test("a third-party account by keyboard: created, deleted and restored in time; unverified addresses and wrong nonces are refused", async () => {
  const grace = { sub: "grace", email: "grace@example.org", email_verified: true, name: "Grace Hopper" };
  const issuers: Awaited<ReturnType<typeof aSignInIssuer>>[] = [];
  const server = await aServer(async (origin) => {
    issuers.push(await aSignInIssuer(grace, origin));
    return issuers[0]?.env ?? {};
  });
  const faults: string[] = [];
  const student = await openStudent(browser, server.origin);
  await goByGoogle(student);
  await student.waitForText("Welcome, Grace");
  await endOnboarding(student, server);
  await student.open("/settings");
  await student.waitForText("Set password");
  await student.waitForText("Verified");
  await pressByKeys(student.page, /^Delete account$/);
  await student.page.waitForSelector("dialog[open]");
  faults.push(...(await student.checkScreen("account-delete")));
  await pressByKeys(student.page, /^Delete my account$/);
  await student.waitForText("Your account will be deleted on");
  await student.waitForText("You're signed out");
  await goByGoogle(student);
  await student.waitForText("Welcome back. Your account will not be deleted.");
  await student.waitForText("Hello, Grace");

  for (const issuer of issuers)
    issuer.person = { ...grace, sub: "eve", email: "eve@example.org", email_verified: false };
  const eve = await openStudent(browser, server.origin);
  await goByGoogle(eve);
  await eve.waitForText("The email address of that account is not verified there.");
  faults.push(...(await eve.checkScreen("account-unconfirmed")));
  // The request to the provider is changed on its way.
  await eve.page.setRequestInterception(true);
  eve.page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.searchParams.has("nonce")) url.searchParams.set("nonce", "of-somebody-else");
    void request.continue({ url: url.href });
  });
  await goByGoogle(eve);
  await eve.waitForText("Google did not confirm this sign-in. Please try again.");
  expect(faults).toEqual([]);
  await Promise.all([student.close(), eve.close()]);
});

test("on an invite-only server, by keyboard, the operator invites a guest by mail who registers, and nobody else can", async () => {
  const mail = await aMailServer();
  const open = await aServer(async () => mail.env);
  const { token } = await clientAt(open.origin).auth.register({
    name: "Ada",
    email: "ada@example.org",
    password: PASSWORD,
  });
  await clientAt(open.origin, token).user.saveSettings({ onboardingComplete: true });
  await open.stop();
  const server = await aServer(async () => ({ ...mail.env, DATA_DIR: open.dataDir, REGISTRATION: "invite" }));
  const faults: string[] = [];
  const admin = await openStudent(browser, server.origin);
  await signInByKeys(admin, "ada@example.org", PASSWORD);
  await admin.waitForText("Hello, Ada");
  await admin.open("/admin/user");
  await admin.waitForText("Each link creates one account");
  await typeByKeys(admin.page, /^Email \(optional\)$/, "grace@example.org");
  await pressByKeys(admin.page, /^Create invitation$/);
  await admin.waitForText("Invitation sent.");
  faults.push(...(await admin.checkScreen("account-invites")));
  const guest = await openStudent(browser, server.origin);
  await guest.open("/register");
  await guest.waitForText("Sign-up is by invitation only.");
  faults.push(...(await guest.checkScreen("account-uninvited")));
  await guest.page.goto(await mail.linkTo("grace@example.org"), { waitUntil: "load" });
  await guest.waitForText("You've been invited.");
  await registerByKeys(guest, "Grace", "grace@example.org");
  await guest.waitForText("Welcome, Grace");
  await admin.open("/admin/user");
  await admin.waitForText("· Used ·");
  expect(faults).toEqual([]);
  await Promise.all([admin.close(), guest.close()]);
});
