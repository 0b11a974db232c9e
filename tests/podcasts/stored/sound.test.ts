import { expect, onTestFinished, test } from "vitest";
import { Mixer } from "#api/podcasts/audio/mixer.ts";
import { SegmentSpeaker } from "#api/podcasts/making/segments.ts";
import { presentChapters, presentTranscript, toWebVtt } from "#api/podcasts/present.ts";
import { findPodcast, type PodcastDoc, type ScriptDoc } from "#api/podcasts/store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { startApi } from "#tests/kit/api.ts";
import { aPodcast } from "../a-podcast.ts";
import { aDocument, createPodcast } from "../made-podcast.ts";
import { startTtsServer } from "../tts-server.ts";

const SAMPLE_RATE = 16_000;

/** A tone of two seconds. */
const aTone = (amplitude: number) =>
  Float32Array.from(
    { length: 2 * SAMPLE_RATE },
    (_, at) => amplitude * Math.sin((2 * Math.PI * 440 * at) / SAMPLE_RATE),
  );

test.each([0.01, 0.1, 0.9])("a voice is heard at -19 LUFS, also one recorded at a level of %d", async (amplitude) => {
  const mixer = new Mixer(SAMPLE_RATE, new AbortController().signal);
  onTestFinished(() => mixer.close());
  const line = { samples: aTone(amplitude), sampleRate: SAMPLE_RATE, voice: "guest", gapMs: 0, pauseMs: 0 };
  expect(Math.abs((await mixer.add(line)).loudness + 19)).toBeLessThan(1);
});

test("the same words are read from the store for one voice, and spoken for another", async () => {
  const server = await startTtsServer();
  onTestFinished(() => server.close());
  const api = await startApi({ env: { TTS_BASE_URL: server.baseUrl, TTS_API_KEY: "secret", TTS_MODEL: "kokoro" } });
  const ann = await api.newUser();
  await api.deps.jobs.stop();
  const { _id: id } = await createPodcast(ann, { sources: [{ type: "pdf", id: await aDocument(ann) }] });
  const own = ownedBy(api.deps.store, ann.userId);
  const podcast = await findPodcast(own, id);
  if (!podcast) throw new Error("no podcast");
  const speaker = new SegmentSpeaker({ ...api.deps, own }, podcast, new AbortController().signal);
  const text = "A cell is the smallest unit of life.";
  for (const voice of ["MAYA_FEMALE", "NOAH_MALE", "MAYA_FEMALE"]) await speaker.speak(voice, text);
  expect(new Set(server.requests.map(({ voice }) => voice)).size).toBe(2);
  expect(server.requests).toHaveLength(2);
});

const lineOf = (speaker: "host" | "guest", chapter: number, startMs: number) => ({
  speaker,
  text: `Line at ${startMs}`,
  spoken: "",
  citation: null,
  chapter,
  gapMs: 0,
  pauseMs: 0,
  startMs,
  endMs: startMs + 900,
});

test("captions and chapters have the times of the lines", () => {
  const lines = [lineOf("host", 0, 0), lineOf("guest", 0, 1000), lineOf("host", 1, 65_250)];
  const script: ScriptDoc = { _id: "1", ownerId: "1", lines, chapters: [{ title: "One" }, { title: "Two" }] };
  const { thumbnail_file: _file, ...podcast } = aPodcast();
  const doc: PodcastDoc = {
    ...podcast,
    ownerId: "1",
    may_fall_back: false,
    attempt: 1,
    chargedUsage: null,
    audioFileId: null,
    coverFileId: null,
  };
  expect(presentChapters(doc, script).chapters).toEqual([
    { startTime: 0, title: "One" },
    { startTime: 65.25, title: "Two" },
  ]);
  expect(presentTranscript(script).chapters.map(({ startMs }) => startMs)).toEqual([0, 65_250]);
  const cues = toWebVtt(doc, script).split("\n\n").slice(1);
  expect(cues.map((cue) => cue.trim())).toEqual([
    "00:00:00.000 --> 00:00:00.900\n<v Noah>Line at 0",
    "00:00:01.000 --> 00:00:01.900\n<v Maya>Line at 1000",
    "00:01:05.250 --> 00:01:06.150\n<v Noah>Line at 65250",
  ]);
});
