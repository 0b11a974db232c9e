import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { users } from "#api/http/authenticate.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";
import { aMailServer } from "#tests/kit/servers/mail-server.ts";
import { aSignInIssuer } from "#tests/kit/servers/issuer.ts";

const grace = { sub: "grace", email: "grace@example.org", email_verified: true, name: "Grace Hopper" };

async function startWithIssuer(person: Parameters<typeof aSignInIssuer>[0] = grace, env: Record<string, string> = {}) {
  const issuer = await aSignInIssuer(person);
  const api = await startApi({ env: { ...issuer.env, ...env } });
  const { auth } = api.clientFor();
  const visitIssuer = async () => issuer.allow((await auth.startGoogle({})).authUrl);
  return { api, issuer, auth, visitIssuer };
}

test("signing in with Google creates an account with a verified address, and finds it again next time", async () => {
  const { auth, visitIssuer } = await startWithIssuer();
  const first = await auth.finishGoogle(await visitIssuer());
  expect(first.user).toMatchObject({
    name: "Grace Hopper",
    email: "grace@example.org",
    emailVerified: true,
    hasPassword: false,
    authProvider: "GOOGLE_OAUTH_2",
  });
  const again = await auth.finishGoogle(await visitIssuer());
  expect(again.user._id).toBe(first.user._id);
});

test("an account whose time to be restored is over is not restored by signing in with Google", async () => {
  const { api, auth, visitIssuer } = await startWithIssuer();
  const { user } = await auth.finishGoogle(await visitIssuer());
  const schedule = (deleteAt: number) =>
    api.deps.store.collection(users).patch({ _id: user._id }, { set: { deleteAt } });
  await schedule(api.clock.now() + 1);
  expect(await auth.finishGoogle(await visitIssuer())).toMatchObject({ restored: true, user: { _id: user._id } });
  await schedule(api.clock.now());
  await expect(auth.finishGoogle(await visitIssuer())).rejects.toMatchObject({ code: "already_exists" });
  expect(await api.deps.store.collection(users).get(user._id)).toMatchObject({ deleteAt: api.clock.now() });
});

/** Posts Apple's form as the browser does and follows the redirect; resolves to the parameters of its address. */
async function postForm(origin: string, response: object) {
  const carried = await fetch(`${origin}/oauth/apple/callback`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(Object.entries(response)),
  });
  expect(carried.status).toBe(303);
  const onward = new URL(carried.headers.get("location") ?? "", origin);
  expect(onward.pathname).toBe("/oauth/google/callback");
  return Object.fromEntries(onward.searchParams);
}

test("signing in with Apple returns by form post, authenticates with our signed key, and reads the name on first sign-in", async () => {
  const { api, issuer, auth } = await startWithIssuer();
  const signIn = async () => {
    const { authUrl } = await auth.startApple({ timezone: "Europe/Paris" });
    expect(new URL(authUrl).searchParams.get("response_mode")).toBe("form_post");
    const response = await issuer.allow(authUrl);
    const onward = await postForm(api.origin, response);
    // A name must not be in the address.
    expect(Object.keys(onward).toSorted()).toEqual(["code", "state"]);
    const { code = "", state = "" } = onward;
    return { response, ...(await auth.finishApple({ code, state })) };
  };
  const first = await signIn();
  expect(first.response.user).toContain("Hopper");
  expect(first.user).toMatchObject({ name: "Grace Hopper", authProvider: "APPLE", timezone: "Europe/Paris" });
  const again = await signIn();
  expect(again.response.user).toBeUndefined();
  expect(again.user).toMatchObject({ _id: first.user._id, name: "Grace Hopper" });
  expect(issuer.refusedSecrets).toEqual([]);
});

test("ignores a name from Apple with an unknown state or in an unexpected form", async () => {
  const { api, issuer, auth } = await startWithIssuer();
  await postForm(api.origin, {
    code: "c",
    state: "apple.of-nobody",
    user: JSON.stringify({ name: { firstName: "Eve" } }),
  });
  for (const user of [
    "not json",
    "[]",
    JSON.stringify({ name: "Eve" }),
    JSON.stringify({ name: { firstName: "  " } }),
  ]) {
    const { authUrl } = await auth.startApple({});
    const { code, state } = await issuer.allow(authUrl);
    await postForm(api.origin, { code, state, user });
    const { user: account } = await auth.finishApple({ code, state });
    expect(account.name).toBe("grace");
  }
});

test("signing in fails with a key that Apple doesn't know", async () => {
  const other = await aSignInIssuer(grace);
  const { issuer, auth } = await startWithIssuer(grace, { APPLE_PRIVATE_KEY: other.env["APPLE_PRIVATE_KEY"] ?? "" });
  const response = await issuer.allow((await auth.startApple({})).authUrl);
  await expect(auth.finishApple(response)).rejects.toMatchObject({ code: "bad_input" });
  expect(issuer.refusedSecrets).toHaveLength(1);
});

