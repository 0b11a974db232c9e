import { expect, onTestFinished, test, vi } from "vitest";
import { findFile } from "#api/blobs/file-records.ts";
import { audioFileIdOf } from "#api/podcasts/making/end-episode.ts";
import { removeFailedLines } from "#api/podcasts/service.ts";
import { findPodcast, insertPart, insertSegment, listParts, segments } from "#api/podcasts/store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { aDocument, createPodcast, MAKING_LIMIT_MS, TEST_LIMIT_MS, waitUntilMade } from "../made-podcast.ts";
import { aTextbook } from "../textbook.ts";
import { startTtsServer, type TtsTurn } from "../tts-server.ts";

const waiting = { timeout: MAKING_LIMIT_MS };

async function aStudent(...turns: TtsTurn[]) {
  const server = await startTtsServer(...turns);
  onTestFinished(() => server.close());
  const api = await startApi({ env: { TTS_BASE_URL: server.baseUrl, TTS_API_KEY: "secret", TTS_MODEL: "kokoro" } });
  const ann = await api.newUser({ plan: "ULTIMATE" });
  const sources = [{ type: "pdf" as const, id: await aDocument(ann, aTextbook(1)) }];
  return { api, ann, sources, own: ownedBy(api.deps.store, ann.userId), server };
}

test("a retry while the lines of the failed attempt are being removed keeps what it stores", async () => {
  const { api, ann, sources, own } = await aStudent();
  // The episode waits for its job.
  await api.deps.jobs.stop();
  const { _id: id } = await createPodcast(ann, { sources });
  const old = { podcastId: id, attempt: 1, blobKey: "old" };
  await insertPart(own, { ...old, index: 0, sizeBytes: 1 });
  await insertSegment(own, "old", { ...old, sampleRate: 1, engine: "server" });
  await ann.client.podcasts.cancelPodcast({ id });
  api.clock.advance(8 * 86_400_000);
  ann.client = api.clientFor((await api.clientFor().auth.login({ email: ann.email, password: PASSWORD })).token);
  let isFirst = true;
  beforeStoreCall(api.deps.store, async (call) => {
    if (call !== "podcast_segments.remove" || !isFirst) return;
    isFirst = false;
    await ann.client.podcasts.retryPodcast({ id });
    const more = { podcastId: id, attempt: 2, blobKey: "new" };
    await insertPart(own, { ...more, index: 0, sizeBytes: 1 });
    await insertSegment(own, "new", { ...more, sampleRate: 1, engine: "server" });
  });
  await removeFailedLines(api.deps);
  expect(await listParts(own, { _id: id, attempt: 1 })).toEqual([]);
  expect(await listParts(own, { _id: id, attempt: 2 })).toMatchObject([{ blobKey: "new" }]);
  expect(await own.in(segments).find({ podcastId: id })).toMatchObject([{ blobKey: "new" }]);
  expect((await findPodcast(own, id))?.linesRemovedAt).toBeNull();
});

test(
  "a stop while the MP3 or the cover is stored leaves no file that is not shown",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { api, ann, sources, own } = await aStudent();
    const { blobs } = api.deps;
    const receive = blobs.receive.bind(blobs);
    const before = (await ann.client.user.getStorage({})).usedBytes;
    const ofCover = "01JPODCAST0000000000000009";
    vi.spyOn(blobs, "receive").mockImplementationOnce(async (...sent) => {
      await ann.client.podcasts.cancelPodcast({ id: ofCover });
      return receive(...sent);
    });
    await createPodcast(ann, { id: ofCover, sources });
    const readCover = () => ann.client.podcasts.getThumbnail({ id: ofCover });
    // The cover is drawn, so that it is shown with the failed episode.
    await expect.poll(() => readCover().catch(() => undefined), waiting).toBeDefined();
    const cover = await readCover();
    const usedBytes = async () => (await ann.client.user.getStorage({})).usedBytes;
    expect(await usedBytes()).toBe(before + cover.size);
    await ann.client.podcasts.deletePodcast({ id: ofCover });
    expect(await usedBytes()).toBe(before);

    const id = "01JPODCAST0000000000000010";
    let isFirst = true;
    let retried = "";
    vi.spyOn(blobs, "receive").mockImplementation((source, maxBytes) => {
      async function* bytes() {
        for await (const chunk of source) {
          if (isFirst && Buffer.from(chunk).toString("latin1", 0, 3) === "ID3") {
            isFirst = false;
            await ann.client.podcasts.cancelPodcast({ id });
            // The second attempt is completed before the first has stored its file.
            await ann.client.podcasts.retryPodcast({ id });
            retried = (await waitUntilMade(ann, id)).status;
          }
          yield chunk;
        }
      }
      return receive(bytes(), maxBytes);
    });
    await createPodcast(ann, { id, sources });
    await expect.poll(() => retried, waiting).toBe("completed");
    await api.deps.jobs.stop();
    expect(await findFile(own, audioFileIdOf({ _id: id, attempt: 1 }))).toBeUndefined();
    const { url, sizeBytes } = await ann.client.podcasts.signAudio({ id });
    expect((await (await fetch(api.origin + url)).arrayBuffer()).byteLength).toBe(sizeBytes);
    expect(await own.in(segments).count({ podcastId: id })).toBe(0);
  },
);

test(
  "a line that was being stored when its episode was deleted is removed with it",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { api, ann, sources, own } = await aStudent();
    const id = "01JPODCAST0000000000000011";
    let count = 0;
    let cleanUps = 0;
    let isStored = false;
    beforeStoreCall(api.deps.store, async (call) => {
      if (call === "podcast_scripts.remove") cleanUps += 1;
      if (call !== "podcast_segments.insert") return;
      count += 1;
      // A line that is spoken ahead, while the one before it is mixed.
      if (count !== 8) return;
      await ann.client.podcasts.deletePodcast({ id });
      // The deletion and the job each remove what they find.
      await vi.waitUntil(() => cleanUps > 1, { timeout: 3000 }).catch(() => undefined);
      isStored = true;
    });
    await createPodcast(ann, { id, sources });
    await expect.poll(() => isStored, waiting).toBe(true);
    await api.deps.jobs.stop();
    expect(await own.in(segments).count({ podcastId: id })).toBe(0);
  },
);

test("an episode that is stopped is refunded, even if its file cannot be removed", async () => {
  const { api, ann, sources } = await aStudent();
  // The episode waits for its job.
  await api.deps.jobs.stop();
  const { _id: id } = await createPodcast(ann, { sources });
  beforeStoreCall(api.deps.store, (call) => {
    if (call === "files.get") throw new Error("the store is down");
  });
  await ann.client.podcasts.cancelPodcast({ id }).catch(() => undefined);
  expect((await ann.client.user.getUsage({})).podcastCreations).toBe(0);
});

test("an episode whose completion could not be announced keeps its MP3", { timeout: TEST_LIMIT_MS }, async () => {
  const { api, ann, sources, own } = await aStudent();
  const id = "01JPODCAST0000000000000012";
  let isRefused = false;
  beforeStoreCall(api.deps.store, async (call) => {
    if (call !== "changes.patchOrInsert" || isRefused) return;
    if ((await findPodcast(own, id))?.status !== "completed") return;
    isRefused = true;
    throw new Error("the store is down");
  });
  await createPodcast(ann, { id, sources });
  await expect.poll(() => isRefused, waiting).toBe(true);
  await api.deps.jobs.stop();
  const { url, sizeBytes } = await ann.client.podcasts.signAudio({ id });
  expect((await (await fetch(api.origin + url)).arrayBuffer()).byteLength).toBe(sizeBytes);
});
