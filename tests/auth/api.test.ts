import { expect, test } from "vitest";
import { unseenAnnouncements } from "#shared/marketing/announcements.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";

const DAY_MS = 86_400_000;

test("registration signs the student in and never returns the password", async () => {
  const api = await startApi();
  const answer = await api.clientFor().auth.register({
    name: "Ada",
    email: "Ada@Example.org",
    password: PASSWORD,
    timezone: "Europe/Berlin",
  });
  expect(answer.user).toMatchObject({ name: "Ada", email: "Ada@Example.org", timezone: "Europe/Berlin" });
  expect(JSON.stringify(answer)).not.toContain("argon2");
  // Earlier announcements are not shown to a new account.
  expect(unseenAnnouncements(answer.user.seenFeatures)).toEqual([]);
  const { user } = await api.clientFor(answer.token).auth.getUser({});
  expect(user._id).toBe(answer.user._id);
});

test("email addresses are case-insensitive: one account each", async () => {
  const api = await startApi();
  const { email } = await api.newUser();
  const secondAttempt = api.clientFor().auth.register({ name: "Eve", email: email.toUpperCase(), password: PASSWORD });
  await expect(secondAttempt).rejects.toMatchObject({ code: "already_exists" });
});

test("concurrent registrations of one address create one account", async () => {
  const api = await startApi();
  const tries = Array.from({ length: 8 }, () =>
    api.clientFor().auth.register({ name: "Ada", email: "race@example.org", password: PASSWORD }),
  );
  const settled = await Promise.allSettled(tries);
  expect(settled.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
});

test("rejects a common password", async () => {
  const api = await startApi();
  const register = api.clientFor().auth.register({ name: "Ada", email: "ada@example.org", password: "password123" });
  await expect(register).rejects.toMatchObject({ code: "bad_input" });
});

test("rejects a password made only of the product's name, the user's name or their address, with any padding", async () => {
  const { auth } = (await startApi()).clientFor();
  const grace = { name: "Grace Hopper", email: "hopper.g@example.org" };
  for (const password of ["Lamplight-2026", "gracehopper1", "!!Hopper99", "hopperg.HopperG"])
    await expect(auth.register({ ...grace, password })).rejects.toMatchObject({ code: "bad_input" });
  await auth.register({ ...grace, password: "Grace reads by lamplight" });
});

test("returns an error for registration where the operator closed it", async () => {
  const api = await startApi({ env: { REGISTRATION: "closed" } });
  await expect(api.newUser()).rejects.toMatchObject({ code: "registration_closed" });
});

test("a wrong password and an unknown address get the same answer", async () => {
  const api = await startApi();
  const { email } = await api.newUser();
  const { auth } = api.clientFor();
  const wrong = await auth.login({ email, password: "not this one" }).catch((error: unknown) => error);
  const unknown = await auth
    .login({ email: "nobody@example.org", password: "not this one" })
    .catch((error: unknown) => error);
  expect(wrong).toMatchObject({ code: "wrong_credentials" });
  expect(unknown).toEqual(wrong);
});

test("ten wrong passwords lock the account, even for the right one", async () => {
  const api = await startApi();
  const { email } = await api.newUser();
  const { auth } = api.clientFor();
  for (let tries = 0; tries < 10; tries += 1)
    await expect(auth.login({ email, password: "not this one" })).rejects.toMatchObject({ code: "wrong_credentials" });
  await expect(auth.login({ email, password: PASSWORD })).rejects.toMatchObject({ code: "too_many_requests" });
});

test("concurrent guesses are counted before they are checked: ten pass, and the count survives a restart", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "1000" } });
  const { email } = await api.newUser();
  const guess = (index: number) =>
    api.clientFor().auth.login({ email, password: index === 59 ? PASSWORD : `not this one ${index}` });
  const settled = await Promise.allSettled(Array.from({ length: 60 }, (_, index) => guess(index)));
  const codes = settled.map((outcome) =>
    outcome.status === "fulfilled" ? "in" : (outcome.reason as { code: string }).code,
  );
  expect(codes.filter((code) => code === "wrong_credentials")).toHaveLength(10);
  expect(codes.filter((code) => code === "too_many_requests")).toHaveLength(50);
  await api.stop();
  const restarted = await startApi({ dataDir: api.dataDir, clock: api.clock });
  const login = () => restarted.clientFor().auth.login({ email, password: PASSWORD });
  await expect(login()).rejects.toMatchObject({ code: "too_many_requests" });
  api.clock.advance(15 * 60_000 + 1);
  await login();
});

test("the right password resets the failure count", async () => {
  const api = await startApi();
  const { email } = await api.newUser();
  const { auth } = api.clientFor();
  for (const failures of [9, 9]) {
    for (let tries = 0; tries < failures; tries += 1)
      await expect(auth.login({ email, password: "not this one" })).rejects.toMatchObject({
        code: "wrong_credentials",
      });
    await auth.login({ email: email.toUpperCase(), password: PASSWORD });
  }
});

test("on a server that other computers can reach, the first account is not an administrator", async () => {
  for (const env of [{ PUBLIC_URL: "https://study.example.org" }, { TRUST_PROXY: "1" }]) {
    const api = await startApi({ env: { ...env, REGISTRATION: "open" } });
    const { client } = await api.newUser();
    expect((await client.auth.getUser({})).user.isAdmin).toBe(false);
  }
});

test("signing out revokes the token and the temp tokens issued from it", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  const { tempToken } = await client.auth.getUser({});
  await client.auth.logout({});
  await expect(client.auth.getUser({})).rejects.toMatchObject({ code: "signed_out" });
  await expect(api.clientFor(tempToken).auth.getUser({})).rejects.toMatchObject({ code: "signed_out" });
});

test("after a refresh, the old token is valid for 60 s", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  const { token } = await client.auth.refresh({});
  api.clock.advance(59_000);
  await expect(client.auth.getUser({})).resolves.toBeTruthy();
  api.clock.advance(2000);
  await expect(client.auth.getUser({})).rejects.toMatchObject({ code: "signed_out" });
  await expect(api.clientFor(token).auth.getUser({})).resolves.toBeTruthy();
});

test("a temp token expires after 24 hours with its own code and can't be refreshed", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  const { tempToken } = await client.auth.getUser({});
  const temporary = api.clientFor(tempToken);
  await expect(temporary.auth.refresh({})).rejects.toMatchObject({ code: "signed_out" });
  api.clock.advance(DAY_MS + 1);
  await expect(temporary.auth.logout({})).rejects.toMatchObject({ code: "temp_token_expired" });
});

test("on loopback the first account is an administrator, later ones are not", async () => {
  const api = await startApi();
  const first = await api.newUser();
  const second = await api.newUser();
  expect((await first.client.auth.getUser({})).user.isAdmin).toBe(true);
  expect((await second.client.auth.getUser({})).user.isAdmin).toBe(false);
});

test("students get the ULTIMATE plan on an open server, and DEFAULT_PLAN where it is set", async () => {
  const free = await startApi({ env: { DEFAULT_PLAN: "FREE" } });
  const { user } = await free.clientFor().auth.register({ name: "Ada", email: "ada@example.org", password: PASSWORD });
  expect(user.plan.type).toBe("FREE");
  const open = await startApi();
  const { client } = await open.newUser();
  expect((await client.auth.getUser({})).user.plan.type).toBe("ULTIMATE");
});
