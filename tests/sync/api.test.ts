import { DatabaseSync } from "node:sqlite";
import { ulid } from "ulid";
import { expect, onTestFinished, test, vi } from "vitest";
import { pageDigest } from "#shared/pages/rules.ts";
import { pruneOldRequests } from "#api/sync/service.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import {
  aCard,
  aChange,
  aDeck,
  anAnnotation,
  aPage,
  aText,
  deckContent,
  textComponent,
  textContent,
} from "#tests/store/changes.ts";

const DAY_MS = 86_400_000;

const send = ({ client }: TestUser, ...payload: unknown[]) => client.sync.sendChanges({ payload });
const read = async ({ client }: TestUser, id: string) => (await client.pages.getComponent({ id })).component;
const idsOn = async ({ client }: TestUser, id: string) => (await client.pages.getPage({ id })).page.components;

async function aStudent() {
  const api = await startApi();
  const ann = await api.newUser();
  return { api, ann, pageId: await aPage(ann) };
}

test("a page and its components are created in one call and returned in order", async () => {
  const { ann } = await aStudent();
  const [pageId, first, second] = [ulid(), ulid(), ulid()];
  const answer = await send(
    ann,
    aChange("page_create", pageId, { title: "Genes", emoji: "🧬", createdAt: 5 }),
    aChange("component_create", first, textComponent(first, pageId, "one")),
    aChange("component_create", second, { ...textComponent(second, pageId, "two"), index: 0 }),
  );
  expect(answer).toMatchObject({ num_failed: 0, failed: [], versions: [{ version: 1 }, { version: 1 }] });
  const { page, components } = await ann.client.pages.getPage({ id: pageId });
  expect(page).toMatchObject({ title: "Genes", emoji: "🧬", createdAt: 5, ownedBy: ann.userId });
  expect(components.map((c) => c._id)).toEqual([second, first]);
});

test("batches are applied in the client's order across groups", async () => {
  const { ann } = await aStudent();
  const [pageId, id] = [ulid(), ulid()];
  const page = aChange("page_create", pageId, { createdAt: 1 });
  const text = aChange("component_create", id, textComponent(id, pageId, "one"));
  const batches = [
    { resourceId: id, requests: [text] },
    { resourceId: pageId, requests: [page] },
  ];
  expect(await ann.client.sync.sendBatches({ batches })).toMatchObject({ success: [page.id, text.id] });
});

test("sending the same id twice changes nothing and reports success", async () => {
  const { ann, pageId } = await aStudent();
  const id = ulid();
  const create = aChange("component_create", id, textComponent(id, pageId, "one"));
  const update = aChange("component_content_update", id, { newContent: textContent("two") }, { baseVersion: 1 });
  const once = await send(ann, create, update);
  const twice = await send(ann, create, update, update);
  expect(twice.success).toEqual([create.id, update.id, update.id]);
  expect(twice.versions.slice(0, 2)).toEqual(once.versions);
  expect(await read(ann, id)).toMatchObject({ version: 2, content: textContent("two") });
  expect(await idsOn(ann, pageId)).toEqual([id]);
});

test("a paste of many lines keeps its order, an invalid line fails alone, and sending the paste again changes nothing", async () => {
  const { ann, pageId } = await aStudent();
  const before = await aText(ann, pageId, "what stood there");
  const ids = Array.from({ length: 60 }, () => ulid());
  const requests = ids.map((id, index) =>
    aChange("component_create", id, { ...textComponent(id, pageId, `line ${index}`), index }),
  );
  const bad = ulid();
  const wrong = aChange("component_create", bad, textComponent(bad, pageId, "of another name"));
  wrong.data.component._id = ulid();
  const strange = aChange("component_create", ulid(), textComponent(bad, ulid(), "on no page"));
  const sent = [...requests.slice(0, 30), wrong, strange, ...requests.slice(30)];
  const answer = await send(ann, ...sent);
  expect(answer.success).toEqual(requests.map(({ id }) => id));
  expect(answer.failed.map(({ id, code }) => [id, code])).toEqual([
    [wrong.id, "bad_input"],
    [strange.id, "not_found"],
  ]);
  expect(await idsOn(ann, pageId)).toEqual([...ids, before]);
  expect((await send(ann, ...sent)).success).toEqual(answer.success);
  // Sends the last lines again with a new one, as after an answer that arrived only in part.
  const late = ulid();
  const more = aChange("component_create", late, { ...textComponent(late, pageId, "late"), index: 60 });
  expect((await send(ann, ...requests.slice(50), more)).success).toHaveLength(11);
  expect(await idsOn(ann, pageId)).toEqual([...ids, late, before]);
  expect(await read(ann, ids[40] ?? "")).toMatchObject({ version: 1, content: { text: [{ content: "line 40" }] } });
});

