import { expect, test } from "vitest";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";
import { aMailServer } from "#tests/kit/servers/mail-server.ts";

const HOUR_MS = 3_600_000;
const OTHER = "another lamp upon the desk";

async function startWithMail(env: Record<string, string> = {}) {
  const mail = await aMailServer();
  const api = await startApi({ env: { ...mail.env, ...env } });
  return { mail, api };
}

test("a mailed link resets a forgotten password once and ends all sessions", async () => {
  const { mail, api } = await startWithMail();
  const ada = await api.newUser();
  const visitor = api.clientFor();
  await mail.mailTo(ada.email);
  await visitor.auth.forgotPassword({ email: ada.email });
  const token = await mail.tokenTo(ada.email, 1);
  await visitor.auth.resetPassword({ token, password: OTHER });
  await expect(ada.client.auth.getUser({})).rejects.toMatchObject({ code: "signed_out" });
  await expect(visitor.auth.login({ email: ada.email, password: PASSWORD })).rejects.toMatchObject({
    code: "wrong_credentials",
  });
  const { user } = await visitor.auth.login({ email: ada.email, password: OTHER });
  expect(user.emailVerified).toBe(true);
  await expect(visitor.auth.resetPassword({ token, password: PASSWORD })).rejects.toMatchObject({
    code: "link_expired",
  });
});

test("a password reset is confirmed by mail", async () => {
  const { mail, api } = await startWithMail();
  const ada = await api.newUser();
  const { auth } = api.clientFor();
  await mail.mailTo(ada.email);
  await auth.forgotPassword({ email: ada.email });
  await auth.resetPassword({ token: await mail.tokenTo(ada.email, 1), password: OTHER });
  expect(await mail.mailTo(ada.email, 2)).toContain("password of your account was changed");
});

test("after a reset the new password signs in, although the old one was guessed wrong too often before", async () => {
  const { mail, api } = await startWithMail({ RATE_LIMIT_FACTOR: "100" });
  const ada = await api.newUser();
  const { auth } = api.clientFor();
  await mail.mailTo(ada.email);
  const guess = () => auth.login({ email: ada.email, password: "not this one" });
  await Promise.allSettled(Array.from({ length: 11 }, guess));
  await expect(guess()).rejects.toMatchObject({ code: "too_many_requests" });
  await auth.forgotPassword({ email: ada.email });
  const token = await mail.tokenTo(ada.email, 2);
  await auth.resetPassword({ token, password: OTHER });
  expect((await auth.login({ email: ada.email, password: OTHER })).user._id).toBe(ada.userId);
});

test("the owner gets one mail about ten wrong passwords, and one about a sign-in after them", async () => {
  const { mail, api } = await startWithMail({ RATE_LIMIT_FACTOR: "100" });
  const [ada, eve] = [await api.newUser(), await api.newUser({ name: "Eve" })];
  const { auth } = api.clientFor();
  for (const { email } of [ada, eve]) await mail.mailTo(email);
  const guess = (email: string, tries: number) =>
    Promise.allSettled(Array.from({ length: tries }, () => auth.login({ email, password: "not this one" })));
  await guess(ada.email, 14);
  expect(await mail.mailTo(ada.email, 1)).toContain("Someone entered ten wrong passwords");
  await guess(eve.email, 4);
  await auth.login({ email: eve.email, password: PASSWORD });
  await guess(eve.email, 6);
  await auth.login({ email: eve.email, password: PASSWORD });
  expect(await mail.mailTo(eve.email, 1)).toContain("signed in to your account after 6 wrong passwords");
  expect(mail.received.filter(({ to }) => to === ada.email || to === eve.email)).toHaveLength(4);
});

test("a reset link used twice at once sets one password and reports an error for the other", async () => {
  const { mail, api } = await startWithMail();
  const ada = await api.newUser();
  const { auth } = api.clientFor();
  await mail.mailTo(ada.email);
  await auth.forgotPassword({ email: ada.email });
  const token = await mail.tokenTo(ada.email, 1);
  const passwords = [OTHER, "a third lamp upon the desk"];
  const answers = await Promise.allSettled(passwords.map((password) => auth.resetPassword({ token, password })));
  const [won, ...more] = passwords.filter((_, at) => answers[at]?.status === "fulfilled");
  expect(more).toEqual([]);
  expect(answers.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "link_expired" } });
  await auth.login({ email: ada.email, password: won ?? "" });
});

