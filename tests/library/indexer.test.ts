import { createHook } from "node:async_hooks";
import { once } from "node:events";
import { setImmediate as afterEvents, setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createIndexer } from "#api/library/indexer.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { searchIndexed } from "#tests/kit/search-indexed.ts";
import { ownFolder } from "#tests/store/own-folder.ts";
import { aChange, aPage, aText, send } from "#tests/store/changes.ts";

const WORDS = ["osmosis", "meiosis", "entropy", "isotope"];

type Answer = Awaited<ReturnType<typeof searchIndexed>>;
const summarise = ({ found, unread }: Answer) => ({ texts: found.map(({ text }) => text), unread });
const search = async (ada: TestUser, q: string) => summarise(await ada.client.library.search({ q }));

/** Queries the index directly, without the students' search. */
const indexed = async ({ deps }: TestApi, { userId }: TestUser, text: string) =>
  (await deps.index.search(userId, { text, limit: 5 })).map(({ passage }) => passage.text);

/** Delays writes to the index until the returned function is called. */
function holdIndexing({ deps }: TestApi): () => void {
  const put = deps.index.put.bind(deps.index);
  const gate = new AbortController();
  deps.index.put = async (...call) => {
    if (!gate.signal.aborted) await once(gate.signal, "abort");
    return put(...call);
  };
  return () => gate.abort();
}

test("a search finds every preceding change and nothing deleted", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const page = await aPage(ada);
  const ids: string[] = [];
  for (const word of WORDS) {
    ids.push(await aText(ada, page, `A sentence on ${word}.`));
    expect(summarise(await searchIndexed(ada, { q: word }))).toEqual({ texts: [`A sentence on ${word}.`], unread: 0 });
  }
  await send(ada, aChange("component_delete", ids[0] ?? "", {}));
  expect(summarise(await searchIndexed(ada, { q: "osmosis" }))).toEqual({ texts: [], unread: 0 });
});

test("changes are indexed without any search", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), "Entropy never falls.");
  await expect.poll(() => indexed(api, ada, "entropy"), { timeout: 10_000 }).toEqual(["Entropy never falls."]);
});

/** Records every write to the store and the index. */
function watchWrites({ deps }: TestApi): string[] {
  const writes: string[] = [];
  const watch = (target: object, methods: readonly string[], name: string): void => {
    for (const method of methods) {
      const write = Reflect.get(target, method) as (...call: unknown[]) => unknown;
      Reflect.set(target, method, (...call: unknown[]) => {
        writes.push(`${name}.${method}`);
        return write.apply(target, call);
      });
    }
  };
  watch(deps.index, ["put", "remove", "removeOwner", "putVectors"], "index");
  const collection = deps.store.collection.bind(deps.store);
  deps.store.collection = (spec) => {
    const found = collection(spec);
    const copy = Object.create(found) as typeof found;
    for (const method of ["insert", "patch", "patchOrInsert", "upsert", "remove"] as const)
      Reflect.set(copy, method, (...call: unknown[]) => {
        writes.push(`${spec.name}.${method}`);
        return (found[method] as (...given: unknown[]) => unknown)(...call);
      });
    for (const method of ["get", "find", "count", "groupCount"] as const)
      Reflect.set(copy, method, (found[method] as (...given: unknown[]) => unknown).bind(found));
    return copy;
  };
  return writes;
}

test("a search writes nothing", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), "Osmosis moves water.");
  await expect.poll(() => search(ada, "osmosis")).toEqual({ texts: ["Osmosis moves water."], unread: 0 });
  // The indexer stores its progress only after it has answered the search.
  await pause(100);
  const writes = watchWrites(api);
  for (const q of ["osmosis", "water kind:page", "nothing"]) await search(ada, q);
  expect(writes).toEqual([]);
});