test("the same request from two tabs at once is applied once", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aText(ann, pageId, "one");
  const update = aChange("component_content_update", id, { newContent: textContent("two") }, { baseVersion: 1 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(ann, update)));
  expect(new Set(answers.map((a) => JSON.stringify(a.versions))).size).toBe(1);
  expect(await read(ann, id)).toMatchObject({ version: 2 });
});

test("an invalid request fails alone", async () => {
  const { ann, pageId } = await aStudent();
  const [good, text] = [ulid(), ulid()];
  const deep = { text: [{ content: [] as unknown[] }], subType: "normal", metadata: {} };
  let runs = deep.text[0]?.content;
  for (let i = 0; i < 500; i += 1) {
    const next: unknown[] = [];
    runs?.push({ content: next });
    runs = next;
  }
  const answer = await send(
    ann,
    null,
    7,
    [],
    { id: "0123456789" },
    aChange("component_create", good, textComponent(good, pageId, "one")),
    aChange("component_content_update", good, { newContent: deep }, { baseVersion: 1, id: "deep-0123456789" }),
    aChange("component_content_update", good, { newContent: { cards: 4 } }, { baseVersion: 1 }),
    aChange("component_create", text, { ...textComponent(good, pageId, "other id") }),
  );
  expect(answer.success).toHaveLength(1);
  expect(answer.failed.map((f) => [f.code, f.retriable])).toEqual(
    Array.from({ length: 7 }, () => ["bad_input", false]),
  );
  expect(answer.num_failed).toBe(7);
});

test("components for a missing page are refused, although a valid change in the same batch is applied", async () => {
  const { ann, pageId } = await aStudent();
  const missingPageId = ulid();
  const withoutPage = [ulid(), ulid(), ulid()].map((id) =>
    aChange("component_create", id, textComponent(id, missingPageId, "lost")),
  );
  const renamed = aChange("page_update", pageId, { title: "Genes" });
  const { success, failed } = await send(ann, ...withoutPage, renamed);
  expect(success).toEqual([renamed.id]);
  expect(failed.map(({ id, reason, retriable }) => [id, reason, retriable])).toEqual(
    withoutPage.map(({ id }) => [id, "no_page", false]),
  );
});

test("unusual texts and keys are stored unchanged or refused", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aText(ann, pageId, "one");
  const texts = [
    "\u0000",
    "\ud800 half a pair",
    "\u2028",
    "𝒳👩‍🔬",
    "__proto__",
    "a\tb\r\n",
    "\u0002{}\u0003",
    "x".repeat(200_000),
  ];
  for (const [index, text] of texts.entries()) {
    const newContent = textContent(text);
    const { success, failed } = await send(
      ann,
      aChange("component_content_update", id, { newContent }, { baseVersion: index + 1 }),
    );
    expect([...success, ...failed.filter((f) => !f.retriable)]).toHaveLength(1);
    if (success.length > 0) expect((await read(ann, id)).content).toEqual(textContent(text.toWellFormed()));
  }
  const keys = JSON.parse('{"__proto__": {"a": 1}, "$set": 1, "a.b": 2, "": 3, "constructor": {"x": 1}}') as object;
  const note = aChange("annotation_put", ulid(), { annotation: { ...keys } });
  const answer = await send(ann, note);
  expect([...answer.success, ...answer.failed.filter((f) => !f.retriable)]).toHaveLength(1);
});

test("of two texts based on one version, the later is shown and the other kept in the history", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aText(ann, pageId, "one");
  const phone = { clientId: "phone", baseVersion: 1 };
  await send(ann, aChange("component_content_update", id, { newContent: textContent("laptop") }, { baseVersion: 1 }));
  const answer = await send(ann, aChange("component_content_update", id, { newContent: textContent("phone") }, phone));
  expect(answer.versions).toMatchObject([{ version: 3, conflict: true }]);
  expect(await read(ann, id)).toMatchObject({ content: textContent("phone"), version: 3 });
  const { versions } = await ann.client.pages.listHistory({ id });
  expect(versions[0]).toMatchObject({ reason: "conflict", content: textContent("laptop"), version: 2 });
});

