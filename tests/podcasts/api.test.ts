import { ulid } from "ulid";
import { expect, test } from "vitest";
import { findExactQuote } from "#shared/text/quotes.ts";
import { parseCitation } from "#shared/citations.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aChange } from "#tests/store/changes.ts";
import { aDocument, archive, createPodcast, guest, TEST_LIMIT_MS, waitUntilMade } from "./made-podcast.ts";
import { aTextbook } from "./textbook.ts";

const api = await startApi({ forFile: true });

test(
  "an episode made from a document has sound, a transcript, captions, chapters and a cover",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const ann = await api.newUser();
    const source = await aDocument(ann);
    const created = await createPodcast(ann, { sources: [{ type: "pdf", id: source }] });
    expect(created).toMatchObject({ status: "pending", title: "Cells", guest, host: { voice: "NOAH_MALE" } });
    const { _id: id } = created;
    const made = await waitUntilMade(ann, id);
    expect(made).toMatchObject({ status: "completed", error: null, progress: null, engine: "built_in", notices: [] });
    expect(Math.abs(made.duration_ms / 300_000 - 1)).toBeLessThan(0.1);

    const { lines, chapters } = await ann.client.podcasts.getTranscript({ id });
    const passages = passagesFromText(aTextbook(4));
    for (const { speaker, text, citation } of lines) {
      if (speaker === "host") continue;
      expect(findExactQuote(passages, text)).toBeDefined();
      expect(parseCitation(citation ?? "")).toMatchObject({ type: "pdf_citation", componentId: source });
    }
    const times = lines.flatMap(({ startMs = -1, endMs = -1 }) => [startMs, endMs]);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBe(0);
    expect(chapters.every(({ startMs }) => startMs !== null)).toBe(true);

    const { url, sizeBytes } = await ann.client.podcasts.signAudio({ id });
    const whole = await fetch(api.origin + url);
    expect(whole.headers.get("content-type")).toBe("audio/mpeg");
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(bytes.length).toBe(sizeBytes);
    expect(bytes.toString("latin1", 0, 3)).toBe("ID3");
    expect(bytes.includes("CTOC") && bytes.includes("CHAP") && bytes.includes("APIC")).toBe(true);
    const part = await fetch(api.origin + url, { headers: { range: "bytes=1000-1999" } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(1000, 2000)]);
    expect((await fetch(`${api.origin}${url.replace("audio/", "audio/x")}`)).status).toBe(404);

    const captions = await (await ann.client.podcasts.getCaptions({ id })).text();
    expect(captions).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:0\d\.\d{3}\n<v Noah>This is Cells\./);
    expect(captions.match(/<v /g)).toHaveLength(lines.length);
    const file = await ann.client.podcasts.getChapters({ id });
    expect(file).toMatchObject({ version: "1.2.0", chapters: chapters.map(({ title }) => ({ title })) });
    const cover = await ann.client.podcasts.getThumbnail({ id });
    expect([cover.type, cover.size > 2000]).toEqual(["image/png", true]);
    expect((await ann.client.pages.getContent({})).content.podcasts).toEqual([made]);
  },
);

test.each([
  [{ sources: [] }, "Must provide between 1 and 3 content sources"],
  [
    { sources: Array.from({ length: 4 }, () => ({ type: "pdf" as const, id: "x".repeat(20) })) },
    "Must provide between 1 and 3 content sources",
  ],
  [{ guest: { name: " ", voice: "MAYA_FEMALE" } }, "Must provide a valid guest"],
  [{ guest: { name: "Maya", voice: "NOBODY_FEMALE" } }, "Must provide a valid guest"],
  [{ guest: undefined }, "Must provide a valid guest"],
])("an invalid request is refused: %j", async (invalid, message) => {
  const ann = await api.newUser();
  const sources = [{ type: "pdf" as const, id: "x".repeat(20) }];
  const { guest: chosen, ...rest } = { sources, guest, ...invalid };
  const call = ann.client.podcasts.createPodcast({ ...rest, ...(chosen ? { guest: chosen } : {}) });
  await expect(call).rejects.toMatchObject({ code: "bad_input", message });
});

