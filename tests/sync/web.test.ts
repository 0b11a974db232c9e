// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { expect, test, vi } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import type { SyncAnswer, SyncRequest } from "#shared/sync/schema.ts";
import { buildPage } from "#shared/pages/present.ts";
import { setUser } from "#webapp/app/session/session.ts";
import {
  fetchPage,
  findCachedPage,
  flushForSignOut,
  loadPage,
  queue,
  reloadComponent,
  wipeAccount,
} from "#webapp/offline/sync.ts";
import { setTransport } from "#webapp/app/client.ts";
import { ada } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { aChange, textComponent, textContent } from "#tests/store/changes.ts";

type Body = { accountId?: string; batches?: { requests: SyncRequest[] }[] };
const nothing: SyncAnswer = { success: [], num_failed: 0, failed: [], parcels: [], versions: [] };

// oxlint-disable-next-line require-yield
async function* noPieces(): AsyncGenerator<string> {}

/** A server whose answers the test sets, and which can be unreachable. */
function aServer() {
  const server = {
    isReached: true,
    sent: [] as { accountId: string | undefined; id: string }[],
    page: (): unknown => ({}),
    component: async (): Promise<unknown> => ({}),
  };
  const answer = async (path: string, body: Body): Promise<unknown> => {
    if (!server.isReached) throw new NoResponseError("network");
    if (path.startsWith("/v1/pages/components/")) return server.component();
    if (path.startsWith("/v1/pages/")) return server.page();
    if (path.startsWith("/v1/sync/digest")) return { pages: [] };
    const ids = (body.batches ?? []).flatMap((b) => b.requests.map((r) => r.id));
    server.sent.push(...ids.map((id) => ({ accountId: body.accountId, id })));
    return { ...nothing, success: ids };
  };
  setTransport(async ({ path, body }) => {
    const value = await answer(path, body.kind === "json" ? (JSON.parse(body.text) as Body) : {});
    return {
      text: async () => JSON.stringify(value),
      blob: async () => new Blob(),
      pieces: () => noPieces(),
    };
  });
  return server;
}

const signInAs = (name: string) => {
  const user = { ...ada, _id: `account-${name}-00` };
  setUser(user);
  return user._id;
};
const pageOf = (id: string, title: string) =>
  buildPage(aChange("page_create", id, { title, createdAt: 1 }) as Parameters<typeof buildPage>[0], "someone");

test("one account's changes are never sent with another's token, and are restored when it returns", async () => {
  const server = aServer();
  server.isReached = false;
  const ann = signInAs("ann");
  await queue().enqueue("page_create", "page-of-ann", { createdAt: 1 });
  const bob = signInAs("bob");
  server.isReached = true;
  await queue().enqueue("page_create", "page-of-bob", { createdAt: 1 });
  await queue().flush();
  expect(server.sent.map((s) => s.accountId)).toEqual([bob]);
  setUser({ ...ada, _id: ann });
  await queue().start();
  await queue().flush();
  expect(server.sent.map((s) => s.accountId)).toEqual([bob, ann]);
});

test("a page that arrives after another account signed in is not stored for that account", async () => {
  const server = aServer();
  signInAs("fay");
  const [isAsked, arrival] = [createDeferred<undefined>(), createDeferred<undefined>()];
  server.page = async () => {
    isAsked.resolve(undefined);
    await arrival.promise;
    return { page: pageOf("page-of-fay", "Cells"), components: [] };
  };
  const fetching = fetchPage("page-of-fay");
  await isAsked.promise;
  signInAs("gus");
  await queue().flush();
  arrival.resolve(undefined);
  await expect(fetching).rejects.toThrow(NoResponseError);
  expect(await findCachedPage("page-of-fay")).toBeUndefined();
});

test("offline, a page opens from the cache with its unsaved changes", async () => {
  const server = aServer();
  signInAs("cid");
  server.page = () => ({ page: pageOf("page-1", "Cells"), components: [] });
  await loadPage("page-1");
  server.isReached = false;
  await queue().enqueue("page_update", "page-1", { title: "Cells and genes" });
  await queue().enqueue("component_create", "text-1", textComponent("text-1", "page-1", "unsaved"));
  const { page, components } = await loadPage("page-1");
  expect([page?.title, components.map((c) => c._id)]).toEqual(["Cells and genes", ["text-1"]]);
});