test("a client's earlier text that arrives late doesn't replace its later one", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aText(ann, pageId, "one");
  const early = aChange("component_content_update", id, { newContent: textContent("early") }, { baseVersion: 1 });
  const late = aChange("component_content_update", id, { newContent: textContent("late") }, { baseVersion: 1 });
  await send(ann, late);
  const answer = await send(ann, early);
  expect(answer.versions).toMatchObject([{ conflict: true, version: 2, content: textContent("late") }]);
  expect(await read(ann, id)).toMatchObject({ content: textContent("late") });
  const { versions } = await ann.client.pages.listHistory({ id });
  expect(versions.map((v) => v.content)).toContainEqual(textContent("early"));
});

test("decks merge by card id, with additions, changes and deletions of both sides", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aDeck(ann, pageId, [aCard("a"), aCard("b"), aCard("c")]);
  const laptop = deckContent([aCard("a", "changed on the laptop"), aCard("b"), aCard("c"), aCard("d")]);
  const phone = deckContent([aCard("a"), aCard("e"), aCard("c", "changed on the phone")], "On the phone");
  await send(ann, aChange("component_content_update", id, { newContent: laptop }, { baseVersion: 1 }));
  const answer = await send(
    ann,
    aChange("component_content_update", id, { newContent: phone }, { baseVersion: 1, clientId: "phone" }),
  );
  const merged = deckContent(
    [aCard("a", "changed on the laptop"), aCard("e"), aCard("c", "changed on the phone"), aCard("d")],
    "On the phone",
  );
  expect(answer.versions).toMatchObject([{ version: 3, conflict: false, content: merged }]);
  expect((await read(ann, id)).content).toEqual(merged);
});

test("a card changed on both sides shows the later text, and the history has the other", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aDeck(ann, pageId, [aCard("a")]);
  for (const clientId of ["laptop", "phone"])
    await send(
      ann,
      aChange(
        "component_content_update",
        id,
        { newContent: deckContent([aCard("a", clientId)]) },
        { baseVersion: 1, clientId },
      ),
    );
  expect((await read(ann, id)).content).toEqual(deckContent([aCard("a", "phone")]));
  const { versions } = await ann.client.pages.listHistory({ id });
  expect(versions[0]).toMatchObject({ reason: "conflict", content: deckContent([aCard("a", "laptop")]) });
});

test("componentIds only sets the order: a missing id deletes nothing", async () => {
  const { ann, pageId } = await aStudent();
  const [a, b, c] = [await aText(ann, pageId, "a"), await aText(ann, pageId, "b"), await aText(ann, pageId, "c")];
  await send(ann, aChange("page_component_sort", pageId, { componentIds: [c, a, "never-made"] }));
  expect(await idsOn(ann, pageId)).toEqual([c, a, b]);
});

test("a deleted component's text stays in the history and can be restored to its position", async () => {
  const { ann, pageId } = await aStudent();
  const [a, b] = [await aText(ann, pageId, "a"), await aText(ann, pageId, "b")];
  await send(ann, aChange("component_delete", a, {}));
  expect(await idsOn(ann, pageId)).toEqual([b]);
  const { versions } = await ann.client.pages.listHistory({ id: a });
  expect(versions).toMatchObject([{ reason: "deleted", content: textContent("a") }]);
  await send(ann, aChange("component_create", a, textComponent(a, pageId, "a")));
  expect(await idsOn(ann, pageId)).toEqual([a, b]);
});

test("a text written elsewhere while its component was deleted is kept in the history", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aText(ann, pageId, "one");
  const phone = { clientId: "phone", baseVersion: 1 };
  await send(ann, aChange("component_delete", id, {}));
  const answer = await send(ann, aChange("component_content_update", id, { newContent: textContent("kept") }, phone));
  expect(answer.versions).toMatchObject([{ conflict: true }]);
  const { versions } = await ann.client.pages.listHistory({ id });
  expect(versions.map((v) => v.content)).toContainEqual(textContent("kept"));
});

test("a component can move to another page of the same account", async () => {
  const { ann, pageId } = await aStudent();
  const [id, other] = [await aText(ann, pageId, "one"), await aPage(ann)];
  await send(ann, aChange("component_move", id, { fromPageId: pageId, toPageId: other }));
  expect([await idsOn(ann, pageId), await idsOn(ann, other)]).toEqual([[], [id]]);
});

