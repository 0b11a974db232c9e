import { expect, onTestFinished, test, vi } from "vitest";
import { speakOnServer } from "#api/podcasts/audio/server-voice.ts";
import {
  findPodcast,
  findScript,
  insertPart,
  listParts,
  patchInProgress,
  patchPodcast,
  saveScript,
  segments,
} from "#api/podcasts/store.ts";
import { erasePodcasts, removeFailedLines } from "#api/podcasts/service.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { GENERATION_LIMIT_MS } from "#shared/podcasts/rules.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";
import { runResearch } from "#tests/kit/research.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { aVideoFile } from "#tests/video/made-video.ts";
import { aDocument, archive, createPodcast, MAKING_LIMIT_MS, TEST_LIMIT_MS, waitUntilMade } from "./made-podcast.ts";
import { aTextbook } from "./textbook.ts";
import { startTtsServer, type TtsTurn } from "./tts-server.ts";

const POLICY = { attempts: 3, baseDelayMs: 1, maxDelayMs: 1000, timeoutMs: 5000 };
const TEXT = "A cell is the smallest unit of life that can reproduce by itself.";

async function aServer(...turns: TtsTurn[]) {
  const server = await startTtsServer(...turns);
  onTestFinished(() => server.close());
  const env = { TTS_BASE_URL: server.baseUrl, TTS_API_KEY: "secret", TTS_MODEL: "kokoro" };
  return { server, env };
}

async function speak(...turns: TtsTurn[]) {
  const { server, env } = await aServer(...turns);
  const line = { voice: "af_heart", text: TEXT };
  const sound = await speakOnServer({ ...env, TTS_VOICES: "" }, line, new AbortController().signal, POLICY);
  return { sound, server };
}

test.each([
  ["good", 1],
  ["streamed", 1],
  ["streamed_zero", 1],
  ["pcm_only", 2],
  ["pcm_16k", 2],
  ["busy", 2],
  ["cut_off", 2],
  ["json", 2],
  ["empty", 2],
  ["silent", 2],
  ["wrong_rate", 2],
  ["mp3", 2],
  ["broken", 2],
] as const)("a speech server that answers once with %s still speaks the line", async (turn, requests) => {
  const { sound, server } = await speak(turn, ...(turn === "pcm_only" || turn === "pcm_16k" ? [turn] : []));
  expect(sound.samples.length / sound.sampleRate).toBeCloseTo(TEXT.length * 0.06, 1);
  expect(server.requests).toHaveLength(requests);
  expect(server.requests[0]).toMatchObject({ model: "kokoro", input: TEXT, voice: "af_heart", stream: false });
});

test.each([
  ["busy", "podcast_speech_busy", 3],
  ["busy_for_long", "podcast_speech_busy", 1],
  ["busy_until", "podcast_speech_busy", 1],
  ["cut_off", "podcast_speech_unusable", 3],
  ["json", "podcast_speech_unusable", 3],
  ["silent", "podcast_speech_unusable", 3],
  ["wrong_rate", "podcast_speech_unusable", 3],
  ["mp3", "podcast_speech_unusable", 3],
  ["broken", "podcast_speech_unreachable", 3],
  ["bad_key", "podcast_speech_key", 1],
  ["bad_voice", "podcast_speech_refused", 1],
] as const)(
  "a speech server that always answers with %s is a failure in words, never silence",
  async (turn, reason, requests) => {
    const { server, env } = await aServer(turn, turn, turn);
    const line = { voice: "af_heart", text: TEXT };
    const call = speakOnServer({ ...env, TTS_VOICES: "" }, line, new AbortController().signal, POLICY);
    await expect(call).rejects.toMatchObject({ code: "model_unavailable", reason });
    expect(server.requests).toHaveLength(requests);
  },
);

test("a speech server that does not answer in time is asked again", async () => {
  const { server, env } = await aServer("hold", "good");
  const line = { voice: "af_heart", text: TEXT };
  const policy = { ...POLICY, timeoutMs: 300 };
  const sound = await speakOnServer({ ...env, TTS_VOICES: "" }, line, new AbortController().signal, policy);
  expect(sound.samples.length).toBeGreaterThan(0);
  expect(server.requests).toHaveLength(2);
});