test("a source that is missing, archived or another account's is refused, and nothing is counted", async () => {
  const [ann, bob] = [await api.newUser({ plan: "FREE" }), await api.newUser()];
  const foreign = await aDocument(bob);
  const own = await aDocument(ann);
  for (const sources of [
    [{ type: "pdf" as const, id: "x".repeat(20) }],
    [{ type: "pdf" as const, id: foreign }],
    [{ type: "video" as const, id: own }],
    [{ type: "research" as const, id: "x".repeat(20) }],
  ])
    await expect(createPodcast(ann, { sources })).rejects.toMatchObject({ code: "not_found" });
  await archive(ann, own);
  const archived = createPodcast(ann, { sources: [{ type: "pdf", id: own }] });
  await expect(archived).rejects.toMatchObject({ code: "not_found" });
  expect((await ann.client.user.getUsage({})).podcastCreations).toBe(0);
});

test(
  "the daily limit holds for concurrent requests, and a failure refunds the count",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const ann = await api.newUser({ plan: "FREE" });
    const german =
      "# Zellen\n\nDie Zelle ist die kleinste Einheit des Lebens, die sich selbst vermehren kann und die nicht weiter geteilt wird.\n".repeat(
        9,
      );
    const sources = [{ type: "pdf" as const, id: await aDocument(ann, german, "Zellen.pdf") }];
    const calls = await Promise.allSettled(Array.from({ length: 4 }, () => createPodcast(ann, { sources })));
    const made = calls.flatMap((call) => (call.status === "fulfilled" ? [call.value] : []));
    expect(made).toHaveLength(1);
    for (const call of calls)
      if (call.status === "rejected")
        expect(call.reason).toMatchObject({ code: "limit_reached", data: { limit: "podcastCreations" } });
    const failed = await waitUntilMade(ann, made[0]?._id ?? "");
    expect(failed).toMatchObject({ status: "failed", error: { reason: "podcast_language" } });
    expect((await ann.client.user.getUsage({})).podcastCreations).toBe(0);
  },
);

test("the same id twice makes one episode", { timeout: TEST_LIMIT_MS }, async () => {
  const ann = await api.newUser();
  const sources = [
    {
      type: "pdf" as const,
      id: await aDocument(ann, "This is only a title of the text and there is no sentence in it", "a.pdf"),
    },
  ];
  const id = "01JPODCAST0000000000000001";
  const [first, second] = await Promise.all([createPodcast(ann, { id, sources }), createPodcast(ann, { id, sources })]);
  expect(first._id).toBe(second._id);
  const [source] = sources;
  const twice = await createPodcast(ann, { sources: source ? [source, source] : [] });
  expect(twice.sources).toHaveLength(1);
  await ann.client.podcasts.deletePodcast({ id: twice._id });
  expect((await ann.client.pages.getContent({})).content.podcasts).toHaveLength(1);
  expect((await waitUntilMade(ann, id)).error).toMatchObject({ reason: "podcast_source_empty" });

  // The position of the device listened to last counts, in whatever order the positions arrive.
  const now = api.clock.now();
  const positionOf = async () => (await ann.client.podcasts.getPodcast({ id })).podcast.position_ms;
  await ann.client.podcasts.savePosition({ id, position_ms: 9000, listened_at: now });
  await ann.client.podcasts.savePosition({ id, position_ms: 4000, listened_at: now - 60_000 });
  expect(await positionOf()).toBe(9000);
  await ann.client.podcasts.savePosition({ id, position_ms: 100 });
  expect(await positionOf()).toBe(100);
});