test("archiving sets the server's time on a page, and restoring clears it", async () => {
  const { api, ann, pageId } = await aStudent();
  await send(ann, aChange("page_update", pageId, { archived: true, title: "Old" }));
  const archived = (await ann.client.pages.getPage({ id: pageId })).page;
  expect(archived).toMatchObject({ archived: true, archivedAt: api.clock.now(), title: "Old" });
  await send(ann, aChange("page_update", pageId, { archived: false }));
  expect((await ann.client.pages.getPage({ id: pageId })).page).toMatchObject({ archived: false, archivedAt: null });
});

test("recreating a deleted page restores everything on it", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aText(ann, pageId, "one");
  await send(ann, aChange("page_delete", pageId, {}));
  await expect(ann.client.pages.getPage({ id: pageId })).rejects.toMatchObject({ code: "not_found" });
  await send(ann, aChange("page_create", pageId, { title: "Cells", createdAt: 1 }));
  expect(await idsOn(ann, pageId)).toEqual([id]);
});

test("pages can be nested up to a limit", async () => {
  const { ann, pageId } = await aStudent();
  let parent = pageId;
  const codes: string[] = [];
  for (let depth = 0; depth < 25; depth += 1) {
    const id = ulid();
    const { failed } = await send(ann, aChange("page_create", id, { parent, createdAt: 1 }));
    codes.push(failed[0]?.code ?? "ok");
    if (failed.length === 0) parent = id;
  }
  expect([codes[0], codes.at(-1)]).toEqual(["ok", "bad_input"]);
});

test("oversized content is refused, and the process continues", async () => {
  const { ann, pageId } = await aStudent();
  const id = await aText(ann, pageId, "one");
  const huge = { newContent: textContent("x".repeat(4_100_000)) };
  const { failed } = await send(ann, aChange("component_content_update", id, huge, { baseVersion: 1 }));
  expect(failed).toMatchObject([{ code: "too_large", retriable: false }]);
});

const aNewText = (pageId: string) => {
  const id = ulid();
  return aChange("component_create", id, textComponent(id, pageId, "slipped in"));
};

test("another user's data is treated as missing, and nothing is written", async () => {
  const { api, ann, pageId } = await aStudent();
  const bob = await api.newUser();
  const [text, own] = [await aText(ann, pageId, "one"), await aPage(bob)];
  const mine = await aText(bob, own, "bob's");
  const ghost = ulid();
  const attempts = (page: string, component: string) => [
    aChange("page_update", page, { title: "stolen" }),
    aChange("page_delete", page, {}),
    aChange("page_component_sort", page, { componentIds: [] }),
    aChange("component_content_update", component, { newContent: textContent("stolen") }, { baseVersion: 1 }),
    aChange("component_delete", component, {}),
    aChange("component_move", component, { fromPageId: page, toPageId: own }),
    aChange("component_move", mine, { fromPageId: own, toPageId: page }),
    aChange("component_create", ulid(), textComponent(ulid(), page, "slipped in")),
  ];
  const forbidden = await send(bob, ...attempts(pageId, text), aNewText(pageId));
  const missing = await send(bob, ...attempts(ghost, ghost), aNewText(ghost));
  const outcomesOf = (answer: typeof missing) =>
    answer.failed.map(({ code, message, retriable }) => ({ code, message, retriable }));
  expect(outcomesOf(forbidden)).toEqual(outcomesOf(missing));
  expect(forbidden.success).toEqual([]);
  const taken = await send(
    bob,
    aChange("page_create", pageId, { title: "mine now", createdAt: 1 }),
    aChange("component_create", text, textComponent(text, own, "mine now")),
  );
  expect(taken.failed.map((f) => f.code)).toEqual(["not_found", "not_found"]);
  const { page, components } = await ann.client.pages.getPage({ id: pageId });
  expect([page.title, components.map((c) => c.content)]).toEqual(["Cells", [textContent("one")]]);
  expect(await idsOn(bob, own)).toEqual([mine]);
});

test("the digest returns count and hash of each own page, and nothing of others", async () => {
  const { api, ann, pageId } = await aStudent();
  await aText(ann, pageId, "one");
  const { components } = await ann.client.pages.getPage({ id: pageId });
  expect(await ann.client.sync.getDigest({ pageId })).toEqual({ pages: [{ pageId, ...pageDigest(components) }] });
  expect((await ann.client.sync.getDigest({})).pages).toHaveLength(1);
  const bob = await api.newUser();
  expect(await bob.client.sync.getDigest({ pageId })).toEqual({ pages: [] });
});