test("the reason for a failed opening is shown, and not the work that it stopped", async () => {
  const { server, env } = await aServer();
  // The sample of each voice is spoken at the same time as the opening, whose first line contains the title.
  server.playByLine((line) => (line.includes("Protein") ? "bad_key" : "hold"));
  const api = await startApi({ env });
  const ann = await api.newUser();
  const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
  const { _id: id } = await createPodcast(ann, { sources, title: "Protein synthesis", ...length });
  const failed = await waitUntilMade(ann, id);
  expect(failed).toMatchObject({ status: "failed", error: { reason: "podcast_speech_key" } });
  expect(server.requests.some(({ input }) => input.includes("Protein"))).toBe(true);
});

test("without disk space no episode is created, and nothing is counted", async () => {
  const api = await startApi({ env: { FREE_DISK_FLOOR_GB: "1000000" } });
  const ann = await api.newUser();
  await aText(ann, await aPage(ann, "Protein synthesis"), "The ribosome reads messenger RNA one codon at a time.");
  const { session } = await runResearch(ann.client);
  const sources = [{ type: "research" as const, id: session._id }];
  await expect(createPodcast(ann, { sources })).rejects.toMatchObject({ code: "storage_full" });
  expect((await ann.client.user.getUsage({})).podcastCreations).toBe(0);
});

const short = aTextbook(1);
const waiting = { timeout: MAKING_LIMIT_MS };
const length = { length_minutes: 5 as const };

test(
  "a failed episode that is tried again continues at the first missing line, and nothing is spoken twice",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { server, env } = await aServer(...Array.from({ length: 8 }, () => "good" as const), "bad_key", "bad_key");
    const api = await startApi({ env });
    const ann = await api.newUser();
    const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
    const { _id: id } = await createPodcast(ann, { sources, ...length });
    const failed = await waitUntilMade(ann, id);
    expect(failed).toMatchObject({ status: "failed", engine: "server", error: { reason: "podcast_speech_key" } });
    expect((await ann.client.user.getUsage({})).podcastCreations).toBe(0);
    // No unfinished sound is shown, although some lines were spoken.
    expect(failed.duration_ms).toBe(0);
    await expect(ann.client.podcasts.signAudio({ id })).rejects.toMatchObject({ code: "not_found" });
    expect(await ann.client.podcasts.getTranscript({ id })).toEqual({ lines: [], chapters: [] });
    await ann.client.podcasts.retryPodcast({ id });
    expect(await waitUntilMade(ann, id)).toMatchObject({ status: "completed" });
    const { lines } = await ann.client.podcasts.getTranscript({ id });
    const spoken = server.requests.map(({ input, voice }) => `${voice} ${input}`);
    const repeated = spoken.length - new Set(spoken).size;
    // Only failed lines are requested again; a sample of each voice was spoken first.
    expect(repeated).toBeLessThanOrEqual(2);
    expect(new Set(spoken).size).toBeLessThanOrEqual(lines.length + 2);
    expect((await ann.client.user.getUsage({})).podcastCreations).toBe(1);
  },
);

test(
  "with the student's consent the built-in voice speaks what the server does not, and the episode shows a notice",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { server, env } = await aServer("good", "good", ...Array.from({ length: 3 }, () => "bad_voice" as const));
    const api = await startApi({ env });
    const ann = await api.newUser();
    const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
    const { _id: id } = await createPodcast(ann, { sources, ...length, may_fall_back: true });
    const made = await waitUntilMade(ann, id);
    expect(made.status).toBe("completed");
    expect(made.notices).toContain("spoken_by_built_in");
    // The server is not asked for the lines after that.
    expect(server.requests.length).toBeLessThan(8);
  },
);

test(
  "a restarted job continues where the process ended, and synthesises no line again",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { server, env } = await aServer(...Array.from({ length: 7 }, () => "good" as const), "hold", "hold");
    const api = await startApi({ env });
    const ann = await api.newUser();
    const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
    const { _id: id } = await createPodcast(ann, { sources, ...length });
    await expect.poll(() => server.requests.length, waiting).toBeGreaterThanOrEqual(9);
    const delayed = server.requests.slice(7).map(({ input }) => input);
    await api.stop();
    const again = await startApi({ env, dataDir: api.dataDir, clock: api.clock });
    const client = again.clientFor(ann.token);
    expect(await waitUntilMade({ ...ann, client }, id)).toMatchObject({ status: "completed" });
    const spoken = server.requests.map(({ input, voice }) => `${voice} ${input}`);
    const repeated = spoken.filter((line, index) => spoken.indexOf(line) !== index);
    expect(repeated.every((line) => delayed.some((input) => line.endsWith(input)))).toBe(true);
  },
);

