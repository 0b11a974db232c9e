// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { onTestFinished, beforeEach, expect, test, vi } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { v1 } from "#shared/contract/v1.ts";
import type { PodcastTranscript } from "#shared/podcasts/schema.ts";
import { setTransport } from "#webapp/app/client.ts";
import { store } from "#webapp/app/store.ts";
import { setBreaks } from "#webapp/podcasts/listening-settings.ts";
import { isEpisodePlayingAtom, play, playEpisode, unload } from "#webapp/podcasts/player.ts";
import { readingAtom, readToMe, toggleReading } from "#webapp/podcasts/read-to-me.ts";
import { sleepAfterChapter, sleepAtom, sleepAfterMinutes, cancelSleepTimer } from "#webapp/podcasts/sleep-timer.ts";
import { replyWith } from "#tests/kit/browser/reply.ts";
import { aPodcast } from "./a-podcast.ts";
import { aFakeSound } from "./fake-sound.ts";

const { actions } = vi.hoisted(() => {
  const handlers = new Map<string, (details: { seekTime?: number }) => void>();
  Object.defineProperty(navigator, "mediaSession", {
    value: {
      metadata: null,
      playbackState: "none",
      setActionHandler: (action: string, handler: (details: { seekTime?: number }) => void) =>
        handlers.set(action, handler),
      setPositionState: () => undefined,
    },
  });
  return { actions: handlers };
});
vi.stubGlobal(
  "MediaMetadata",
  // `MediaMetadata` is called with `new`, which an arrow function does not allow.
  function MediaMetadata(shown: object) {
    return { ...shown };
  },
);
const sound = aFakeSound();
vi.stubGlobal("Audio", sound.create);

const line = { chapter: 0, citation: null, pauseMs: 0 } as const;
const transcript: PodcastTranscript = {
  lines: [
    { ...line, speaker: "host", text: "What is a cell?", startMs: 0, endMs: 5000, pauseMs: 3000 },
    { ...line, speaker: "guest", text: "A cell is a unit of life.", startMs: 8350, endMs: 12_000 },
    { ...line, speaker: "guest", text: "It divides.", chapter: 1, startMs: 60_000, endMs: 62_000 },
  ],
  chapters: [
    { title: "Cells", startMs: 0 },
    { title: "Division", startMs: 60_000 },
  ],
};

async function listen(): Promise<void> {
  setTransport(({ endpoint }) => {
    if (endpoint !== v1.podcasts.signAudio) return Promise.reject(new NoResponseError("network"));
    const text = JSON.stringify({ url: "/v1/podcasts/audio/1", sizeBytes: 1, durationMs: 300_000, expiresAt: 1 });
    return Promise.resolve(replyWith(text));
  });
  onTestFinished(() => {
    unload();
    cancelSleepTimer();
    setBreaks(true);
  });
  await playEpisode({ podcast: aPodcast(), transcript }, 0);
  await expect.poll(isPlaying).toBe(true);
}

const isPlaying = () => store.get(isEpisodePlayingAtom);
const press = (action: string, details = {}) => actions.get(action)?.(details);
const second = () => sound.element?.currentTime;
beforeEach(() => vi.useRealTimers());

test("the sleep timer stops the sound after its minutes, once", async () => {
  await listen();
  const startedAt = Date.now();
  sleepAfterMinutes(5);
  vi.useFakeTimers({ toFake: ["Date"], now: startedAt + 5 * 60_000 - 1000 });
  sound.hearAt(20);
  expect(isPlaying()).toBe(true);
  vi.setSystemTime(startedAt + 5 * 60_000 + 1000);
  sound.hearAt(21);
  expect([isPlaying(), store.get(sleepAtom).kind]).toEqual([false, "off"]);
  vi.useRealTimers();
  play();
  await expect.poll(isPlaying).toBe(true);
  sound.hearAt(22);
  expect(isPlaying()).toBe(true);
});

test("the sleep timer stops the sound at the end of the chapter", async () => {
  await listen();
  sleepAfterChapter(0);
  sound.hearAt(59.9);
  expect(isPlaying()).toBe(true);
  sound.hearAt(60.1);
  expect(isPlaying()).toBe(false);
});

test("with breaks turned off, the time to answer is skipped; with breaks it is not", async () => {
  await listen();
  sound.hearAt(5.1);
  expect(second()).toBe(5.1);
  setBreaks(false);
  sound.hearAt(4);
  expect(second()).toBe(4);
  sound.hearAt(5.2);
  expect(second()).toBeCloseTo(8.1, 5);
});

test("the system's media keys play, pause, and seek by 15 seconds, by chapter and to a second", async () => {
  await listen();
  sound.hearAt(20);
  press("seekforward");
  expect(second()).toBe(35);
  sound.hearAt(35);
  press("seekbackward");
  expect(second()).toBe(20);
  sound.hearAt(20);
  press("nexttrack");
  expect(second()).toBe(60);
  sound.hearAt(60);
  press("previoustrack");
  expect(second()).toBe(0);
  press("seekto", { seekTime: 61 });
  expect(second()).toBe(61);
  press("pause");
  expect(isPlaying()).toBe(false);
  press("play");
  await expect.poll(isPlaying).toBe(true);
  expect(navigator.mediaSession.metadata).toMatchObject({ title: "Inside cells", artist: "Noah, Maya" });
});

class Utterance extends EventTarget {
  text: string;
  lang = "";

  constructor(text: string) {
    super();
    this.text = text;
  }
}

test("the browser's voice reads any text sentence by sentence; it can be paused and stopped", async () => {
  const spoken: Utterance[] = [];
  const calls: string[] = [];
  vi.stubGlobal("SpeechSynthesisUtterance", Utterance);
  vi.stubGlobal("speechSynthesis", {
    speak: (utterance: Utterance) => spoken.push(utterance),
    cancel: () => calls.push("cancel"),
    pause: () => calls.push("pause"),
    resume: () => calls.push("resume"),
  });
  await listen();
  readToMe("The cell is the smallest unit of life. It divides into two cells.");
  // An episode and the voice never play at the same time.
  expect(isPlaying()).toBe(false);
  expect(spoken.map(({ text, lang }) => [text, lang])).toEqual([["The cell is the smallest unit of life.", "en"]]);
  toggleReading();
  expect(store.get(readingAtom)?.isPaused).toBe(true);
  toggleReading();
  spoken[0]?.dispatchEvent(new Event("end"));
  expect(spoken.at(-1)?.text).toBe("It divides into two cells.");
  spoken[1]?.dispatchEvent(new Event("end"));
  const stop = ["resume", "cancel"];
  expect([store.get(readingAtom), calls]).toEqual([undefined, [...stop, "pause", "resume", ...stop]]);
  // An episode that starts ends the reading, and so does a voice that fails.
  readToMe("The cell is the smallest unit of life.");
  play();
  await expect.poll(() => store.get(readingAtom)).toBeUndefined();
  expect(calls.slice(-2)).toEqual(stop);
  readToMe("The cell is the smallest unit of life.");
  spoken.at(-1)?.dispatchEvent(new Event("error"));
  expect(store.get(readingAtom)).toBeUndefined();
});
