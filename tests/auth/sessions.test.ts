import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { users } from "#api/http/authenticate.ts";
import { migrateSessions } from "#api/store/migrations/migrate-sessions.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { disconnectAll } from "#api/connections/disconnect.ts";
import { sweepUploads } from "#api/uploads/sweep-uploads.ts";
import { deleteDueAccounts } from "#api/user/delete-accounts.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi, type TestApi, type TestUser, type V1Client } from "#tests/kit/api.ts";
import { aMailServer } from "#tests/kit/servers/mail-server.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { aPage } from "#tests/store/changes.ts";
import { aVideoFile } from "#tests/video/made-video.ts";

const DAY_MS = 86_400_000;
const OTHER = "another lamp upon the desk";

interface Family {
  api: TestApi;
  ada: TestUser;
  /** The newest session token. */
  refreshed: V1Client;
  /** Names of the tokens and tickets issued from the session that still work. */
  listValid(): Promise<string[]>;
}

/** A session with a temp token and a video ticket, and with new ones after a refresh. */
async function aFamily(options: Parameters<typeof startApi>[0] = {}): Promise<Family> {
  const api = await startApi(options);
  const ada = await api.newUser();
  const { componentId } = await aVideoFile(api, ada, new Uint8Array(10));
  const issueFrom = async (client: V1Client) => ({
    tempToken: (await client.auth.getUser({})).tempToken,
    url: (await client.video.signStream({ id: componentId })).url,
  });
  const before = await issueFrom(ada.client);
  const { token } = await ada.client.auth.refresh({});
  const refreshed = api.clientFor(token);
  const after = await issueFrom(refreshed);
  // The replaced token has expired, and a later sign-in removes it.
  api.clock.advance(61_000);
  const tokens = { token, "temp token": after.tempToken, "temp token before": before.tempToken };
  const urls = { ticket: after.url, "ticket before": before.url };
  const listValid = async () => {
    const valid: string[] = [];
    for (const [name, value] of Object.entries(tokens))
      await api
        .clientFor(value)
        .study.getDue({})
        .then(
          () => valid.push(name),
          (failure: { code?: string }) => expect(failure.code).toBe("signed_out"),
        );
    for (const [name, url] of Object.entries(urls)) if ((await fetch(api.origin + url)).ok) valid.push(name);
    return valid;
  };
  return { api, ada, refreshed, listValid };
}

const ALL = ["token", "temp token", "temp token before", "ticket", "ticket before"];

async function signInAgain({ api, ada }: Family): Promise<V1Client> {
  return api.clientFor((await api.clientFor().auth.login({ email: ada.email, password: PASSWORD })).token);
}

describe("all tokens issued from a session end", () => {
  const revocations: Record<string, (family: Family) => Promise<unknown>> = {
    "sign-out": ({ refreshed }) => refreshed.auth.logout({}),
    "sign-out everywhere else": async (family) => (await signInAgain(family)).auth.removeOtherSessions({}),
    "the removal of the listed sessions": async (family) => {
      const elsewhere = await signInAgain(family);
      const { sessions } = await elsewhere.auth.listSessions({});
      for (const { id, isCurrent } of sessions) if (!isCurrent) await elsewhere.auth.removeSession({ id });
    },
    "a changed password": async (family) =>
      (await signInAgain(family)).auth.changePassword({ password: PASSWORD, newPassword: OTHER }),
    "the deletion of the account": ({ refreshed }) => refreshed.user.deleteAccount({ password: PASSWORD }),
    "the operator's command": async ({ api, ada }) => {
      const env = { ...process.env, DATA_DIR: api.dataDir };
      execFileSync(process.execPath, ["scripts/account-command.ts", "sign-out", ada.email], { env });
    },
  };

  test.each(Object.keys(revocations))(
    "after %s",
    async (name) => {
      const family = await aFamily();
      expect(await family.listValid()).toEqual(ALL);
      await signInAgain(family);
      expect(await family.listValid()).toEqual(ALL);
      await revocations[name]?.(family);
      expect(await family.listValid()).toEqual([]);
    },
    30_000,
  );

  test("after a password that was set by a mailed link", async () => {
    const mail = await aMailServer();
    const family = await aFamily({ env: mail.env });
    const { auth } = family.api.clientFor();
    await mail.mailTo(family.ada.email);
    await auth.forgotPassword({ email: family.ada.email });
    await auth.resetPassword({ token: await mail.tokenTo(family.ada.email, 1), password: OTHER });
    expect(await family.listValid()).toEqual([]);
  });

  test("after the grace period of a deleted account, sessions and tokens are gone", async () => {
    const family = await aFamily();
    await family.refreshed.user.deleteAccount({ password: PASSWORD });
    family.api.clock.advance(30 * DAY_MS);
    await deleteDueAccounts(family.api.deps, { sweepFiles: sweepUploads, disconnectAll });
    for (const collection of ["sessions", "tokens"])
      expect(
        await family.api.deps.store
          .collection({ name: collection, shardKey: "_id", indexes: [] })
          .count({ userId: family.ada.userId } as never),
      ).toBe(0);
  });

  test("and an open stream ends before its next event", async () => {
    const api = await startApi();
    const ada = await api.newUser();
    const elsewhere = api.clientFor((await api.clientFor().auth.login({ email: ada.email, password: PASSWORD })).token);
    const stream = elsewhere.sync.followChanges({});
    expect((await stream.next()).done).toBe(false);
    await ada.client.auth.removeOtherSessions({});
    await new Promise((done) => setTimeout(done, 300));
    await aPage(ada, "Not for them");
    expect((await stream.next()).done).toBe(true);
  });
});