test(
  "a disk that is full while an episode is made fails it with a message, leaves nothing of it, and a retry completes it",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { server, env } = await aServer("good", "good", "good", "hold", "hold");
    const api = await startApi({ env });
    const ann = await api.newUser();
    const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
    const { _id: id } = await createPodcast(ann, { sources, ...length });
    await expect.poll(() => server.listDelayed().length, waiting).toBeGreaterThan(0);
    const receive = vi.spyOn(api.deps.blobs, "receive");
    receive.mockRejectedValue(Object.assign(new Error("no space left on device"), { code: "ENOSPC" }));
    server.play();
    server.release();
    const failed = await waitUntilMade(ann, id);
    expect(failed).toMatchObject({ status: "failed", error: { reason: "disk_full" } });
    await expect(ann.client.podcasts.signAudio({ id })).rejects.toMatchObject({ code: "not_found" });
    expect((await ann.client.podcasts.getTranscript({ id })).lines).toEqual([]);
    expect((await ann.client.user.getUsage({})).podcastCreations).toBe(0);
    receive.mockRestore();
    await ann.client.podcasts.retryPodcast({ id });
    expect(await waitUntilMade(ann, id)).toMatchObject({ status: "completed", error: null });
  },
);

test(
  "the opening can be played while the rest is written, and does not change",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const api = await startApi();
    const ann = await api.newUser();
    const { models } = api.deps;
    const model = await models.choose();
    const delayed: ((chosen: typeof model) => void)[] = [];
    vi.spyOn(models, "choose").mockReturnValueOnce(new Promise((resolve) => delayed.push(resolve)));
    const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
    const { _id: id } = await createPodcast(ann, { sources, ...length });
    const soFar = async () => (await ann.client.podcasts.getPodcast({ id })).podcast;
    await expect.poll(async () => (await soFar()).duration_ms, waiting).toBeGreaterThan(2500);
    expect((await soFar()).status).toBe("generating_transcript");
    const transcript = await ann.client.podcasts.getTranscript({ id });
    expect(transcript).toMatchObject({ lines: [{ speaker: "host", startMs: 0 }], chapters: [] });
    const soundOf = async () => {
      const { url } = await ann.client.podcasts.signAudio({ id });
      return Buffer.from(await (await fetch(api.origin + url)).arrayBuffer());
    };
    const opening = await soundOf();
    await ann.client.podcasts.updatePodcast({ id, title: "Another name" });
    for (const goOn of delayed) goOn(model);
    expect(await waitUntilMade(ann, id)).toMatchObject({ status: "completed", title: "Another name" });
    const { lines } = await ann.client.podcasts.getTranscript({ id });
    expect(lines[0]).toEqual(transcript.lines[0]);
    expect(lines.filter(({ text }) => text === lines[0]?.text)).toHaveLength(1);
    expect((await soundOf()).indexOf(opening)).toBeGreaterThan(0);
  },
);

test(
  "if an episode is deleted or stopped while it is made, nothing of it comes back",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { server, env } = await aServer("good", "good", "good", "hold", "hold");
    const api = await startApi({ env });
    const ann = await api.newUser();
    const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
    const before = (await ann.client.user.getStorage({})).usedBytes;
    const { _id: id } = await createPodcast(ann, { sources, ...length });
    await expect.poll(() => server.requests.length, waiting).toBeGreaterThanOrEqual(4);
    const stopped = await ann.client.podcasts.cancelPodcast({ id });
    expect(stopped.podcast).toMatchObject({ status: "failed", error: { reason: "podcast_stopped" } });
    await ann.client.podcasts.retryPodcast({ id });
    await ann.client.podcasts.deletePodcast({ id });
    server.play();
    server.release();
    await expect(ann.client.podcasts.getPodcast({ id })).rejects.toMatchObject({ code: "not_found" });
    await expect.poll(async () => (await ann.client.user.getStorage({})).usedBytes).toBe(before);
    expect((await ann.client.pages.getContent({})).content.podcasts).toEqual([]);
    expect((await ann.client.user.getUsage({})).podcastCreations).toBe(0);

    // Another episode is deleted while its cover is being stored.
    const { blobs, jobs } = api.deps;
    const receive = blobs.receive.bind(blobs);
    const storing = vi.spyOn(blobs, "receive").mockImplementationOnce(async (...sent) => {
      const [deleted] = (await ann.client.pages.getContent({})).content.podcasts ?? [];
      await ann.client.podcasts.deletePodcast({ id: deleted?._id ?? "" });
      return receive(...sent);
    });
    await createPodcast(ann, { sources, ...length });
    await expect.poll(() => storing.mock.calls.length, waiting).toBe(1);
    await jobs.stop();
    expect((await ann.client.user.getStorage({})).usedBytes).toBe(before);
  },
);