test("a search waits for the indexer one second at most, and says how much is not yet indexed", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const page = await aPage(ada);
  await aText(ada, page, "Osmosis moves water.");
  await expect.poll(() => search(ada, "osmosis")).toMatchObject({ unread: 0 });
  const open = holdIndexing(api);
  await aText(ada, page, "Entropy never falls.");
  const startedAt = performance.now();
  expect(await search(ada, "entropy")).toEqual({ texts: [], unread: 1 });
  expect(performance.now() - startedAt).toBeGreaterThan(900);
  expect(await search(ada, "osmosis")).toEqual({ texts: ["Osmosis moves water."], unread: 1 });
  open();
  await expect.poll(() => search(ada, "entropy")).toEqual({ texts: ["Entropy never falls."], unread: 0 });
});

test("a server stopped during indexing continues after a restart, without any search", async () => {
  const dataDir = ownFolder();
  const before = await startApi({ dataDir });
  const ada = await before.newUser();
  const page = await aPage(ada);
  await aText(ada, page, "Osmosis moves water.");
  await expect.poll(() => search(ada, "osmosis")).toMatchObject({ unread: 0 });
  holdIndexing(before);
  await aText(ada, page, "Entropy never falls.");
  expect(await search(ada, "entropy")).toMatchObject({ unread: 1 });
  await before.stop();
  const after = await startApi({ dataDir });
  await expect.poll(() => indexed(after, ada, "entropy"), { timeout: 10_000 }).toEqual(["Entropy never falls."]);
});

test("a server stopped before indexing starts does so after a restart", async () => {
  const dataDir = ownFolder();
  const before = await startApi({ dataDir });
  const ada = await before.newUser();
  await aText(ada, await aPage(ada), "Entropy never falls.");
  await before.stop();
  const after = await startApi({ dataDir });
  await expect.poll(() => indexed(after, ada, "entropy"), { timeout: 10_000 }).toEqual(["Entropy never falls."]);
});

/** The store as another process sees it, which gets no events about the changes of this process. */
const asOtherProcess = (store: DocumentStore): DocumentStore => ({
  kind: store.kind,
  collection: (spec) => store.collection(spec),
  removeOwned: (ownerId) => store.removeOwned(ownerId),
  checkHealth: () => store.checkHealth(),
  close: () => store.close(),
});

test("another process indexes the changes of one that ended, and two at once index each passage once", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const page = await aPage(ada);
  const indexers = [1, 2].map(() => createIndexer({ ...api.deps, store: asOtherProcess(api.deps.store), pollMs: 30 }));
  onTestFinished(async () => void (await Promise.all(indexers.map((indexer) => indexer.stop()))));
  await api.deps.indexer.stop();
  for (const other of indexers) other.start();
  for (const word of WORDS) await aText(ada, page, `A sentence on ${word}.`);
  const all = WORDS.map((word) => `A sentence on ${word}.`).toSorted();
  await expect.poll(async () => (await indexed(api, ada, "sentence")).toSorted(), { timeout: 10_000 }).toEqual(all);
  await pause(200);
  expect((await indexed(api, ada, "sentence")).toSorted()).toEqual(all);
});

test("a stopped server leaves no timer running", async () => {
  const timers = new Map<number, string>();
  const hook = createHook({
    init: (id, type) => {
      if (type === "Timeout") timers.set(id, new Error("created here").stack ?? "");
    },
    destroy: (id) => void timers.delete(id),
  }).enable();
  onTestFinished(() => void hook.disable());
  const api = await startApi();
  const ada = await api.newUser();
  const page = await aPage(ada);
  await aText(ada, page, "Osmosis moves water.");
  await search(ada, "osmosis");
  // Indexing is scheduled but has not begun.
  await aText(ada, page, "Entropy never falls.");
  await api.stop();
  for (let turn = 0; turn < 3; turn += 1) await afterEvents();
  expect([...timers.values()].filter((stack) => stack.includes("/api/library/"))).toEqual([]);
});
