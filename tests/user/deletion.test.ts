import { expect, test } from "vitest";
import { ownedBy } from "#api/store/owned-store.ts";
import { disconnectAll } from "#api/connections/disconnect.ts";
import { deleteDueAccounts } from "#api/user/delete-accounts.ts";
import { sweepUploads } from "#api/uploads/sweep-uploads.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aDeck, aPage, aText } from "#tests/store/changes.ts";
import { aPicture } from "#tests/kit/files.ts";

const DAY_MS = 86_400_000;
const steps = { sweepFiles: sweepUploads, disconnectAll };

async function withThings(user: TestUser) {
  const pageId = await aPage(user, "Genes and proteins");
  await aText(user, pageId, "A codon names an amino acid.");
  await aDeck(user, pageId, [aCard("codon")]);
  const { library } = user.client;
  await library.search({ q: "codon" });
  return { pageId, ...(await aPicture(user, pageId)) };
}

/** Creates the first account, which is the administrator and cannot be deleted. */
async function withAdministrator(api: Awaited<ReturnType<typeof startApi>>) {
  const admin = await api.newUser();
  return { admin, ada: await api.newUser(), grace: await api.newUser() };
}

test("deleting an account asks for the password, signs out everywhere, and is undone by signing in within 30 days", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const { pageId } = await withThings(ada);
  await expect(ada.client.user.deleteAccount({ password: "not it" })).rejects.toMatchObject({ code: "wrong_password" });
  const { deleteAt } = await ada.client.user.deleteAccount({ password: PASSWORD });
  expect(deleteAt).toBe(api.clock.now() + 30 * DAY_MS);
  await expect(ada.client.auth.getUser({})).rejects.toMatchObject({ code: "signed_out" });
  api.clock.advance(29 * DAY_MS);
  expect(await deleteDueAccounts(api.deps, steps)).toBe(0);
  const back = await api.clientFor().auth.login({ email: ada.email, password: PASSWORD });
  expect(back.restored).toBe(true);
  api.clock.advance(2 * DAY_MS);
  expect(await deleteDueAccounts(api.deps, steps)).toBe(0);
  const { page } = await api.clientFor(back.token).pages.getPage({ id: pageId });
  expect(page.title).toBe("Genes and proteins");
});

test("after 30 days all data of the account is deleted, files and index included, and no other account's", async () => {
  const api = await startApi();
  const { ada, grace } = await withAdministrator(api);
  const mine = await withThings(ada);
  const hers = await withThings(grace);
  // Within 30 days everything is indexed; an index that is still being written would be left.
  await api.deps.indexer.waitUntilIndexed(ownedBy(api.deps.store, ada.userId), { timeoutMs: 30_000 });
  await ada.client.user.deleteAccount({ password: PASSWORD });
  api.clock.advance(30 * DAY_MS);
  // Even before the sweep the account can no longer be found.
  await expect(api.clientFor().auth.login({ email: ada.email, password: PASSWORD })).rejects.toMatchObject({
    code: "wrong_credentials",
  });
  expect(await deleteDueAccounts(api.deps, steps)).toBe(1);
  expect(await api.deps.store.removeOwned(ada.userId)).toBe(0);
  expect((await api.deps.index.versions(ada.userId)).size).toBe(0);
  await expect(grace.client.pages.getPage({ id: mine.pageId })).rejects.toMatchObject({ code: "not_found" });
  expect((await grace.client.pages.getPage({ id: hers.pageId })).components).toHaveLength(3);
  // The address is free again.
  await api.clientFor().auth.register({ name: "Ada", email: ada.email, password: PASSWORD });
});

test("an account that cannot be deleted yet does not stop the deletion of others, and is deleted by a later run", async () => {
  const api = await startApi();
  const { ada, grace } = await withAdministrator(api);
  for (const user of [ada, grace]) await user.client.user.deleteAccount({ password: PASSWORD });
  api.clock.advance(30 * DAY_MS);
  const broken: typeof steps.disconnectAll = (deps, own) =>
    own.ownerId === ada.userId ? Promise.reject(new Error("it answers nonsense")) : disconnectAll(deps, own);
  expect(await deleteDueAccounts(api.deps, { ...steps, disconnectAll: broken })).toBe(1);
  expect(await deleteDueAccounts(api.deps, steps)).toBe(1);
  expect(await deleteDueAccounts(api.deps, steps)).toBe(0);
});

test("a file shared by two accounts stays until both are deleted", async () => {
  const api = await startApi();
  const { ada, grace } = await withAdministrator(api);
  await withThings(ada);
  const { fileId } = await withThings(grace);
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of api.deps.blobs.list()) found.push(key);
    return found;
  };
  const before = await keys();
  // File times come from the real clock, and a file is swept an hour after it was stored.
  api.clock.advance(Date.now() - api.clock.now() + 2 * 3_600_000);
  await ada.client.user.deleteAccount({ password: PASSWORD });
  api.clock.advance(31 * DAY_MS);
  await deleteDueAccounts(api.deps, steps);
  expect(await keys()).toEqual(before);
  expect(fileId).toBeTruthy();
  await grace.client.user.deleteAccount({ password: PASSWORD });
  api.clock.advance(31 * DAY_MS);
  await deleteDueAccounts(api.deps, steps);
  expect(await keys()).toEqual([]);
});

const leave = (user: TestUser) => user.client.user.deleteAccount({ password: PASSWORD });

test("the last administrator cannot leave while others have an account, even if two administrators leave at once", async () => {
  const api = await startApi();
  const { admin, ada, grace } = await withAdministrator(api);
  const refused = { code: "forbidden", reason: "last_administrator_leaves" };
  await expect(leave(admin)).rejects.toMatchObject(refused);
  await admin.client.auth.getUser({});
  await grantAdmin(api.deps, ada.email, true);
  const outcomes = await Promise.allSettled([leave(admin), leave(ada)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeLessThan(2);
  // Either of two administrators may leave.
  await grantAdmin(api.deps, grace.email, true);
  await leave(grace);
});

test("the only account of a server can be deleted although it is the administrator's", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  expect((await ada.client.auth.getUser({})).user.isAdmin).toBe(true);
  expect((await ada.client.user.deleteAccount({ password: PASSWORD })).deleteAt).toBeGreaterThan(0);
});