test(
  "the lines of an attempt that failed are removed after a week, and its notice of another voice with a retry",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { env } = await aServer("good", "good", "bad_key", "bad_key");
    const api = await startApi({ env });
    const ann = await api.newUser();
    const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
    const { _id: id } = await createPodcast(ann, { sources, ...length });
    expect(await waitUntilMade(ann, id)).toMatchObject({ status: "failed" });
    await api.deps.jobs.stop();
    const own = ownedBy(api.deps.store, ann.userId);
    const countLines = () => own.in(segments).count({ podcastId: id });
    expect(await countLines()).toBeGreaterThan(0);
    await removeFailedLines(api.deps);
    expect(await countLines()).toBeGreaterThan(0);
    api.clock.advance(8 * 86_400_000);
    await removeFailedLines(api.deps);
    expect(await countLines()).toBe(0);
    await patchPodcast(own, id, { notices: ["spoken_by_built_in", "written_without_model"] });
    ann.client = api.clientFor((await api.clientFor().auth.login({ email: ann.email, password: PASSWORD })).token);
    const { podcast } = await ann.client.podcasts.retryPodcast({ id });
    expect(podcast).toMatchObject({ status: "pending", notices: ["written_without_model"] });
  },
);

test("an episode that is started again while the lines of others are removed keeps what it stores", async () => {
  const api = await startApi();
  const ann = await api.newUser({ plan: "ULTIMATE" });
  const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
  // The episodes wait for their jobs.
  await api.deps.jobs.stop();
  const ids = ["01JPODCAST0000000000000005", "01JPODCAST0000000000000006"] as const;
  for (const id of ids) {
    await createPodcast(ann, { id, sources, ...length });
    await ann.client.podcasts.cancelPodcast({ id });
  }
  api.clock.advance(8 * 86_400_000);
  ann.client = api.clientFor((await api.clientFor().auth.login({ email: ann.email, password: PASSWORD })).token);
  const own = ownedBy(api.deps.store, ann.userId);
  const [, again] = ids;
  let isFirst = true;
  beforeStoreCall(api.deps.store, async (call) => {
    if (call !== "podcast_parts.remove" || !isFirst) return;
    isFirst = false;
    await ann.client.podcasts.retryPodcast({ id: again });
    await insertPart(own, { podcastId: again, attempt: 2, index: 0, blobKey: "sound", sizeBytes: 1 });
  });
  await removeFailedLines(api.deps);
  expect([isFirst, await listParts(own, { _id: again, attempt: 2 })]).toMatchObject([false, [{ blobKey: "sound" }]]);
  // The lines of the new attempt are removed after a week too.
  await ann.client.podcasts.cancelPodcast({ id: again });
  api.clock.advance(8 * 86_400_000);
  await removeFailedLines(api.deps);
  expect(await listParts(own, { _id: again, attempt: 2 })).toEqual([]);
});

test("an archived episode that cannot be erased stops neither the erasing of others nor of the lines of failed ones", async () => {
  const api = await startApi();
  const ann = await api.newUser({ plan: "ULTIMATE" });
  const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
  // The episodes wait for their jobs.
  await api.deps.jobs.stop();
  const own = ownedBy(api.deps.store, ann.userId);
  const create = async () => (await createPodcast(ann, { sources, ...length }))._id;
  const [first, second, failed] = [await create(), await create(), await create()];
  for (const id of [first, second]) await ann.client.podcasts.updatePodcast({ id, is_archived: true });
  await ann.client.podcasts.cancelPodcast({ id: failed });
  await insertPart(own, { podcastId: failed, attempt: 1, index: 0, blobKey: "sound", sizeBytes: 1 });
  api.clock.advance(31 * 86_400_000);
  let failures = 0;
  beforeStoreCall(api.deps.store, (call) => {
    if (call !== "podcasts.remove" || failures > 0) return;
    failures += 1;
    throw new Error("the store is damaged");
  });
  await expect(erasePodcasts(api.deps)).rejects.toThrow("the store is damaged");
  expect([await findPodcast(own, second), await listParts(own, { _id: failed, attempt: 1 })]).toEqual([undefined, []]);
});