test("queued folders and annotations are stored once, and archived pages leave their folder", async () => {
  const { ann, pageId } = await aStudent();
  const [folder, note] = [ulid(), ulid()];
  const item = { item_id: pageId, item_type: "page" as const, created_at: 1 };
  const answer = await send(
    ann,
    aChange("folder_create", folder, { title: "Biology", color: "GREEN", createdAt: 1 }),
    aChange("folder_update", folder, { items: [item], is_expanded: false }),
    aChange("folder_update", folder, { title: "Genetics", items: [] }),
    aChange("annotation_put", note, { annotation: anAnnotation(note, "01JD00000000000000000DOC") }),
    aChange("annotation_delete", note, {}),
    aChange("page_update", pageId, { archived: true }),
    aChange("folder_delete", folder, {}),
    aChange("folder_delete", ulid(), {}),
  );
  expect(answer.success).toHaveLength(7);
  expect(answer.failed).toMatchObject([{ code: "not_found" }]);
});

test("one account's changes are refused with another account's token", async () => {
  const { api, ann } = await aStudent();
  const bob = await api.newUser();
  const payload = [aChange("page_create", ulid(), { createdAt: 1 })];
  const refused = { code: "forbidden" };
  await expect(bob.client.sync.sendChanges({ accountId: ann.userId, payload })).rejects.toMatchObject(refused);
  const batches = [{ resourceId: "x", requests: payload }];
  await expect(bob.client.sync.sendBatches({ accountId: ann.userId, batches })).rejects.toMatchObject(refused);
  expect((await bob.client.sync.sendBatches({ accountId: bob.userId, batches })).success).toHaveLength(1);
});

test("returns bad_input for a body that isn't a list of requests, and 401 when signed out", async () => {
  const { api, ann } = await aStudent();
  const wrong = { payload: "all of it" } as unknown as { payload: unknown[] };
  await expect(ann.client.sync.sendChanges(wrong)).rejects.toMatchObject({ code: "bad_input" });
  await expect(ann.client.sync.sendBatches({ batches: [{}] } as never)).rejects.toMatchObject({ code: "bad_input" });
  await expect(api.clientFor().sync.sendChanges({ payload: [] })).rejects.toMatchObject({ code: "signed_out" });
});

test("request ids are remembered for 400 days, and a later repeat changes nothing either", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = ulid();
  const change = aChange("page_create", pageId, { title: "Cells", createdAt: api.clock.now() });
  const sendOnce = async () => {
    const { success } = await ada.client.sync.sendChanges({ payload: [change] });
    expect(success).toEqual([change.id]);
  };
  await sendOnce();
  api.clock.advance(399 * DAY_MS);
  expect(await pruneOldRequests(api.deps)).toBe(0);
  api.clock.advance(2 * DAY_MS);
  expect(await pruneOldRequests(api.deps)).toBe(1);
  const { token } = await api.clientFor().auth.login({ email: ada.email, password: PASSWORD });
  const again = api.clientFor(token);
  expect((await again.sync.sendChanges({ payload: [change] })).success).toEqual([change.id]);
  const { content } = await again.pages.getContent({});
  expect(content.pages.map(({ _id, title }) => [_id, title])).toEqual([[pageId, "Cells"]]);
});

test("independent changes of a long offline queue are committed together", async () => {
  const api = await startApi();
  const ann = await api.newUser();
  const pageId = await aPage(ann);
  const lines = Array.from({ length: 100 }, (_, at) => `line-of-the-queue-${at}`);
  const payload = lines.flatMap((id, at) => [
    aChange("component_create", id, textComponent(id, pageId, "begun"), { clientId: "tab", seq: 2 * at + 1 }),
    aChange(
      "component_content_update",
      id,
      { newContent: textContent(`done ${at}`) },
      {
        clientId: "tab",
        seq: 2 * at + 2,
        baseVersion: 1,
      },
    ),
  ]);
  const written = vi.spyOn(DatabaseSync.prototype, "exec");
  onTestFinished(() => written.mockRestore());
  const answer = await ann.client.sync.sendChanges({ payload });
  const commits = written.mock.calls.filter(([sql]) => sql === "COMMIT").length;
  expect([answer.num_failed, answer.success.length]).toEqual([0, 200]);
  expect(commits).toBeLessThan(60);
  const { components, page } = await ann.client.pages.getPage({ id: pageId });
  expect(page.components).toEqual(lines);
  for (const [at, { content }] of components.entries()) expect(JSON.stringify(content)).toContain(`"done ${at}"`);
});
