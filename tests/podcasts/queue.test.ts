// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { Blob as NodeBlob } from "node:buffer";
import { beforeEach, expect, test, vi } from "vitest";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { replyWith } from "#tests/kit/browser/reply.ts";
import { ada } from "#tests/kit/browser/web.tsx";
import { aPodcast } from "./a-podcast.ts";
import { aFakeSound } from "./fake-sound.ts";

const cells = aPodcast({ _id: "01JD000000000000000CELLS1", title: "Cells" });
const genes = aPodcast({ _id: "01JD000000000000000GENES1", title: "Genes" });
const sound = aFakeSound();
vi.stubGlobal("Audio", sound.create);
beforeEach(() => localStorage.clear());

/** What the server answers for each episode: the episode, that it was deleted, that the server failed, or nothing. */
type ServedEpisodes = Record<string, Podcast | "deleted" | "broken" | "unreachable">;

/** The app after a page load, with an account signed in. */
async function loadApp(user = ada, served: ServedEpisodes = {}) {
  vi.resetModules();
  const { NoResponseError } = await import("#shared/client/client.ts");
  const { Failure } = await import("#shared/contract/failure.ts");
  const { v1 } = await import("#shared/contract/v1.ts");
  const { store } = await import("#webapp/app/store.ts");
  const { setUser } = await import("#webapp/app/session/session.ts");
  const { setTransport } = await import("#webapp/app/client.ts");
  const { removeAccountEntries } = await import("#webapp/app/browser/local-storage.ts");
  const player = await import("#webapp/podcasts/player.ts");
  const queue = await import("#webapp/podcasts/queue.ts");
  const requestedIds = new Set<string>();
  const unreachableAudio = new Set<string>();
  setTransport(({ endpoint, path }) => {
    const id = /^\/v1\/podcasts\/([^/]+)/.exec(path)?.[1] ?? "";
    requestedIds.add(id);
    if (endpoint === v1.podcasts.signAudio && unreachableAudio.has(id))
      return Promise.reject(new NoResponseError("network"));
    const episode = served[id] ?? "unreachable";
    if (episode === "unreachable") return Promise.reject(new NoResponseError("network"));
    if (episode === "broken") return Promise.reject(new Failure("broken", { message: "No" }));
    if (episode === "deleted") return Promise.reject(new Failure("not_found", "no_podcast"));
    const answers = new Map<unknown, unknown>([
      [v1.podcasts.getPodcast, { podcast: episode }],
      [v1.podcasts.getTranscript, { lines: [], chapters: [] }],
      [v1.podcasts.signAudio, { url: `/v1/podcasts/audio/${id}`, sizeBytes: 1, durationMs: 300_000, expiresAt: 1 }],
      [v1.podcasts.savePosition, { success: true }],
    ]);
    const text = JSON.stringify(answers.get(endpoint));
    return Promise.resolve(replyWith(text));
  });
  setUser(user);
  return {
    ...queue,
    listQueue: () => store.get(queue.queueAtom),
    loadedTitle: () => store.get(player.loadedAtom)?.podcast.title,
    requestedIds,
    breakAudio: (id: string) => void unreachableAudio.add(id),
    restoreAudio: (id: string) => void unreachableAudio.delete(id),
    removeLocalEntries: () => removeAccountEntries(user._id),
    play: (podcast: Podcast) => player.playEpisode({ podcast, transcript: { lines: [], chapters: [] } }, 0),
  };
}

test("after a reload, only this account's queue is restored", async () => {
  const before = await loadApp();
  before.addToQueue(cells);
  before.addToQueue(genes);
  before.addToQueue(cells);
  expect(before.listQueue()).toEqual([genes._id, cells._id]);
  const after = await loadApp();
  expect(after.listQueue()).toEqual([genes._id, cells._id]);
  after.removeFromQueue(genes._id);
  expect((await loadApp()).listQueue()).toEqual([cells._id]);
  expect((await loadApp({ ...ada, _id: "01JD0000000000000000000BOB" })).listQueue()).toEqual([]);
  after.removeLocalEntries();
  expect((await loadApp()).listQueue()).toEqual([]);
});

test("a queue that cannot be read is empty", async () => {
  localStorage.setItem(`lamplight_podcast_queue_${ada._id}`, '{"not": "a queue"');
  const app = await loadApp();
  expect(app.listQueue()).toEqual([]);
});