test("a page created offline opens before the server has it", async () => {
  const server = aServer();
  server.isReached = false;
  signInAs("dan");
  await queue().enqueue("page_create", "page-new", { title: "On the train", createdAt: 1 });
  expect((await loadPage("page-new")).page?.title).toBe("On the train");
  await expect(loadPage("page-unknown")).rejects.toBeInstanceOf(NoResponseError);
});

test("an acknowledged change is applied to an older page that arrives later", async () => {
  const server = aServer();
  signInAs("eve");
  await queue().start();
  await queue().enqueue("page_update", "page-2", { title: "new" });
  server.page = () => {
    const answer = { page: pageOf("page-2", "old"), components: [] };
    return queue()
      .flush()
      .then(() => answer);
  };
  expect((await fetchPage("page-2")).page?.title).toBe("new");
});

test("a component that is older than this browser's own change is ignored", async () => {
  const server = aServer();
  signInAs("gus");
  await queue().start();
  const stored = { ...textComponent("text-4", "page-4", "old").component, version: 1 };
  server.page = () => ({ page: { ...pageOf("page-4", "Cells"), components: ["text-4"] }, components: [stored] });
  await loadPage("page-4");
  server.component = async () => {
    await queue().enqueue("component_content_update", "text-4", { newContent: textContent("new") }, { baseVersion: 1 });
    await queue().flush();
    return { component: stored };
  };
  expect(await reloadComponent("page-4", "text-4")).toBeUndefined();
  expect(queue().pendingFor("text-4")).toEqual([]);
  server.component = async () => ({ component: stored });
  expect((await reloadComponent("page-4", "text-4"))?._id).toBe("text-4");
});

test("a change sent from another screen is in the page when it next opens offline", async () => {
  const server = aServer();
  const hal = signInAs("hal");
  // The second page is cached after the index of cached components was read for the first time.
  for (const n of [5, 6]) {
    const [pageId, textId] = [`page-${n}`, `text-${n}`];
    const stored = { ...textComponent(textId, pageId, "old").component, version: 1 };
    server.page = () => ({ page: { ...pageOf(pageId, "Cells"), components: [textId] }, components: [stored] });
    await loadPage(pageId);
    server.isReached = false;
    await queue().enqueue("component_content_update", textId, { newContent: textContent("new") }, { baseVersion: 1 });
    // The student signs in again, and this time never opens that page.
    signInAs("somebody else");
    queue();
    setUser({ ...ada, _id: hal });
    await queue().start();
    server.isReached = true;
    await queue().flush();
    expect(queue().unsaved()).toEqual([]);
    server.isReached = false;
    await expect.poll(async () => JSON.stringify((await loadPage(pageId)).components)).toContain("new");
    server.isReached = true;
  }
});

test("answering a card doesn't rewrite its cached page, a change to the page does", async () => {
  const server = aServer();
  signInAs("ivy");
  await queue().start();
  const deck = { ...textComponent("deck-6", "page-6", "cards").component, version: 1 };
  server.page = () => ({ page: { ...pageOf("page-6", "Cells"), components: ["deck-6"] }, components: [deck] });
  await loadPage("page-6");
  const written = vi.spyOn(IDBObjectStore.prototype, "put");
  const pagesWritten = () => written.mock.contexts.filter((store) => (store as IDBObjectStore).name === "pages").length;
  const answer = { _id: "review-of-this-test", cardId: "c1", componentId: "deck-6", grade: 3, reviewedAt: 1 } as const;
  await queue().enqueue("review_add", "deck-6", answer);
  await queue().enqueue("review_undo", "deck-6", { reviewId: answer._id });
  await queue().flush();
  expect([server.sent.length, pagesWritten()]).toEqual([2, 0]);
  await queue().enqueue("page_update", "page-6", { title: "Cells and genes" });
  await queue().flush();
  await expect.poll(pagesWritten).toBe(1);
  written.mockRestore();
});

test("signing out sends what it can, lists what is unsaved, and leaves no data", async () => {
  const server = aServer();
  const finn = signInAs("finn");
  server.isReached = false;
  await queue().enqueue("page_create", "page-3", { createdAt: 1 });
  expect((await flushForSignOut()).map((r) => r.resourceId)).toEqual(["page-3"]);
  await wipeAccount();
  setUser({ ...ada, _id: finn });
  await queue().start();
  expect(queue().unsaved()).toEqual([]);
});