describe("a token replaced by a refresh", () => {
  test("is valid for reads for 60 s, but not for writing, signing out or refreshing", async () => {
    const api = await startApi();
    const { client } = await api.newUser();
    const { token } = await client.auth.refresh({});
    const replaced = { code: "token_replaced" };
    await expect(client.auth.refresh({})).rejects.toMatchObject(replaced);
    await expect(client.auth.removeOtherSessions({})).rejects.toMatchObject(replaced);
    await expect(client.user.saveSettings({ name: "Eve" })).rejects.toMatchObject(replaced);
    await expect(client.sync.sendChanges({ payload: [] })).rejects.toMatchObject(replaced);
    // A token issued from it cannot write either, and ends with it.
    const { tempToken } = await client.auth.getUser({});
    const drawn = api.clientFor(tempToken);
    await drawn.study.getDue({});
    await expect(drawn.sync.sendChanges({ payload: [] })).rejects.toMatchObject(replaced);
    api.clock.advance(60_001);
    await expect(client.study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
    await expect(drawn.study.getDue({})).rejects.toMatchObject({ code: "temp_token_expired" });
    await api.clientFor(token).user.saveSettings({ name: "Ada" });
  });

  test("ends with the session that replaced it", async () => {
    const api = await startApi();
    const { client } = await api.newUser();
    const { token } = await client.auth.refresh({});
    await api.clientFor(token).auth.logout({});
    await expect(client.study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
    await expect(client.auth.refresh({})).rejects.toMatchObject({ code: "signed_out" });
  });

  test("concurrent refreshes of one token issue one token", async () => {
    const api = await startApi();
    const { client } = await api.newUser();
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => client.auth.refresh({})));
    const given = settled.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.token] : []));
    expect(given).toHaveLength(1);
    await api.clientFor(given[0]).user.saveSettings({ name: "Ada" });
  });
});

test("a sign-in with the old password fails if the password changes meanwhile", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const changePassword = () =>
    api.deps.store.collection(users).patch({ _id: ada.userId }, { set: { passwordHash: "scrypt$$" } });
  let change: Promise<unknown> | undefined;
  // Every sign-in has checked the password when it stores its session.
  beforeStoreCall(api.deps.store, async (call) => {
    if (call === "sessions.insert") await (change ??= changePassword());
  });
  const logins = Promise.allSettled(
    Array.from({ length: 4 }, () => api.clientFor().auth.login({ email: ada.email, password: PASSWORD })),
  );
  for (const outcome of await logins)
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "wrong_credentials" } });
  expect((await ada.client.auth.listSessions({})).sessions).toHaveLength(1);
});

const hashOf = (token: string) => createHash("sha256").update(token).digest("base64url");
const newToken = () => randomBytes(32).toString("base64url");

const WRITES: readonly (string | symbol)[] = ["insert", "patch", "remove"];

/** A store for a process that crashes after this number of writes. */
function crashAfter(store: DocumentStore, writes: number): DocumentStore {
  let left = writes;
  const countWrites = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          if (WRITES.includes(key) && left-- === 0) throw new Error("crashed");
          const result: unknown = Reflect.apply(value, target, args);
          return key === "collection" ? countWrites(result as object) : result;
        };
      },
    });
  return countWrites(store);
}

