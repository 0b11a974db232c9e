// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { NoAnswer } from "#shared/client/client.ts";
import type { SyncAnswer, SyncRequest } from "#shared/sync/schema.ts";
import { freshPage } from "#shared/pages/present.ts";
import { setUser } from "#webapp/kit/session.ts";
import { fetchPage, flushForSignOut, loadPage, queue, wipeAccount } from "#webapp/kit/sync.ts";
import { carryCallsBy } from "#webapp/kit/client.ts";
import { ada } from "#tests/kit/web.tsx";
import { aChange, textComponent } from "#tests/kit/changes.ts";

type Body = { accountId?: string; batches?: { requests: SyncRequest[] }[] };
const nothing: SyncAnswer = { success: [], num_failed: 0, failed: [], parcels: [], versions: [] };

// oxlint-disable-next-line require-yield
async function* noPieces(): AsyncGenerator<string> {}

/** A server that answers as it is told, or is not reached. */
function aServer() {
  const server = {
    isReached: true,
    sent: [] as { accountId: string | undefined; id: string }[],
    page: (): unknown => ({}),
    fetches: 0,
  };
  const answer = async (path: string, body: Body): Promise<unknown> => {
    if (!server.isReached) throw new NoAnswer("network");
    if (path.startsWith("/v1/pages/")) {
      server.fetches += 1;
      return server.page();
    }
    if (path.startsWith("/v1/sync/digest")) return { pages: [] };
    const ids = (body.batches ?? []).flatMap((b) => b.requests.map((r) => r.id));
    server.sent.push(...ids.map((id) => ({ accountId: body.accountId, id })));
    return { ...nothing, success: ids };
  };
  carryCallsBy(async ({ path, body }) => {
    const said = await answer(path, body.kind === "json" ? (JSON.parse(body.text) as Body) : {});
    return {
      text: async () => JSON.stringify(said),
      blob: async () => new Blob(),
      pieces: () => noPieces(),
    };
  });
  return server;
}

const someone = (name: string) => {
  const user = { ...ada, _id: `account-${name}-00` };
  setUser(user);
  return user._id;
};
const pageOf = (id: string, title: string) =>
  freshPage(aChange("page_create", id, { title, createdAt: 1 }) as Parameters<typeof freshPage>[0], "someone");

test("one account's writes never go out with another's token, and are there when it comes back", async () => {
  const server = aServer();
  server.isReached = false;
  const ann = someone("ann");
  await queue().enqueue("page_create", "page-of-ann", { createdAt: 1 });
  const bob = someone("bob");
  server.isReached = true;
  await queue().enqueue("page_create", "page-of-bob", { createdAt: 1 });
  await queue().flush();
  expect(server.sent.map((s) => s.accountId)).toEqual([bob]);
  setUser({ ...ada, _id: ann });
  await queue().start();
  await queue().flush();
  expect(server.sent.map((s) => s.accountId)).toEqual([bob, ann]);
});

test("a page opens without a network as it was kept, with what is unsaved upon it", async () => {
  const server = aServer();
  someone("cid");
  server.page = () => ({ page: pageOf("page-1", "Cells"), components: [] });
  await loadPage("page-1");
  server.isReached = false;
  await queue().enqueue("page_update", "page-1", { title: "Cells and genes" });
  await queue().enqueue("component_create", "text-1", textComponent("text-1", "page-1", "unsaved"));
  const { page, components } = await loadPage("page-1");
  expect([page?.title, components.map((c) => c._id)]).toEqual(["Cells and genes", ["text-1"]]);
});

test("a page made without a network opens before the server knows it", async () => {
  const server = aServer();
  server.isReached = false;
  someone("dan");
  await queue().enqueue("page_create", "page-new", { title: "On the train", createdAt: 1 });
  expect((await loadPage("page-new")).page?.title).toBe("On the train");
  await expect(loadPage("page-unknown")).rejects.toBeInstanceOf(NoAnswer);
});

test("a page that was asked for before a change was acknowledged is asked for again", async () => {
  const server = aServer();
  someone("eve");
  await queue().start();
  await queue().enqueue("page_update", "page-2", { title: "new" });
  let shown = "old";
  server.page = () => {
    const told = { page: pageOf("page-2", shown), components: [] };
    shown = "new";
    return queue()
      .flush()
      .then(() => told);
  };
  expect((await fetchPage("page-2")).page.title).toBe("new");
  expect(server.fetches).toBe(2);
});

test("signing out sends what it can, names what is unsaved, and leaves nothing here", async () => {
  const server = aServer();
  const finn = someone("finn");
  server.isReached = false;
  await queue().enqueue("page_create", "page-3", { createdAt: 1 });
  expect((await flushForSignOut()).map((r) => r.resourceId)).toEqual(["page-3"]);
  await wipeAccount();
  setUser({ ...ada, _id: finn });
  await queue().start();
  expect(queue().unsaved()).toEqual([]);
});
