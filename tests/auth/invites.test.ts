import { expect, test } from "vitest";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi, type TestApi } from "#tests/kit/api.ts";
import { users } from "#api/http/authenticate.ts";
import { aMailServer } from "#tests/kit/servers/mail-server.ts";

const DAY_MS = 86_400_000;

/** A server for invited people, and its operator. */
async function startInvited(env: Record<string, string> = {}) {
  const open = await startApi();
  const { email } = await open.newUser();
  await open.stop();
  const api = await startApi({ dataDir: open.dataDir, env: { REGISTRATION: "invite", ...env } });
  const { token } = await api.clientFor().auth.login({ email, password: PASSWORD });
  return { api, admin: api.clientFor(token) };
}

const register = (api: TestApi, email: string, inviteCode?: string) =>
  api.clientFor().auth.register({ name: "Grace", email, password: PASSWORD, ...(inviteCode && { inviteCode }) });

const codeOf = (link: string) => new URL(link).searchParams.get("invite") ?? "";

test("an invitation creates one account, and an invite-only server accepts nobody without one", async () => {
  const { api, admin } = await startInvited();
  await expect(register(api, "grace@example.org")).rejects.toMatchObject({ code: "registration_closed" });
  const { invite, mailed } = await admin.auth.createInvite({});
  expect(mailed).toBe(false);
  await register(api, "grace@example.org", codeOf(invite.link));
  await expect(register(api, "eve@example.org", codeOf(invite.link))).rejects.toMatchObject({
    code: "registration_closed",
  });
  expect((await admin.auth.listInvites({})).invites).toMatchObject([{ isUsed: true }]);
});

test("an invitation isn't used up by an address that already has an account", async () => {
  const { api, admin } = await startInvited();
  const code = codeOf((await admin.auth.createInvite({})).invite.link);
  const [known] = await api.deps.store.collection(users).find({}, { limit: 1 });
  await expect(register(api, known?.email ?? "", code)).rejects.toMatchObject({ code: "already_exists" });
  await register(api, "grace@example.org", code);
});

test("of several people who use one invitation at once, only one can register", async () => {
  const { api, admin } = await startInvited();
  const code = codeOf((await admin.auth.createInvite({})).invite.link);
  const tries = Array.from({ length: 8 }, (_, index) => register(api, `grace${index}@example.org`, code));
  const settled = await Promise.allSettled(tries);
  expect(settled.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
});

test("an invitation sent to an address works for that address only; revoked and expired ones don't work", async () => {
  const mail = await aMailServer();
  const { api, admin } = await startInvited(mail.env);
  const { invite, mailed } = await admin.auth.createInvite({ email: "Grace@example.org" });
  expect(mailed).toBe(true);
  expect(await mail.mailTo("Grace@example.org")).toContain(invite.link);
  await expect(register(api, "eve@example.org", invite.id)).rejects.toMatchObject({ code: "registration_closed" });
  await register(api, "grace@example.org", invite.id);
  const revoked = (await admin.auth.createInvite({})).invite.id;
  await admin.auth.removeInvite({ id: revoked });
  await expect(admin.auth.removeInvite({ id: revoked })).rejects.toMatchObject({ code: "not_found" });
  await expect(register(api, "eve@example.org", revoked)).rejects.toMatchObject({ code: "registration_closed" });
  const old = (await admin.auth.createInvite({})).invite.id;
  api.clock.advance(15 * DAY_MS);
  await expect(register(api, "eve@example.org", old)).rejects.toMatchObject({ code: "registration_closed" });
});

test("an invitation is created even if the mail server refuses the mail, and the response says it was not mailed", async () => {
  const mail = await aMailServer();
  mail.refuses = true;
  const { api, admin } = await startInvited(mail.env);
  const { invite, mailed } = await admin.auth.createInvite({ email: "grace@example.org" });
  expect(mailed).toBe(false);
  await register(api, "grace@example.org", codeOf(invite.link));
});