/** A recently refreshed session as data version 1 stored it, after the migration. */
async function legacyFamily(writesBeforeCrash?: number) {
  const api = await startApi();
  const ada = await api.newUser();
  const now = api.clock.now();
  const stored = api.deps.store.collection<{ _id: string; userId: string } & Record<string, unknown>>({
    name: "tokens",
    shardKey: "_id",
    indexes: [],
  });
  const put = async (fields: Record<string, unknown>) => {
    const token = newToken();
    await stored.insert({ _id: hashOf(token), userId: ada.userId, createdAt: now - DAY_MS, ...fields });
    return token;
  };
  const session = { kind: "session", parent: null, sessionId: "01LEGACY", signedInAt: now - 5, device: "Firefox" };
  const expiresAt = now + 100 * DAY_MS;
  const replaced = await put({ ...session, expiresAt: now + 30_000 });
  const current = await put({ ...session, createdAt: now, expiresAt });
  const temp = { kind: "temp", expiresAt: now + DAY_MS };
  const drawnBefore = await put({ ...temp, parent: hashOf(replaced) });
  const drawn = await put({ ...temp, parent: hashOf(current) });
  const orphan = await put({ ...temp, parent: hashOf(newToken()) });
  const extensionToken = await put({ kind: "session", parent: null, expiresAt });
  await api.deps.store
    .collection<{ _id: string; ownerId: string } & Record<string, unknown>>({
      name: "extensions",
      shardKey: "ownerId",
      indexes: [],
    })
    .insert({
      _id: "01EXTENSION",
      ownerId: ada.userId,
      name: "Chrome",
      tokenId: hashOf(extensionToken),
      createdAt: 1,
    });
  if (writesBeforeCrash !== undefined)
    await expect(migrateSessions(crashAfter(api.deps.store, writesBeforeCrash))).rejects.toThrow("crashed");
  await migrateSessions(api.deps.store);
  return { api, ada, replaced, current, drawnBefore, drawn, orphan, extensionToken };
}

describe("sessions of data version 1 after the migration", () => {
  test("continue to work, with the replaced token for reads only, while a temp token without session is refused", async () => {
    const { api, replaced, current, drawnBefore, drawn, orphan } = await legacyFamily();
    await expect(api.clientFor(orphan).study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
    for (const token of [drawnBefore, replaced, drawn, current]) await api.clientFor(token).study.getDue({});
    await expect(api.clientFor(replaced).auth.refresh({})).rejects.toMatchObject({ code: "token_replaced" });
    const { sessions } = await api.clientFor(current).auth.listSessions({});
    expect(sessions).toContainEqual(expect.objectContaining({ id: "01LEGACY", device: "Firefox", isCurrent: true }));
    const { token } = await api.clientFor(current).auth.refresh({});
    await api.clientFor(token).user.saveSettings({ name: "Ada" });
    await api.clientFor(drawnBefore).sync.sendChanges({ payload: [] });
  });

  test.each(["used before", "never used", "signed out by itself"])("end together, %s", async (how) => {
    const { api, ada, replaced, current, drawnBefore, drawn } = await legacyFamily();
    const family = [drawnBefore, replaced, drawn, current];
    if (how === "used before") for (const token of family) await api.clientFor(token).study.getDue({});
    if (how === "signed out by itself") await api.clientFor(current).auth.logout({});
    else await ada.client.auth.removeSession({ id: "01LEGACY" });
    for (const token of family)
      await expect(api.clientFor(token).study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
    await ada.client.study.getDue({});
  });

  test("of an extension are listed, keep the extension's limited rights, and end with its token", async () => {
    const { api, ada, extensionToken } = await legacyFamily();
    expect((await ada.client.connections.listExtensions({})).extensions).toMatchObject([{ _id: "01EXTENSION" }]);
    const extension = api.clientFor(extensionToken);
    await extension.study.getDue({});
    await expect(extension.auth.refresh({})).rejects.toMatchObject({ code: "forbidden" });
    await ada.client.connections.removeExtension({ id: "01EXTENSION" });
    await expect(extension.study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
  });

  test("a second run of the migration changes nothing, and brings back no session that has ended", async () => {
    const { api, current, drawn, extensionToken } = await legacyFamily();
    const before = await api.clientFor(current).auth.listSessions({});
    await migrateSessions(api.deps.store);
    expect(await api.clientFor(current).auth.listSessions({})).toEqual(before);
    await api.clientFor(current).auth.logout({});
    await migrateSessions(api.deps.store);
    for (const token of [current, drawn])
      await expect(api.clientFor(token).study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
    await api.clientFor(extensionToken).study.getDue({});
  });

  test.each([1, 2, 3, 5, 8])("a migration that stops at write %i is finished by the next run", async (writes) => {
    const { api, current, drawn, extensionToken } = await legacyFamily(writes);
    for (const token of [current, drawn, extensionToken]) await api.clientFor(token).study.getDue({});
    expect((await api.clientFor(current).connections.listExtensions({})).extensions).toHaveLength(1);
  });
});