test("an attempt that was stopped writes nothing more", async () => {
  const api = await startApi();
  const ann = await api.newUser();
  const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
  const { _id: id } = await createPodcast(ann, { sources, ...length });
  await ann.client.podcasts.cancelPodcast({ id });
  const own = ownedBy(api.deps.store, ann.userId);
  expect(await patchInProgress(own, { _id: id, attempt: 1 }, { status: "completed" })).toBeUndefined();
  expect((await ann.client.podcasts.getPodcast({ id })).podcast.status).toBe("failed");
});

test(
  "an episode is made although the process ended before its job was enqueued",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const api = await startApi();
    const ann = await api.newUser();
    const sources = [{ type: "pdf" as const, id: await aDocument(ann, "Only a title without a sentence", "a.pdf") }];
    const id = "01JPODCAST0000000000000002";
    vi.spyOn(api.deps.jobs, "enqueue").mockRejectedValueOnce(new Error("the process ended"));
    await expect(createPodcast(ann, { id, sources })).rejects.toMatchObject({ code: "broken" });
    // The job ends with a failure, because this document has nothing to read.
    expect(await waitUntilMade(ann, id)).toMatchObject({ error: { reason: "podcast_source_empty" } });
  },
);

test(
  "captions without punctuation fail the episode with a message that says so",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const api = await startApi();
    const ann = await api.newUser();
    const { componentId: id } = await aVideoFile(api, ann, Buffer.from("video"));
    const words = "so the heart is a muscle and it beats for all of our life";
    const cues = [1, 2, 3, 4, 5].map((at) => `00:0${at}:00.000 --> 00:0${at}:09.000\n${words}\n`);
    const captions = ["WEBVTT\n", ...cues].join("\n");
    const file = { field: "file", file: new Blob([captions]), name: "talk.vtt" };
    await ann.client.video.uploadCaptions({ id, language: "en" }, [file]);
    const { _id } = await createPodcast(ann, { sources: [{ type: "video", id }] });
    expect(await waitUntilMade(ann, _id)).toMatchObject({ error: { reason: "podcast_captions_unpunctuated" } });
  },
);

test("a source that was archived before it was read fails the episode with a message", async () => {
  const api = await startApi();
  const ann = await api.newUser();
  const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
  const id = "01JPODCAST0000000000000003";
  vi.spyOn(api.deps.jobs, "enqueue").mockRejectedValueOnce(new Error("the process ended"));
  await expect(createPodcast(ann, { id, sources })).rejects.toMatchObject({ code: "broken" });
  await archive(ann, sources[0]?.id ?? "");
  expect(await waitUntilMade(ann, id)).toMatchObject({ error: { reason: "podcast_source_missing" } });
  const { componentId } = await aVideoFile(api, ann, Buffer.from("video"));
  const videoId = "01JPODCAST0000000000000004";
  vi.spyOn(api.deps.jobs, "enqueue").mockRejectedValueOnce(new Error("the process ended"));
  const ofVideo = createPodcast(ann, { id: videoId, sources: [{ type: "video", id: componentId }] });
  await expect(ofVideo).rejects.toMatchObject({ code: "broken" });
  await archive(ann, componentId);
  expect(await waitUntilMade(ann, videoId)).toMatchObject({ error: { reason: "podcast_source_missing" } });
  expect((await ann.client.user.getUsage({})).podcastCreations).toBe(0);
});

test(
  "an episode that takes more than 30 minutes fails, and its count is refunded",
  { timeout: TEST_LIMIT_MS },
  async () => {
    const { server, env } = await aServer("hold", "hold", "hold");
    const api = await startApi({ env });
    const ann = await api.newUser();
    const sources = [{ type: "pdf" as const, id: await aDocument(ann, short) }];
    const { _id: id } = await createPodcast(ann, { sources, ...length });
    await expect.poll(() => server.requests.length, waiting).toBeGreaterThanOrEqual(1);
    api.clock.advance(GENERATION_LIMIT_MS + 1);
    const { podcast } = await ann.client.podcasts.getPodcast({ id });
    expect(podcast).toMatchObject({ status: "failed", error: { reason: "podcast_timed_out" } });
    expect((await ann.client.user.getUsage({})).podcastCreations).toBe(0);
  },
);

test("an unfinished episode that an earlier version stored can still be spoken", async () => {
  const api = await startApi();
  const own = ownedBy(api.deps.store, (await api.newUser()).userId);
  await saveScript(own, { _id: "earliest", lines: [], chapters: [] });
  expect((await findScript(own, "earliest"))?.unusedSentences).toEqual([]);
});

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
