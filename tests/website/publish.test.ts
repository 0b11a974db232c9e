import { beforeAll, expect, test } from "vitest";
import { tooManyRequests } from "#api/http/rate-limits.ts";
import { createPublishedSiteFinder } from "#api/sharing/published-sites.ts";
import { startApi } from "#tests/kit/api.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { aCourse, buildSiteKitOnce, readPreview } from "./aids.ts";

beforeAll(buildSiteKitOnce);

const api = await startApi({ forFile: true });
// The first account of a server is the administrator.
const admin = await api.newUser();
const anyone = api.clientFor();

async function aPublishedSite() {
  const ada = await api.newUser();
  const { page, deck } = await aCourse(ada);
  const { _id: id } = await ada.client.website.createProject({ name: "" });
  await ada.client.website.makeSite({ id, kind: "study_guide", title: "Genes", sourceIds: [page, deck] });
  const { state, share } = await ada.client.website.publishSite({ id });
  const open = async () => (await anyone.sharing.openShare({ share: share._id })).shared;
  return { ada, id, state, share, open };
}

test("a published site is public, and shows later edits only after it is published again", async () => {
  const { ada, id, state, share, open } = await aPublishedSite();
  expect(share).toMatchObject({ type: "website_project", visibility: "unlisted", title: "Genes" });
  expect(state.published).toMatchObject({ checkpointId: state.checkpoints[0]?._id });
  const { siteUrl = "", ...shared } = await open();
  expect(shared).toMatchObject({ type: "website_project", title: "Genes", components: [] });
  const { headers, status } = await readPreview(siteUrl);
  expect(status).toBe(200);
  expect(headers.get("content-security-policy")).toMatch(/^sandbox allow-scripts /);
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect((await readPreview(siteUrl, "site.json")).status).toBe(404);
  await ada.client.website.editSite({ id, edits: [{ type: "set_title", title: "Renamed", subtitle: "" }] });
  expect((await readPreview(siteUrl, "site.js")).text).not.toContain("Renamed");
  const again = await ada.client.website.publishSite({ id });
  expect(again.share._id).toBe(share._id);
  expect((await readPreview(siteUrl, "site.js")).text).toContain("Renamed");
  expect((await open()).title).toBe("Renamed");
});

test("unpublishing a site disables its link, and publishing again creates another", async () => {
  const { ada, id, share, open } = await aPublishedSite();
  const { siteUrl = "" } = await open();
  expect((await ada.client.website.unpublishSite({ id })).published).toBeNull();
  await expect(open()).rejects.toMatchObject({ code: "not_found" });
  expect((await readPreview(siteUrl)).status).toBe(404);
  const again = await ada.client.website.publishSite({ id });
  expect(again.share._id).not.toBe(share._id);
  await ada.client.website.deleteProject({ id });
  await expect(anyone.sharing.openShare({ share: again.share._id })).rejects.toMatchObject({ code: "not_found" });
});

test("anyone can report a published site, an administrator can take it down, and it cannot be listed", async () => {
  const { ada, id, share, open } = await aPublishedSite();
  await expect(
    ada.client.sharing.putShare({ type: "website_project", id, visibility: "listed" }),
  ).rejects.toMatchObject({ code: "forbidden", reason: "website_unlisted_only" });
  await anyone.sharing.reportShare({ share: share._id, reason: "copyright" });
  expect((await admin.client.sharing.listReports({})).reports).toMatchObject([{ shareId: share._id, title: "Genes" }]);
  const { siteUrl = "" } = await open();
  await admin.client.sharing.takeDown({ share: share._id });
  expect((await readPreview(siteUrl)).status).toBe(404);
  await expect(ada.client.website.publishSite({ id })).rejects.toMatchObject({
    code: "forbidden",
    reason: "taken_down",
  });
});

test("a site that does not build cannot be published, and only its owner can publish or unpublish it", async () => {
  const { ada, id } = await aPublishedSite();
  await ada.client.website.putSiteFile({ id, path: "/src/main.tsx", text: "const = ;\n" });
  await expect(ada.client.website.publishSite({ id })).rejects.toMatchObject({ reason: "site_does_not_build" });
  const { client } = await api.newUser();
  await expect(client.website.publishSite({ id })).rejects.toMatchObject({ code: "not_found" });
  await expect(client.website.unpublishSite({ id })).rejects.toMatchObject({ code: "not_found" });
});

const visit = async (url: string) => (await readPreview(url)).status;

test("visits, guessed addresses and builds of sites are rate-limited by address", async () => {
  const limited = await startApi({ env: { RATE_LIMIT_FACTOR: "0.02" } });
  const publish = async () => {
    const ada = await limited.newUser();
    const { page, deck } = await aCourse(ada);
    const { _id: id } = await ada.client.website.createProject({ name: "" });
    await ada.client.website.makeSite({ id, kind: "study_guide", title: "Genes", sourceIds: [page, deck] });
    const { share } = await ada.client.website.publishSite({ id });
    return limited.deps.previews.addressOf(share._id);
  };
  const [first, second, third] = [await publish(), await publish(), await publish()];
  // Two builds are allowed, and a site that is already built can still be visited.
  expect([await visit(first), await visit(second), await visit(third)]).toEqual([200, 200, 429]);
  expect(Number((await readPreview(third)).headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await visit(first)).toBe(200);
  const guess = limited.deps.previews.addressOf("x".repeat(26));
  const guesses = await Promise.all(Array.from({ length: 8 }, () => visit(guess)));
  expect(guesses.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 6 }, () => 404), 429, 429]);
  expect(await visit(first)).toBe(200);
  await Promise.all(Array.from({ length: 120 }, () => visit(first)));
  expect(await visit(first)).toBe(429);
});

test("if a visitor's limit stops a build, the build is done for the next visitor who waits for it", async () => {
  const { share } = await aPublishedSite();
  const find = createPublishedSiteFinder(api.deps.store);
  const asked: string[] = [];
  const othersWait = createDeferred<void>();
  const refused = find(share._id, async () => {
    await othersWait.promise;
    throw tooManyRequests(60_000);
  });
  const waiting = ["second", "third"].map((name) => find(share._id, async () => void asked.push(name)));
  await new Promise(setImmediate);
  othersWait.resolve();
  await expect(refused).rejects.toMatchObject({ code: "too_many_requests" });
  for (const site of await Promise.all(waiting)) expect(site?.size).toBeGreaterThan(0);
  // The third visitor waited for the second one's build, so it counts none.
  expect(asked).toEqual(["second"]);
});