test("the authorisation request has a state, a nonce, a challenge and a fixed redirect address", async () => {
  const { auth } = await startWithIssuer();
  const query = new URL((await auth.startGoogle({})).authUrl).searchParams;
  expect(query.get("state")).toMatch(/^google\.[\w-]{32}$/);
  expect(query.get("nonce")).toBeTruthy();
  expect(query.get("code_challenge_method")).toBe("S256");
  expect(query.get("redirect_uri")).toBe("http://lamplight.example/oauth/google/callback");
});

test("an authorisation response works once: replays, foreign states and expired attempts are refused", async () => {
  const { api, auth, visitIssuer } = await startWithIssuer();
  const response = await visitIssuer();
  await auth.finishGoogle(response);
  await expect(auth.finishGoogle(response)).rejects.toMatchObject({ code: "bad_input" });
  const { code } = await visitIssuer();
  await expect(auth.finishGoogle({ code, state: "google.of-somebody-else" })).rejects.toMatchObject({
    code: "bad_input",
  });
  const late = await visitIssuer();
  api.clock.advance(10 * 60 * 1000 + 1);
  await expect(auth.finishGoogle(late)).rejects.toMatchObject({ code: "bad_input" });
});

test("a state works once, also with a second code that the issuer gave for it", async () => {
  const { issuer, auth } = await startWithIssuer();
  const { authUrl } = await auth.startGoogle({});
  const [first, second] = [await issuer.allow(authUrl), await issuer.allow(authUrl)];
  await auth.finishGoogle(first);
  await expect(auth.finishGoogle(second)).rejects.toMatchObject({ code: "bad_input" });
});

test("refuses a code from another attempt, whose challenge and nonce differ", async () => {
  const { auth, visitIssuer } = await startWithIssuer();
  const [one, other] = [await visitIssuer(), await visitIssuer()];
  await expect(auth.finishGoogle({ code: other.code, state: one.state })).rejects.toMatchObject({ code: "bad_input" });
});

test("of identical responses sent at once, one signs in", async () => {
  const { auth, visitIssuer } = await startWithIssuer();
  const response = await visitIssuer();
  const settled = await Promise.allSettled(Array.from({ length: 6 }, () => auth.finishGoogle(response)));
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const each of settled) if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "bad_input" });
});

test("two parallel attempts don't mix: each state accepts only its own code, and a wrong try uses both up", async () => {
  const { auth, visitIssuer } = await startWithIssuer();
  const [one, other] = [await visitIssuer(), await visitIssuer()];
  const swapped = [
    { code: other.code, state: one.state },
    { code: one.code, state: other.state },
  ];
  for (const response of [...swapped, one, other])
    await expect(auth.finishGoogle(response)).rejects.toMatchObject({ code: "bad_input" });
  await auth.finishGoogle(await visitIssuer());
});

test("refuses a code that was requested with another challenge", async () => {
  const { issuer, auth } = await startWithIssuer();
  const url = new URL((await auth.startGoogle({})).authUrl);
  const verifier = "a verifier of somebody else, as long as one is to be";
  url.searchParams.set("code_challenge", createHash("sha256").update(verifier).digest("base64url"));
  await expect(auth.finishGoogle(await issuer.allow(url.href))).rejects.toMatchObject({ code: "bad_input" });
});

test("the state of a sign-in can't be used to connect a Drive", async () => {
  const { api, visitIssuer } = await startWithIssuer();
  const { client } = await api.newUser();
  await expect(client.connections.finishGoogle(await visitIssuer())).rejects.toMatchObject({ code: "bad_input" });
});

test("people are identified by issuer and subject, not by email address, which can change owners", async () => {
  const { issuer, auth, visitIssuer } = await startWithIssuer();
  const first = await auth.finishGoogle(await visitIssuer());
  // Another person signs in with another issuer under the same subject.
  issuer.person = { ...grace, email: "eve@example.org", name: "Eve" };
  const { code, state } = await issuer.allow((await auth.startApple({})).authUrl);
  const eve = await auth.finishApple({ code, state });
  expect(eve.user).toMatchObject({ email: "eve@example.org", authProvider: "APPLE" });
  expect(eve.user._id).not.toBe(first.user._id);
  // Grace's issuer now reports Eve's address for her, and she still gets into her own account.
  expect((await auth.finishGoogle(await visitIssuer())).user._id).toBe(first.user._id);
});

