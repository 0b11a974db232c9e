import { ulid } from "ulid";
import { expect, test } from "vitest";
import type { ChangeEvent } from "#shared/sync/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aChange, aPage, textComponent, textContent } from "#tests/store/changes.ts";

const send = ({ client }: TestUser, ...payload: unknown[]) => client.sync.sendChanges({ payload });

/** Follows the account's changes as a browser does. */
function follow({ client }: TestUser, after?: number) {
  const controller = new AbortController();
  const stream = client.sync.followChanges(after === undefined ? {} : { after }, { signal: controller.signal });
  const next = async (): Promise<ChangeEvent> => {
    const { value, done } = await stream.next();
    if (done) throw new Error("the stream ended");
    return value;
  };
  return { next, stop: () => controller.abort() };
}

async function aStudent() {
  const api = await startApi();
  const ann = await api.newUser();
  const pageId = await aPage(ann);
  const id = ulid();
  await send(ann, aChange("component_create", id, textComponent(id, pageId, "one")));
  return { api, ann, pageId, id };
}

test("a change on one device notifies the others of its location, without content", async () => {
  const { ann, id } = await aStudent();
  const tablet = follow(ann);
  expect(await tablet.next()).toMatchObject({ type: "changes", changes: [] });
  const update = aChange("component_content_update", id, { newContent: textContent("secret") }, { baseVersion: 1 });
  const begun = performance.now();
  await send(ann, update);
  const event = await tablet.next();
  expect(event).toMatchObject({ type: "changes", changes: [{ kind: "content", ids: [id], requestId: update.id }] });
  expect(JSON.stringify(event)).not.toContain("secret");
  expect(performance.now() - begun).toBeLessThan(2000);
  tablet.stop();
});

test("a reconnecting browser receives the changes since its last sequence number", async () => {
  const { ann, pageId } = await aStudent();
  const first = follow(ann);
  const { seq } = await first.next();
  first.stop();
  const [a, b] = [ulid(), ulid()];
  await send(ann, aChange("component_create", a, textComponent(a, pageId, "two")));
  await send(ann, aChange("component_create", b, textComponent(b, pageId, "three")));
  const reconnected = follow(ann, seq);
  expect(await reconnected.next()).toMatchObject({
    seq: seq + 2,
    changes: [
      { kind: "page", ids: [pageId, a] },
      { kind: "page", ids: [pageId, b] },
    ],
  });
  reconnected.stop();
});

test("a sequence number that is too old or unknown is answered with a full refresh", async () => {
  const { ann, pageId } = await aStudent();
  const first = follow(ann);
  const { seq } = await first.next();
  first.stop();
  for (let i = 0; i < 70; i += 1) await send(ann, aChange("page_update", pageId, { title: `${i}` }));
  for (const after of [seq, 10_000]) {
    const reconnected = follow(ann, after);
    expect(await reconnected.next()).toMatchObject({ changes: [{ kind: "everything" }] });
    reconnected.stop();
  }
});

test("a long batch is sent as one full refresh", async () => {
  const { ann, pageId } = await aStudent();
  const tablet = follow(ann);
  await tablet.next();
  const made = Array.from({ length: 60 }, () => ulid());
  await send(ann, ...made.map((id) => aChange("component_create", id, textComponent(id, pageId, "x"))));
  expect(await tablet.next()).toMatchObject({ changes: [{ kind: "everything", ids: [] }] });
  tablet.stop();
});

test("another account receives nothing", async () => {
  const { api, ann, pageId } = await aStudent();
  const eve = await api.newUser();
  const hers = follow(eve);
  expect(await hers.next()).toMatchObject({ changes: [] });
  await send(ann, aChange("page_update", pageId, { title: "Genes" }));
  await aPage(eve);
  const event = await hers.next();
  expect(JSON.stringify(event)).not.toContain(pageId);
  hers.stop();
});

test("an update that caused a conflict notifies every browser", async () => {
  const { ann, id } = await aStudent();
  const tablet = follow(ann);
  await tablet.next();
  const update = (text: string, clientId: string) =>
    aChange("component_content_update", id, { newContent: textContent(text) }, { baseVersion: 1, clientId, seq: 1 });
  await send(ann, update("laptop", "a"));
  expect(await tablet.next()).toMatchObject({ changes: [{ kind: "content", ids: [id] }] });
  await send(ann, update("phone", "b"));
  expect(await tablet.next()).toMatchObject({ changes: [{ kind: "content", ids: [id], conflict: true }] });
  tablet.stop();
});

test("more streams than a student may have devices are refused", async () => {
  const { ann } = await aStudent();
  const all = Array.from({ length: 30 }, () => follow(ann));
  await Promise.all(all.map((stream) => stream.next()));
  await expect(follow(ann).next()).rejects.toMatchObject({ code: "too_many_requests" });
  for (const one of all) one.stop();
});
