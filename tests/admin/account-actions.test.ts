import { expect, test } from "vitest";
import { accessRefusalFor } from "#shared/admin/rules.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";

const DAY_MS = 86_400_000;

async function anInstance() {
  const api = await startApi({ env: { REGISTRATION: "open" } });
  const admin = await api.newUser({ name: "Root" });
  const ada = await api.newUser({ name: "Ada" });
  await grantAdmin(api.deps, admin.email, true);
  const actions = admin.client.admin;
  const logged = async () => (await actions.listAudit({})).entries.map(({ action }) => action);
  return { api, admin, ada, actions, logged };
}

test("a plan that is set with a last day ends after that day, and its account sees it", async () => {
  const { api, ada, actions, logged } = await anInstance();
  const until = new Date(api.clock.now() + DAY_MS).toISOString().slice(0, 10);
  expect(await actions.setAccountPlan({ id: ada.userId, type: "PLUS", until })).toEqual({ plan: "PLUS" });
  const { account } = await actions.getAccount({ id: ada.userId });
  expect(account).toMatchObject({ plan: "PLUS", granted: "PLUS", hasSubscription: false });
  expect(new Date(account.grantedUntil ?? 0).toISOString()).toBe(`${until}T23:59:59.999Z`);
  api.clock.advance(2 * DAY_MS);
  expect((await actions.getAccount({ id: ada.userId })).account.plan).toBe("FREE");
  await expect(actions.setAccountPlan({ id: ada.userId, type: "PLUS", until: "2027-02-30" })).rejects.toMatchObject({
    code: "bad_input",
  });
  await expect(actions.setAccountPlan({ id: "nobody", type: "PLUS", until: null })).rejects.toMatchObject({
    reason: "no_account",
  });
  expect(await logged()).toEqual(["set_plan"]);
});

test("a disabled account loses its sessions and signs in again only after it is enabled", async () => {
  const { api, ada, actions, logged } = await anInstance();
  const login = () => api.clientFor().auth.login({ email: ada.email, password: PASSWORD });
  await expect(actions.disableAccount({ id: ada.userId, password: "not this one" })).rejects.toMatchObject({
    code: "wrong_password",
  });
  await ada.client.study.getDue({});
  await actions.disableAccount({ id: ada.userId, password: PASSWORD });
  await expect(ada.client.study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
  await expect(login()).rejects.toMatchObject({ code: "forbidden", reason: "account_disabled" });
  // A wrong password does not reveal that the account is disabled.
  await expect(api.clientFor().auth.login({ email: ada.email, password: "not this one" })).rejects.toMatchObject({
    code: "wrong_credentials",
  });
  expect((await actions.listAccounts({ q: ada.email })).accounts[0]?.disabledAt).toEqual(expect.any(Number));
  await actions.enableAccount({ id: ada.userId });
  await expect(ada.client.study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
  expect((await login()).token).toBeTruthy();
  expect(await logged()).toEqual(["enable_account", "disable_account"]);
});

test("a deleted account is kept for the grace period, and can be restored by its owner or an administrator", async () => {
  const { api, ada, actions, logged } = await anInstance();
  const { deleteAt } = await actions.removeAccount({ id: ada.userId, password: PASSWORD });
  expect(deleteAt).toBe(api.clock.now() + 30 * DAY_MS);
  await expect(ada.client.study.getDue({})).rejects.toMatchObject({ code: "signed_out" });
  expect(await api.clientFor().auth.login({ email: ada.email, password: PASSWORD })).toMatchObject({ restored: true });
  await actions.removeAccount({ id: ada.userId, password: PASSWORD });
  await actions.restoreAccount({ id: ada.userId });
  expect((await actions.getAccount({ id: ada.userId })).account.deleteAt).toBeNull();
  expect(await logged()).toEqual(["restore_account", "delete_account", "delete_account"]);
});

test("administrators are neither disabled nor deleted, and nobody acts on their own account", async () => {
  const { api, admin, ada, actions, logged } = await anInstance();
  await grantAdmin(api.deps, ada.email, true);
  for (const [id, reason] of [
    [admin.userId, "own_account"],
    [ada.userId, "administrator_protected"],
  ] as const) {
    const refused = { code: "forbidden", reason };
    await expect(actions.disableAccount({ id, password: PASSWORD })).rejects.toMatchObject(refused);
    await expect(actions.removeAccount({ id, password: PASSWORD })).rejects.toMatchObject(refused);
  }
  await expect(actions.demoteAdmin({ id: admin.userId, password: PASSWORD })).rejects.toMatchObject({
    reason: "own_account",
  });
  expect(await logged()).toEqual([]);
});

test("an administrator who enters their own password can remove another administrator's rights, and then disable that account", async () => {
  const { api, ada, actions, logged } = await anInstance();
  const demote = (password: string) => actions.demoteAdmin({ id: ada.userId, password });
  await expect(demote(PASSWORD)).rejects.toMatchObject({ code: "forbidden", reason: "not_administrator" });
  await grantAdmin(api.deps, ada.email, true);
  await expect(demote("not this one")).rejects.toMatchObject({ code: "wrong_password" });
  await ada.client.admin.getInstance({});
  await demote(PASSWORD);
  await expect(ada.client.admin.getInstance({})).rejects.toMatchObject({ code: "forbidden" });
  await ada.client.study.getDue({});
  await actions.disableAccount({ id: ada.userId, password: PASSWORD });
  expect(await logged()).toEqual(["disable_account", "demote_admin"]);
});

test("administrators who remove each other's rights at the same time leave at least one administrator", async () => {
  const { api, admin, ada } = await anInstance();
  const eve = await api.newUser({ name: "Eve" });
  const all = [admin, ada, eve];
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(all.map(({ email }) => grantAdmin(api.deps, email, true)));
    await Promise.allSettled(
      all.map(({ client }, at) =>
        client.admin.demoteAdmin({ id: all[(at + 1) % all.length]?.userId ?? "", password: PASSWORD }),
      ),
    );
    const calls = await Promise.allSettled(all.map(({ client }) => client.admin.getInstance({})));
    expect(calls.map(({ status }) => status)).toContain("fulfilled");
  }
});

test("an address in ADMIN_EMAILS keeps its rights until the operator changes the setting", () => {
  const target = { isSelf: false, isAdmin: true, isAdminBySetting: true };
  expect(accessRefusalFor("demote", target)).toBe("administrator_by_setting");
  expect(accessRefusalFor("disable", target)).toBe("administrator_protected");
  expect(accessRefusalFor("delete", { ...target, isAdmin: false, isAdminBySetting: false })).toBeUndefined();
});
