import { beforeAll, expect, test } from "vitest";
import { PASSWORD } from "#tests/kit/account.ts";
import { aPicture } from "#tests/kit/files.ts";
import { startApi } from "#tests/kit/api.ts";
import { aPage } from "#tests/store/changes.ts";
import { aCourse, buildSiteKitOnce, readPreview } from "#tests/website/aids.ts";

beforeAll(buildSiteKitOnce);

/** A student with everything that can be made public; `look` returns what a visitor without an account sees of it. */
async function aPublicStudent() {
  const api = await startApi({ env: { REGISTRATION: "open" } });
  // The first account of an instance is its administrator's.
  const admin = await api.newUser({ name: "Root" });
  const ada = await api.newUser({ name: "Ada" });
  const { client } = ada;
  const anyone = api.clientFor();
  const pageId = await aPage(ada, "Mitochondria");
  const { fileId } = await aPicture(ada, pageId);
  const { share } = await client.sharing.putShare({ type: "page", id: pageId, visibility: "listed" });
  const { page, deck } = await aCourse(ada);
  const { _id: id } = await client.website.createProject({ name: "" });
  await client.website.makeSite({ id, kind: "study_guide", title: "Genes", sourceIds: [page, deck] });
  const site = (await client.website.publishSite({ id })).share;
  const { siteUrl = "" } = (await anyone.sharing.openShare({ share: site._id })).shared;
  const feed = new URL((await client.connections.saveCalendarFeed({ isOn: true })).url ?? "").pathname;
  const statusOf = async (path: string) => (await fetch(api.origin + path)).status;
  const look = async () => ({
    statuses: [
      await statusOf(`/v1/shared/${share._id}`),
      await statusOf(`/v1/shared/${share._id}/files/${fileId}`),
      await statusOf(`/v1/shared/${site._id}`),
      (await readPreview(siteUrl)).status,
      await statusOf(feed),
    ],
    explored: (await anyone.sharing.explore({ q: "" })).items.length,
    found: (await anyone.sharing.explore({ q: "mitochondria" })).items.length,
  });
  return { admin: admin.client.admin, userId: ada.userId, look };
}

const OPEN = { statuses: [200, 200, 200, 200, 200], explored: 1, found: 1 };
const HIDDEN = { statuses: [404, 404, 404, 404, 404], explored: 0, found: 0 };

test("public content of a disabled or deleted account is hidden at once, and opens again when the account is back", async () => {
  const { admin, userId: id, look } = await aPublicStudent();
  expect(await look()).toEqual(OPEN);
  await admin.disableAccount({ id, password: PASSWORD });
  expect(await look()).toEqual(HIDDEN);
  await admin.enableAccount({ id });
  expect(await look()).toEqual(OPEN);
  await admin.removeAccount({ id, password: PASSWORD });
  expect(await look()).toEqual(HIDDEN);
  await admin.restoreAccount({ id });
  expect(await look()).toEqual(OPEN);
});