test("the position of the device listened to last counts, even if the other was offline and reports later", async () => {
  const ann = await api.newUser();
  const { _id: id } = await createPodcast(ann, {
    sources: [{ type: "pdf", id: await aDocument(ann, "Nothing", "b.pdf") }],
  });
  const tablet = api.clientFor((await api.clientFor().auth.login({ email: ann.email, password: PASSWORD })).token);
  const phone = ann.client;
  const positions = async () => [
    (await phone.podcasts.getPodcast({ id })).podcast.position_ms,
    (await tablet.podcasts.getPodcast({ id })).podcast.position_ms,
  ];
  const now = api.clock.now();
  await phone.podcasts.savePosition({ id, position_ms: 20_000, listened_at: now - 300_000 });
  expect(await positions()).toEqual([20_000, 20_000]);
  // The phone plays on without a connection. The tablet is listened to after that, and reports first.
  await tablet.podcasts.savePosition({ id, position_ms: 50_000, listened_at: now - 60_000 });
  await phone.podcasts.savePosition({ id, position_ms: 90_000, listened_at: now - 120_000 });
  expect(await positions()).toEqual([50_000, 50_000]);
  await phone.podcasts.savePosition({ id, position_ms: 55_000, listened_at: now - 1000 });
  // A clock that is ahead must not block the other device.
  await tablet.podcasts.savePosition({ id, position_ms: 70_000, listened_at: now + 3_600_000 });
  await phone.podcasts.savePosition({ id, position_ms: 75_000, listened_at: api.clock.now() });
  expect(await positions()).toEqual([75_000, 75_000]);
});

/** Runs `check` while an account is disabled; returns a client that is signed in again. */
async function disableForAWhile({ userId: id, email }: TestUser, check: () => Promise<void>) {
  const root = await api.newUser({ name: "Root" });
  await grantAdmin(api.deps, root.email, true);
  await root.client.admin.disableAccount({ id, password: PASSWORD });
  await check();
  await root.client.admin.enableAccount({ id });
  return api.clientFor((await api.clientFor().auth.login({ email, password: PASSWORD })).token);
}

/** Puts an episode into a folder; returns a function that lists the items of the folder. */
async function fileInFolder({ client }: TestUser, id: string) {
  const folder = ulid();
  const items = [{ item_id: id, item_type: "podcast" as const, created_at: 1 }];
  const created = aChange("folder_create", folder, { title: "Cells", color: "GREEN", createdAt: 1 });
  await client.sync.sendChanges({ payload: [created, aChange("folder_update", folder, { items })] });
  return async () => {
    const { folders } = await client.library.listFolders({});
    return folders.find(({ _id }) => _id === folder)?.items.map((item) => item.item_id);
  };
}

const openShared = async (share: string) => (await api.clientFor().sharing.openShare({ share })).shared;