test("a reset link expires after an hour, and a rejected password doesn't use it up", async () => {
  const { mail, api } = await startWithMail();
  const ada = await api.newUser();
  const { auth } = api.clientFor();
  await mail.mailTo(ada.email);
  await auth.forgotPassword({ email: ada.email });
  const token = await mail.tokenTo(ada.email, 1);
  await expect(auth.resetPassword({ token, password: "password123" })).rejects.toMatchObject({ code: "bad_input" });
  api.clock.advance(HOUR_MS + 1);
  await expect(auth.resetPassword({ token, password: OTHER })).rejects.toMatchObject({ code: "link_expired" });
});

test("requesting a reset answers 202 with and without an account, and mails only an account", async () => {
  const { mail, api } = await startWithMail();
  const ada = await api.newUser();
  await mail.mailTo(ada.email);
  const ask = (email: string) =>
    fetch(`${api.origin}/v1/auth/forgot_password`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email }),
    });
  const [known, unknown] = [await ask(ada.email), await ask("nobody@example.org")];
  expect([known.status, await known.text()]).toEqual([unknown.status, await unknown.text()]);
  expect(known.status).toBe(202);
  await mail.mailTo(ada.email, 1);
  expect(mail.received.filter(({ to }) => to === "nobody@example.org")).toEqual([]);
});

test("an address gets at most five mails an hour, and the response stays the same", async () => {
  const { mail, api } = await startWithMail();
  const { email } = await api.newUser();
  const { auth } = api.clientFor();
  for (let times = 0; times < 8; times += 1) expect(await auth.forgotPassword({ email })).toEqual({ accepted: true });
  await mail.mailTo(email, 5);
  await new Promise((done) => setTimeout(done, 200));
  // One mail verifies the address, and five reset the password.
  expect(mail.received.filter(({ to }) => to === email)).toHaveLength(6);
});

test("registration and reset requests succeed when the mail server refuses mail, without revealing it", async () => {
  const { mail, api } = await startWithMail();
  mail.refuses = true;
  const ada = await api.newUser();
  expect(await api.clientFor().auth.forgotPassword({ email: ada.email })).toEqual({ accepted: true });
  expect((await ada.client.auth.getUser({})).user.emailVerified).toBe(false);
});

test("a signed-in student sees a message when a requested mail was refused", async () => {
  const { mail, api } = await startWithMail();
  const ada = await api.newUser();
  await mail.mailTo(ada.email);
  mail.refuses = true;
  await expect(ada.client.auth.sendVerification({})).rejects.toMatchObject({ code: "unreachable" });
  mail.refuses = false;
  await ada.client.auth.sendVerification({});
  await mail.mailTo(ada.email, 1);
});

test("the mailed link verifies a new account's address", async () => {
  const { mail, api } = await startWithMail();
  const ada = await api.newUser();
  const token = await mail.tokenTo(ada.email);
  expect(await api.clientFor().auth.verifyEmail({ token })).toEqual({ email: ada.email });
  expect((await ada.client.auth.getUser({})).user.emailVerified).toBe(true);
  await expect(api.clientFor().auth.verifyEmail({ token })).rejects.toMatchObject({ code: "link_expired" });
});

test("without a mail server, requesting a verification fails, and the sign-in options show that no mail is sent", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  await expect(client.auth.sendVerification({})).rejects.toMatchObject({ code: "not_configured" });
  expect(await api.clientFor().auth.getEntry({})).toEqual({
    registration: "open",
    google: false,
    apple: false,
    mail: false,
  });
});

test("the address changes once the link mailed to the new one is opened, and the old address is notified", async () => {
  const { mail, api } = await startWithMail();
  const ada = await api.newUser();
  const moved = `new-${ada.email}`;
  await expect(ada.client.auth.changeEmail({ email: moved, password: "not it" })).rejects.toMatchObject({
    code: "wrong_password",
  });
  expect((await ada.client.auth.changeEmail({ email: moved, password: PASSWORD })).changed).toBe(false);
  expect((await ada.client.auth.getUser({})).user.email).toBe(ada.email);
  await api.clientFor().auth.verifyEmail({ token: await mail.tokenTo(moved) });
  expect((await ada.client.auth.getUser({})).user).toMatchObject({ email: moved, emailVerified: true });
  expect(await mail.mailTo(ada.email, 1)).toContain("was changed");
});

test("changing to another account's address gets the usual answer and sends no mail", async () => {
  const { mail, api } = await startWithMail();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  await mail.mailTo(ada.email);
  const asked = await eve.client.auth.changeEmail({ email: ada.email, password: PASSWORD });
  expect(asked.changed).toBe(false);
  await new Promise((done) => setTimeout(done, 100));
  expect(mail.received.filter(({ to }) => to === ada.email)).toHaveLength(1);
});

