import { expect, onTestFinished, test, vi } from "vitest";
import { findFile } from "#api/blobs/file-records.ts";
import { coverFileIdOf } from "#api/podcasts/making/end-episode.ts";
import { storeCover } from "#api/podcasts/making/sound-file.ts";
import { findPodcast, patchPodcast } from "#api/podcasts/store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { startApi } from "#tests/kit/api.ts";
import { aDocument, createPodcast, MAKING_LIMIT_MS, TEST_LIMIT_MS } from "../made-podcast.ts";
import { aTextbook } from "../textbook.ts";
import { startTtsServer } from "../tts-server.ts";

const short = aTextbook(1);

test("an episode that is renamed keeps its cover if a new one does not fit into the quota", async () => {
  const api = await startApi();
  const ann = await api.newUser();
  const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
  // The episode waits for its job.
  await api.deps.jobs.stop();
  const { _id: id } = await createPodcast(ann, { title: "A", sources });
  const own = ownedBy(api.deps.store, ann.userId);
  const podcast = await findPodcast(own, id);
  if (!podcast) throw new Error("no podcast");
  await patchPodcast(own, id, { coverFileId: await storeCover({ ...api.deps, own }, podcast) });
  const rename = (title: string) => ann.client.podcasts.updatePodcast({ id, title });
  const readCover = async () => Buffer.from(await (await ann.client.podcasts.getThumbnail({ id })).arrayBuffer());
  const measure = async () => (await findFile(own, coverFileIdOf(id)))?.sizeBytes;
  const countUsed = async () => (await ann.client.user.getStorage({})).usedBytes;
  const cover = await readCover();
  const usedBytes = await countUsed();
  const { settings } = api.deps;
  const { STORAGE_GB_FREE, STORAGE_GB_PLUS, STORAGE_GB_ULTIMATE } = settings;
  Object.assign(settings, { STORAGE_GB_FREE: 0, STORAGE_GB_PLUS: 0, STORAGE_GB_ULTIMATE: 0 });
  const longTitle = "Cells, their membranes, and everything that passes in and out of them";
  await rename(longTitle);
  expect((await readCover()).equals(cover)).toBe(true);
  Object.assign(settings, { STORAGE_GB_FREE, STORAGE_GB_PLUS, STORAGE_GB_ULTIMATE });
  await rename(`${longTitle}, again`);
  const renamed = await readCover();
  expect([renamed.equals(cover), await measure()]).toEqual([false, renamed.length]);
  expect(await countUsed()).toBe(usedBytes + renamed.length - cover.length);
  await rename("A");
  expect([(await readCover()).equals(cover), await countUsed()]).toEqual([true, usedBytes]);
});

test(
  "an episode that is renamed while its first cover is drawn gets a cover with the new name",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const server = await startTtsServer("hold", "hold", "hold");
    onTestFinished(() => server.close());
    const env = { TTS_BASE_URL: server.baseUrl, TTS_API_KEY: "secret", TTS_MODEL: "kokoro" };
    const api = await startApi({ env });
    const ann = await api.newUser();
    const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
    const id = "01JPODCAST0000000000000007";
    const rename = (title: string) => ann.client.podcasts.updatePodcast({ id, title });
    const readCover = async () => Buffer.from(await (await ann.client.podcasts.getThumbnail({ id })).arrayBuffer());
    const { blobs } = api.deps;
    const receive = blobs.receive.bind(blobs);
    vi.spyOn(blobs, "receive").mockImplementationOnce(async (...sent) => {
      await rename("All about cells");
      return receive(...sent);
    });
    await createPodcast(ann, { id, sources });
    // The cover is stored before the first line is spoken.
    await expect.poll(() => server.requests.length, { timeout: MAKING_LIMIT_MS }).toBeGreaterThanOrEqual(1);
    const cover = await readCover();
    await rename("Cells");
    expect((await readCover()).equals(cover)).toBe(false);
    await rename("All about cells");
    expect((await readCover()).equals(cover)).toBe(true);
  },
);
