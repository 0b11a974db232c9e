import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { aDocument, createPodcast } from "./made-podcast.ts";

test("an episode that is deleted twice at once while it is made is refunded once", async () => {
  const api = await startApi();
  const ann = await api.newUser({ plan: "ULTIMATE" });
  const sources = [{ type: "pdf" as const, id: await aDocument(ann) }];
  // The episodes wait for their jobs.
  await api.deps.jobs.stop();
  const { _id: id } = await createPodcast(ann, { sources });
  await createPodcast(ann, { sources });
  const countMade = async () => (await ann.client.user.getUsage({})).podcastCreations;
  expect(await countMade()).toBe(2);
  let isFirst = true;
  beforeStoreCall(api.deps.store, async (call) => {
    if (call !== "podcasts.remove" || !isFirst) return;
    isFirst = false;
    await ann.client.podcasts.deletePodcast({ id });
  });
  await ann.client.podcasts.deletePodcast({ id });
  expect([isFirst, await countMade()]).toEqual([false, 1]);
});

test("a position does not replace a later one that another device saves at the same moment", async () => {
  const api = await startApi();
  const ann = await api.newUser();
  const sources = [{ type: "pdf" as const, id: await aDocument(ann) }];
  await api.deps.jobs.stop();
  const { _id: id } = await createPodcast(ann, { sources });
  const now = api.clock.now();
  let isFirst = true;
  beforeStoreCall(api.deps.store, async (call) => {
    if (call !== "podcasts.patch" || !isFirst) return;
    isFirst = false;
    await ann.client.podcasts.savePosition({ id, position_ms: 9000, listened_at: now });
  });
  await ann.client.podcasts.savePosition({ id, position_ms: 4000, listened_at: now - 60_000 });
  expect((await ann.client.podcasts.getPodcast({ id })).podcast.position_ms).toBe(9000);
});
