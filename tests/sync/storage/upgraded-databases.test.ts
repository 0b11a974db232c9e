// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { openDB } from "idb";
import { expect, test } from "vitest";
import { readSetting } from "#extension/app/settings-store.ts";
import { addCaptures, findByAddress, listDecks, readListPosition } from "#extension/library/store.ts";
import { readStoredConversation, saveConversation } from "#extension/tutor/conversation-store.ts";
import { findCachedPodcast, listCachedPodcasts } from "#webapp/offline/podcast-cache.ts";
import { cacheVideo, findCachedVideo, type CachedVideo } from "#webapp/offline/video-cache.ts";

const address = "https://lectures.example.org/cells";
const capture = { accountId: "ada", id: "c1", kind: "note", address, pageId: "p1", componentId: null };
const deck = { accountId: "ada", componentId: "d1", pageId: "p1", title: "Cells", due: 2, fresh: 1, total: 3 };

test("the extension's library of an earlier version keeps its captures, pages, decks and list position", async () => {
  const earlier = await openDB("lamplight-library", 1, {
    upgrade(db) {
      db.createObjectStore("kept", { keyPath: ["accountId", "id"] }).createIndex("address", ["accountId", "address"]);
      db.createObjectStore("things", { keyPath: ["accountId", "id"] });
      db.createObjectStore("decks", { keyPath: ["accountId", "componentId"] });
      db.createObjectStore("marks");
    },
  });
  await earlier.put("kept", capture);
  await earlier.put("things", { accountId: "ada", id: "p1" });
  await earlier.put("decks", deck);
  await earlier.put("marks", { upTo: 7, readAt: 8 }, "ada");
  earlier.close();

  expect(await readListPosition("ada")).toEqual({ upTo: 7, readAt: 8 });
  expect(await findByAddress("ada", address)).toEqual({ captures: [capture], decks: [] });
  expect(await listDecks("ada")).toEqual([deck]);
  await addCaptures("ada", [], { upTo: 9, readAt: 9 });
  expect(await readListPosition("ada")).toEqual({ upTo: 9, readAt: 9 });
});

const aConversation = (at: number) => ({ accountId: "ada", address: `${address}/${at}`, subject: {}, messages: [] });

test("the extension's conversations of an earlier version are found, and the oldest are still removed first", async () => {
  const earlier = await openDB("lamplight-talks", 1, {
    upgrade: (db) =>
      void db.createObjectStore("talks", { keyPath: ["accountId", "address"] }).createIndex("age", "keptAt"),
  });
  for (let at = 0; at < 300; at += 1) await earlier.put("talks", { ...aConversation(at), keptAt: 300 - at });
  earlier.close();

  expect(await readStoredConversation("ada", `${address}/7`)).toEqual({ ...aConversation(7), usedAt: 293 });
  await saveConversation({ ...aConversation(300), subject: { title: "Cells" } as never, usedAt: 1000 });
  expect(await readStoredConversation("ada", `${address}/299`)).toBeUndefined();
  expect(await readStoredConversation("ada", `${address}/298`)).toMatchObject({ usedAt: 2 });
});

test("the extension's study preferences of an earlier version are used", async () => {
  const earlier = await openDB("lamplight-extension", 1, {
    upgrade: (db) => void db.createObjectStore("settings"),
  });
  await earlier.put("settings", { desired_retention: 0.85 }, "choices");
  await earlier.put("settings", "https://study.example", "server");
  earlier.close();

  expect(await readSetting("studyPreferences")).toEqual({ desired_retention: 0.85 });
  expect(await readSetting("server")).toBe("https://study.example");
});

const aVideo = (id: string, at: number) => ({ id, at, info: {}, transcript: { segments: [] } });

test("cached videos of an earlier version stay, and the least recently opened are still evicted first", async () => {
  const earlier = await openDB("lamplight-videos-ada", 1, {
    upgrade: (db) => void db.createObjectStore("videos", { keyPath: "id" }).createIndex("age", "keptAt"),
  });
  for (let at = 0; at < 60; at += 1) await earlier.put("videos", { ...aVideo(`v${at}`, at), keptAt: 60 - at });
  earlier.close();

  expect(await findCachedVideo("ada", "v3")).toEqual({ ...aVideo("v3", 3), openedAt: 57 });
  await cacheVideo("ada", { ...aVideo("new", 0), openedAt: 1000 } as unknown as CachedVideo);
  expect(await findCachedVideo("ada", "v59")).toBeUndefined();
  expect(await findCachedVideo("ada", "v58")).toMatchObject({ openedAt: 2 });
});

test("podcasts that an earlier version saved have the present names of their notices", async () => {
  const earlier = await openDB("lamplight-podcasts-ada", 1, {
    upgrade: (db) => void db.createObjectStore("podcasts", { keyPath: "id" }),
  });
  const podcast = { _id: "p1", notices: ["shorter_than_wished", "written_without_model"] };
  await earlier.put("podcasts", { id: "p1", podcast, transcript: {}, audio: {} });
  earlier.close();

  const present = { ...podcast, notices: ["shorter_than_requested", "written_without_model"] };
  expect(await findCachedPodcast("ada", "p1")).toMatchObject({ id: "p1", podcast: present });
  expect(await listCachedPodcasts("ada")).toMatchObject([{ id: "p1", podcast: present }]);
});

test("databases that do not exist yet are created in their present form", async () => {
  expect(await findCachedVideo("eve", "v1")).toBeUndefined();
  await cacheVideo("eve", { id: "v1", openedAt: 5 } as CachedVideo);
  expect(await findCachedVideo("eve", "v1")).toEqual({ id: "v1", openedAt: 5 });
});