test(
  "an episode is renamed, played by link without an account, archived, restored, and deleted with its sound",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const ann = await api.newUser();
    const { _id: id } = await createPodcast(ann, {
      sources: [{ type: "pdf", id: await aDocument(ann, aTextbook(1)) }],
    });
    await waitUntilMade(ann, id);
    const covered = async () => {
      const { thumbnail_file: file } = (await ann.client.podcasts.getPodcast({ id })).podcast;
      return [file?.location, await (await ann.client.podcasts.getThumbnail({ id })).text()] as const;
    };
    const [location, cover] = await covered();
    expect((await ann.client.podcasts.updatePodcast({ id, title: "Inside cells" })).podcast.title).toBe("Inside cells");
    const [newLocation, newCover] = await covered();
    expect([newLocation === location, newCover === cover]).toEqual([false, false]);
    const found = (await ann.client.podcasts.searchTranscripts({ q: "membrane prep" })).found;
    expect(found[0]).toMatchObject({ podcastId: id, title: "Inside cells", speaker: "guest" });
    expect(found[0]?.text).toMatch(/membrane prepares/);
    const bob = (await api.newUser()).client;
    expect((await bob.podcasts.searchTranscripts({ q: "membrane" })).found).toEqual([]);
    const pinned = { itemId: id, itemType: "component" as const };
    await expect(bob.library.addFavorite(pinned)).rejects.toMatchObject({ code: "not_found" });
    const { favorite } = await ann.client.library.addFavorite(pinned);
    expect(favorite.data).toEqual({ componentType: "podcast", title: "Inside cells" });
    const { share } = await ann.client.sharing.putShare({ type: "podcast", id });
    const shownEpisode = await openShared(share._id);
    expect(JSON.stringify(shownEpisode)).not.toMatch(/"\w*(?:citation|sources|snapshot|ownerId)\w*":/i);
    expect(shownEpisode).toMatchObject({
      title: "Inside cells",
      components: [],
      podcast: { guest, engine: "built_in" },
    });
    const shared = `${api.origin}/v1/shared/${share._id}/files/`;
    const part = await fetch(shared + shownEpisode.podcast?.audio_file_id, { headers: { range: "bytes=0-2" } });
    expect([part.status, await part.text(), part.headers.get("content-type")]).toEqual([206, "ID3", "audio/mpeg"]);
    expect((await fetch(`${shared}podcast-x.mp3`)).status).toBe(404);
    const copied = bob.sharing.duplicateComponent({ type: "podcast", id });
    await expect(copied).rejects.toMatchObject({ code: "not_found" });
    const itemsOf = await fileInFolder(ann, id);
    expect(await itemsOf()).toEqual([id]);
    const archived = await ann.client.podcasts.updatePodcast({ id, is_archived: true, archived_at: 1 });
    expect(await itemsOf()).toEqual([]);
    expect((await ann.client.library.getFavorites({})).favorites).toEqual([]);
    expect((await ann.client.podcasts.searchTranscripts({ q: "membrane" })).found).toEqual([]);
    await expect(openShared(share._id)).rejects.toMatchObject({ code: "not_found" });
    expect((await fetch(shared + shownEpisode.podcast?.audio_file_id)).status).toBe(404);
    expect(archived.podcast).toMatchObject({ is_archived: true, archived_at: api.clock.now() });
    const restored = await ann.client.podcasts.updatePodcast({ id, is_archived: false, archived_at: null });
    expect(restored.podcast).toMatchObject({ is_archived: false, archived_at: null });
    expect((await openShared(share._id)).podcast?.lines.length).toBeGreaterThan(10);
    ann.client = await disableForAWhile(ann, async () => {
      await expect(openShared(share._id)).rejects.toMatchObject({ code: "not_found" });
      expect((await fetch(shared + shownEpisode.podcast?.audio_file_id)).status).toBe(404);
    });
    expect((await openShared(share._id)).podcast?.lines.length).toBeGreaterThan(10);
    const { url } = await ann.client.podcasts.signAudio({ id });
    const before = (await ann.client.user.getStorage({})).usedBytes;
    await ann.client.podcasts.deletePodcast({ id });
    expect((await ann.client.user.getStorage({})).usedBytes).toBeLessThan(before);
    await expect(ann.client.podcasts.getPodcast({ id })).rejects.toMatchObject({ code: "not_found" });
    expect((await fetch(api.origin + url)).status).toBe(404);
    expect((await fetch(shared + shownEpisode.podcast?.audio_file_id)).status).toBe(404);
  },
);

test("a sample of a guest's voice can be heard before an episode is made", { timeout: TEST_LIMIT_MS }, async () => {
  const ann = await api.newUser();
  const { voices } = await ann.client.podcasts.listVoices({});
  expect(voices.map(({ id }) => id)).toEqual([
    "MAYA_FEMALE",
    "IRIS_FEMALE",
    "RUTH_FEMALE",
    "NOAH_MALE",
    "EWAN_MALE",
    "OTTO_MALE",
  ]);
  const sample = await ann.client.podcasts.getVoiceSample({ voice: "EWAN_MALE" });
  expect([sample.type, sample.size > 20_000]).toEqual(["audio/mpeg", true]);
  await expect(ann.client.podcasts.getVoiceSample({ voice: "X_MALE" })).rejects.toMatchObject({ code: "not_found" });
});