test("without a mail server, the address changes at once, unverified, unless it is taken", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const { changed, user } = await ada.client.auth.changeEmail({ email: "ada2@example.org", password: PASSWORD });
  expect([changed, user.email, user.emailVerified]).toEqual([true, "ada2@example.org", false]);
  await expect(eve.client.auth.changeEmail({ email: "ADA2@example.org", password: PASSWORD })).rejects.toMatchObject({
    code: "already_exists",
  });
});

test("changing the password ends every other session and keeps this one", async () => {
  const { mail, api } = await startWithMail();
  const ada = await api.newUser();
  const other = await api.clientFor().auth.login({ email: ada.email, password: PASSWORD });
  const elsewhere = api.clientFor(other.token);
  await expect(ada.client.auth.changePassword({ password: "not it", newPassword: OTHER })).rejects.toMatchObject({
    code: "wrong_password",
  });
  await ada.client.auth.changePassword({ password: PASSWORD, newPassword: OTHER });
  await expect(elsewhere.auth.getUser({})).rejects.toMatchObject({ code: "signed_out" });
  await ada.client.auth.getUser({});
  expect(await mail.mailTo(ada.email, 1)).toContain("password of your account was changed");
});

test("sessions are listed once with their browser, across refreshes, and can be ended one by one", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  api.clock.advance(1000);
  const second = await api.clientFor().auth.login({ email: ada.email, password: PASSWORD });
  const elsewhere = api.clientFor(second.token);
  const { token } = await ada.client.auth.refresh({});
  const refreshed = api.clientFor(token);
  const { sessions } = await refreshed.auth.listSessions({});
  expect(sessions).toHaveLength(2);
  expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
  expect(sessions.every(({ device }) => device.length > 0)).toBe(true);
  const other = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? "";
  const stranger = await api.newUser();
  await expect(stranger.client.auth.removeSession({ id: other })).rejects.toMatchObject({ code: "not_found" });
  await refreshed.auth.removeSession({ id: other });
  await expect(elsewhere.auth.getUser({})).rejects.toMatchObject({ code: "signed_out" });
  expect((await refreshed.auth.listSessions({})).sessions).toHaveLength(1);
});

test("signing out everywhere else returns how many sessions ended", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  for (let times = 0; times < 3; times += 1) await api.clientFor().auth.login({ email: ada.email, password: PASSWORD });
  expect(await ada.client.auth.removeOtherSessions({})).toEqual({ removed: 3 });
  await ada.client.auth.getUser({});
});

test("an address in ADMIN_EMAILS becomes an administrator once it is verified", async () => {
  const { mail, api } = await startWithMail({ ADMIN_EMAILS: "head@example.org" });
  await api.newUser();
  const { token } = await api
    .clientFor()
    .auth.register({ name: "Head", email: "Head@example.org", password: PASSWORD });
  const head = api.clientFor(token);
  expect((await head.auth.getUser({})).user.isAdmin).toBe(false);
  await expect(head.auth.listInvites({})).rejects.toMatchObject({ code: "forbidden" });
  await api.clientFor().auth.verifyEmail({ token: await mail.tokenTo("Head@example.org") });
  expect((await head.auth.getUser({})).user.isAdmin).toBe(true);
  await head.auth.listInvites({});
});

const GERMAN = { "content-type": "application/json", "accept-language": "fr, de-AT;q=0.8, en;q=0.5" };

test("mail is in the browser's language, or in the account's once the student chose one", async () => {
  const { mail, api } = await startWithMail();
  const ada = await api.newUser();
  expect(await mail.mailTo(ada.email)).toContain("Confirm your email address");
  const ask = async (nth: number) => {
    const body = JSON.stringify({ email: ada.email });
    await fetch(`${api.origin}/v1/auth/forgot_password`, { method: "POST", headers: GERMAN, body });
    return mail.mailTo(ada.email, nth);
  };
  const german = await ask(1);
  expect(german).toContain("Subject: Neues Passwort für Lamplight");
  expect(german).toContain("wurde ein neues Passwort angefordert");
  expect(german).toMatch(/#token=[\w-]{43}\s/);
  await ada.client.user.savePreferences({ appearance: { language: "en" } });
  expect(await ask(2)).toContain("requested a new password");
  await ada.client.user.savePreferences({ appearance: { language: "de" } });
  await ada.client.auth.changePassword({ password: PASSWORD, newPassword: OTHER });
  expect(await mail.mailTo(ada.email, 3)).toContain("Das Passwort deines Kontos wurde geändert");
});