test("refuses an issuer's response with another nonce", async () => {
  const { issuer, auth } = await startWithIssuer();
  const url = new URL((await auth.startGoogle({})).authUrl);
  url.searchParams.set("nonce", "of-somebody-else");
  await expect(auth.finishGoogle(await issuer.allow(url.href))).rejects.toMatchObject({ code: "bad_input" });
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decode = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;

/** Identity tokens of another person, forged without the issuer's key. */
const forgeries: Record<string, (token: string) => string> = {
  "signed with another key": (token) => {
    const [head = "", claims] = token.split(".");
    const signed = `${head}.${encode({ ...decode(claims), sub: "eve" })}`;
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
  },
  "with the signature of another token": (token) => {
    const [head = "", claims, signature = ""] = token.split(".");
    return [head, encode({ ...decode(claims), sub: "eve" }), signature].join(".");
  },
  "without a signature": (token) => `${encode({ alg: "none" })}.${token.split(".")[1] ?? ""}.`,
};

test.each(Object.keys(forgeries))("an identity token %s is refused", async (name) => {
  const { issuer, auth, visitIssuer } = await startWithIssuer();
  Object.assign(issuer, { forge: forgeries[name] });
  await expect(auth.finishGoogle(await visitIssuer())).rejects.toMatchObject({ code: "bad_input" });
});

test("the issuer's own identity token with the right nonce is refused if it is for another client", async () => {
  const { issuer, auth } = await startWithIssuer();
  const google = (await auth.startGoogle({})).authUrl;
  const nonce = new URL(google).searchParams.get("nonce") ?? "";
  const issued: string[] = [];
  Object.assign(issuer, { forge: (token: string) => (issued.push(token), token) });
  const apple = new URL((await auth.startApple({})).authUrl);
  apple.searchParams.set("nonce", nonce);
  await expect(auth.finishApple(await issuer.allow(apple.href))).rejects.toMatchObject({ code: "bad_input" });
  const [foreign = ""] = issued;
  expect(decode(foreign.split(".")[1])).toMatchObject({ aud: "apple", nonce, sub: "grace" });
  Object.assign(issuer, { forge: () => foreign });
  await expect(auth.finishGoogle(await issuer.allow(google))).rejects.toMatchObject({ code: "bad_input" });
});

test("a response from Google isn't accepted as one from Apple", async () => {
  const { auth, visitIssuer } = await startWithIssuer();
  await expect(auth.finishApple(await visitIssuer())).rejects.toMatchObject({ code: "bad_input" });
});

test("an address that the issuer hasn't verified neither signs in nor creates an account", async () => {
  const { api, auth, visitIssuer } = await startWithIssuer({ ...grace, email_verified: false });
  await expect(auth.finishGoogle(await visitIssuer())).rejects.toMatchObject({ code: "address_unverified" });
  await api.clientFor().auth.register({ name: "Grace", email: grace.email, password: PASSWORD });
});

test("links an existing account with a verified address and mails its owner; refuses one with an unverified address", async () => {
  const mail = await aMailServer();
  const { api, auth, visitIssuer } = await startWithIssuer(grace, mail.env);
  const { user } = await auth.register({ name: "Grace", email: grace.email, password: PASSWORD });
  await expect(auth.finishGoogle(await visitIssuer())).rejects.toMatchObject({ code: "already_exists" });
  await api.clientFor().auth.verifyEmail({ token: await mail.tokenTo(grace.email) });
  expect((await auth.finishGoogle(await visitIssuer())).user._id).toBe(user._id);
  expect(await mail.mailTo(grace.email, 1)).toContain("signed in to Lamplight with Google");
  // The second sign-in sends no mail.
  await auth.finishGoogle(await visitIssuer());
  await auth.forgotPassword({ email: grace.email });
  expect(await mail.mailTo(grace.email, 2)).toContain("requested a new password");
});

test("a closed server creates no account through Google either", async () => {
  const { auth, visitIssuer } = await startWithIssuer(grace, { REGISTRATION: "closed" });
  await expect(auth.finishGoogle(await visitIssuer())).rejects.toMatchObject({ code: "registration_closed" });
});

test("returns not_configured for sign-in with a provider that isn't set up", async () => {
  const { auth } = (await startApi()).clientFor();
  await expect(auth.startGoogle({})).rejects.toMatchObject({ code: "not_configured" });
  await expect(auth.startApple({})).rejects.toMatchObject({ code: "not_configured" });
});

test("reports an unreachable issuer as unreachable", async () => {
  const { api, auth } = await startWithIssuer(grace, { GOOGLE_ISSUER: "http://127.0.0.1:9" });
  await expect(auth.startGoogle({})).rejects.toMatchObject({ code: "unreachable" });
  await api.newUser();
});

test("an account without a password can set one within minutes of signing in, and must sign in again later", async () => {
  const { api, auth, visitIssuer } = await startWithIssuer();
  const { token } = await auth.finishGoogle(await visitIssuer());
  const client = api.clientFor(token);
  api.clock.advance(11 * 60 * 1000);
  await expect(client.auth.changePassword({ newPassword: PASSWORD })).rejects.toMatchObject({ code: "sign_in_again" });
  const fresh = api.clientFor((await auth.finishGoogle(await visitIssuer())).token);
  await fresh.auth.changePassword({ newPassword: PASSWORD });
  expect((await auth.login({ email: grace.email, password: PASSWORD })).user.hasPassword).toBe(true);
});