test("a change of the queue in another tab is applied", async () => {
  const app = await loadApp();
  localStorage.setItem(`lamplight_podcast_queue_${ada._id}`, JSON.stringify([genes._id]));
  window.dispatchEvent(new StorageEvent("storage"));
  expect(app.listQueue()).toEqual([genes._id]);
});

test("a full queue refuses another episode, but moves an episode that it contains to its end", async () => {
  const app = await loadApp();
  const { alertsAtom } = await import("#webapp/app/alerts.ts");
  const { store } = await import("#webapp/app/store.ts");
  const alerts = () => store.get(alertsAtom).map(({ message, type }) => `${type}: ${message}`);
  const full = Array.from({ length: 100 }, (_, at) => `episode-${at}`);
  for (const id of full) app.addToQueue({ _id: id, title: id });
  app.addToQueue(cells);
  expect(app.listQueue()).toEqual(full);
  expect(alerts()).not.toContain("success: “Cells” was added to the queue");
  expect(alerts()).toContain("error: The queue is full: it holds at most 100 podcasts. Remove one first.");
  app.addToQueue({ _id: "episode-0", title: "episode-0" });
  expect(app.listQueue()).toEqual([...full.slice(1), "episode-0"]);
});

test("after an episode, the next one that can be played starts", async () => {
  const served: ServedEpisodes = { gone: "deleted", old: aPodcast({ is_archived: true }), [genes._id]: genes };
  const app = await loadApp(ada, { ...served, [cells._id]: cells });
  for (const id of ["gone", "old", genes._id]) app.addToQueue({ _id: id, title: id });
  await app.play(cells);
  expect(app.loadedTitle()).toBe("Cells");
  sound.element?.dispatchEvent(new Event("ended"));
  await expect.poll(app.loadedTitle).toBe("Genes");
  await expect.poll(app.listQueue).toEqual([]);
});

test("an episode stays in the queue if the server fails to deliver it", async () => {
  const app = await loadApp(ada, { flaky: "broken", [genes._id]: genes, [cells._id]: cells });
  for (const id of ["flaky", genes._id]) app.addToQueue({ _id: id, title: id });
  await app.play(cells);
  sound.element?.dispatchEvent(new Event("ended"));
  await expect.poll(app.loadedTitle).toBe("Genes");
  await expect.poll(app.listQueue).toEqual(["flaky"]);
});

test("without a connection, the next saved episode starts, the others stay, and only one of them is requested", async () => {
  const app = await loadApp();
  const { cachePodcast } = await import("#webapp/offline/podcast-cache.ts");
  const podcast = aPodcast({ _id: "saved", title: "Saved" });
  // The test document's own `Blob` cannot be stored.
  const audio = new NodeBlob(["sound"]) as Blob;
  await cachePodcast(ada._id, { id: podcast._id, podcast, transcript: { lines: [], chapters: [] }, audio });
  for (const id of ["far", "further", podcast._id]) app.addToQueue({ _id: id, title: id });
  await app.playNext();
  expect(app.loadedTitle()).toBe("Saved");
  expect(sound.element?.src).toMatch(/^blob:/u);
  expect(app.listQueue()).toEqual(["far", "further"]);
  expect([...app.requestedIds]).toEqual(["far"]);
});

test("an episode that is removed from the queue while it loads is not played", async () => {
  const app = await loadApp(ada, { [cells._id]: cells, [genes._id]: genes });
  app.addToQueue(cells);
  app.addToQueue(genes);
  const playing = app.playNext();
  app.removeFromQueue(cells._id);
  await playing;
  expect(app.loadedTitle()).toBe("Genes");
});

test("an episode that the listener starts while the next one loads keeps playing", async () => {
  const app = await loadApp(ada, { [cells._id]: cells, [genes._id]: genes });
  app.addToQueue(genes);
  const playing = app.playNext();
  await app.play(cells);
  await playing;
  expect(app.loadedTitle()).toBe("Cells");
  expect(app.listQueue()).toEqual([genes._id]);
});

test("an episode whose audio cannot be opened stays queued until it has been played", async () => {
  const served: ServedEpisodes = { [cells._id]: cells, [genes._id]: genes };
  const app = await loadApp(ada, served);
  app.addToQueue(genes);
  app.breakAudio(genes._id);
  await app.playNext();
  expect(app.loadedTitle()).toBe("Genes");
  expect(app.listQueue()).toEqual([genes._id]);
  app.restoreAudio(genes._id);
  await app.play(genes);
  sound.element?.dispatchEvent(new Event("ended"));
  await expect.poll(app.listQueue).toEqual([]);
});
