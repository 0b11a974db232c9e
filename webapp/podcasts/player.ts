import { atom } from "jotai/vanilla";
import { lineAt } from "#shared/podcasts/rules.ts";
import type { Podcast, PodcastTranscript } from "#shared/podcasts/schema.ts";
import { readLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { findSoundUrl, savePosition } from "./sound.ts";

export const EPISODE_RATES = [0.5, 0.75, 1, 1.1, 1.2, 1.3, 1.5, 1.75, 2, 2.5, 3] as const;
const SKIP_MS = 15_000;
const SAVE_INTERVAL_MS = 15_000;
const RATE_KEY = "lamplight_podcast_rate";
const BREAKS_KEY = "lamplight_podcast_breaks";
/** Heard before the next line when a break is left out. */
const LEAD_MS = 250;

/** An episode in the player, which goes on across all screens. */
export interface Loaded {
  podcast: Podcast;
  transcript: PodcastTranscript;
}

const loadedState = accountAtom<Loaded | null>(null);
export const loadedAtom = atom((get) => get(loadedState));
const nowState = atom(0);
export const episodeMsAtom = atom((get) => get(nowState));
const playingState = atom(false);
export const isEpisodePlayingAtom = atom((get) => get(playingState));
const rateState = atom(Number(readLocal(RATE_KEY) ?? "1") || 1);
export const episodeRateAtom = atom((get) => get(rateState));
const breaksState = atom(readLocal(BREAKS_KEY) !== "off");
export const hasBreaksAtom = atom((get) => get(breaksState));
const brokenState = atom(false);
export const isBrokenAtom = atom((get) => get(brokenState));
/** Position of the line that is heard; it changes by line, not with every tick. */
export const spokenLineAtom = atom((get) => {
  const loaded = get(loadedState);
  return loaded ? lineAt(loaded.transcript.lines, get(nowState)) : -1;
});

export type Sleep =
  | { kind: "off" }
  | { kind: "at"; atMs: number; minutes: number }
  | { kind: "chapter"; chapter: number };
const sleepState = atom<Sleep>({ kind: "off" });
export const sleepAtom = atom((get) => get(sleepState));

let audio: HTMLAudioElement | undefined;
/** How much the player's file holds, and whether it waits for more of an episode in the making. */
let loadedMs = 0;
let isWaiting = false;
let savedMs = 0;
let releaseUrl = () => {};

function element(): HTMLAudioElement {
  if (audio) return audio;
  const created = new Audio();
  created.preload = "auto";
  created.addEventListener("timeupdate", () => handleTime(created.currentTime * 1000));
  created.addEventListener("play", () => store.set(playingState, true));
  created.addEventListener("pause", () => {
    store.set(playingState, false);
    rememberPosition(true);
  });
  created.addEventListener("ended", handleEnd);
  created.addEventListener("error", () => {
    if (created.src !== "") store.set(brokenState, true);
  });
  window.addEventListener("pagehide", () => rememberPosition(true));
  audio = created;
  return created;
}

function handleTime(ms: number): void {
  store.set(nowState, ms);
  rememberPosition(false);
  skipBreak(ms);
  const sleep = store.get(sleepState);
  const isOver =
    (sleep.kind === "at" && Date.now() >= sleep.atMs) || (sleep.kind === "chapter" && chapterAt(ms) > sleep.chapter);
  if (!isOver) return;
  store.set(sleepState, { kind: "off" });
  pause();
}

/** With breaks turned off, the silence after a question is not waited for. */
function skipBreak(ms: number): void {
  const loaded = store.get(loadedState);
  if (!loaded || store.get(breaksState)) return;
  const at = lineAt(loaded.transcript.lines, ms);
  const line = loaded.transcript.lines[at];
  const next = loaded.transcript.lines[at + 1];
  if (!line || line.pauseMs === 0 || ms < (line.endMs ?? Number.POSITIVE_INFINITY) || next?.startMs === undefined)
    return;
  if (next.startMs - ms > 2 * LEAD_MS) seekEpisode(next.startMs - LEAD_MS);
}

let handleEpisodeEnd = () => {};
/** Sets what happens when a whole episode was heard. */
export const onEpisodeEnd = (handle: () => void) => {
  handleEpisodeEnd = handle;
};

/** At the end of what is made so far the player waits for the rest. */
function handleEnd(): void {
  const loaded = store.get(loadedState);
  if (!loaded) return;
  if (loaded.podcast.duration_ms > loadedMs) void openSound(loaded, loadedMs).then(play);
  else if (loaded.podcast.status === "completed") {
    rememberPosition(true, 0);
    handleEpisodeEnd();
  } else isWaiting = true;
}

function rememberPosition(isNow: boolean, at = store.get(nowState)): void {
  const loaded = store.get(loadedState);
  if (!loaded || (!isNow && Math.abs(at - savedMs) < SAVE_INTERVAL_MS) || at === savedMs) return;
  savedMs = at;
  savePosition(loaded.podcast._id, Math.round(at));
}

async function openSound({ podcast }: Loaded, atMs: number): Promise<void> {
  const sound = await findSoundUrl(podcast);
  const current = store.get(loadedState);
  if (current?.podcast._id !== podcast._id) return sound?.release();
  if (!sound) {
    store.set(brokenState, true);
    return;
  }
  releaseUrl();
  releaseUrl = sound.release;
  loadedMs = podcast.duration_ms;
  store.set(brokenState, false);
  const player = element();
  player.src = sound.url;
  player.currentTime = atMs / 1000;
  player.playbackRate = store.get(rateState);
  player.preservesPitch = true;
  announce(current);
}

/** Puts an episode into the player, or its newer state; plays on where the listener stopped. */
export function load(next: Loaded): void {
  const before = store.get(loadedState);
  store.set(loadedState, next);
  if (before?.podcast._id !== next.podcast._id) return;
  // More of an unfinished episode is fetched when playback reaches the end of the loaded part.
  if (isWaiting && next.podcast.duration_ms > loadedMs) {
    isWaiting = false;
    void openSound(next, loadedMs).then(play);
  }
}

/** Plays an episode from a time, or from where the listener stopped. */
export async function playEpisode(next: Loaded, fromMs?: number): Promise<void> {
  const before = store.get(loadedState);
  const isSame = before?.podcast._id === next.podcast._id && element().src !== "";
  store.set(loadedState, next);
  if (!isSame) {
    isWaiting = false;
    const isNearEnd = next.podcast.position_ms > next.podcast.duration_ms - 2000;
    const atMs = fromMs ?? (isNearEnd ? 0 : next.podcast.position_ms);
    store.set(nowState, atMs);
    savedMs = atMs;
    await openSound(next, atMs);
  } else if (fromMs !== undefined) seekEpisode(fromMs);
  play();
}

export function play(): void {
  const player = element();
  if (player.src === "") return;
  player.play().catch(() => store.set(playingState, false));
}
export const pause = () => element().pause();
export const toggleEpisode = () => (store.get(playingState) ? pause() : play());

export function seekEpisode(ms: number): void {
  const target = Math.max(0, ms);
  const loaded = store.get(loadedState);
  store.set(nowState, target);
  const player = element();
  if (!loaded || target <= loadedMs || loaded.podcast.duration_ms <= loadedMs) player.currentTime = target / 1000;
  else void openSound(loaded, target).then(play);
}
export const seekEpisodeBy = (ms: number) => seekEpisode(store.get(nowState) + ms);
export const skip = (direction: 1 | -1) => seekEpisodeBy(direction * SKIP_MS);

export function chapterAt(ms: number): number {
  const chapters = store.get(loadedState)?.transcript.chapters ?? [];
  return chapters.findLastIndex(({ startMs }) => startMs !== null && startMs <= ms);
}

export function stepChapter(step: 1 | -1): void {
  const chapters = store.get(loadedState)?.transcript.chapters ?? [];
  const next = chapters[Math.max(0, chapterAt(store.get(nowState)) + step)];
  if (next && next.startMs !== null) seekEpisode(next.startMs);
}

export function setEpisodeRate(rate: number): void {
  store.set(rateState, rate);
  writeLocal(RATE_KEY, String(rate));
  element().playbackRate = rate;
}

export function stepEpisodeRate(step: 1 | -1): void {
  const at = EPISODE_RATES.findIndex((rate) => rate >= store.get(rateState));
  const next = EPISODE_RATES[at + step];
  if (next !== undefined) setEpisodeRate(next);
}

export function setBreaks(isOn: boolean): void {
  store.set(breaksState, isOn);
  writeLocal(BREAKS_KEY, isOn ? "on" : "off");
}

const MINUTE_MS = 60_000;
export const sleepIn = (minutes: number) =>
  store.set(sleepState, { kind: "at", atMs: Date.now() + minutes * MINUTE_MS, minutes });
export const sleepAtChapterEnd = () =>
  store.set(sleepState, { kind: "chapter", chapter: chapterAt(store.get(nowState)) });
export const stayAwake = () => store.set(sleepState, { kind: "off" });

/** Stops and closes the player. */
export function unload(): void {
  rememberPosition(true);
  const player = element();
  player.pause();
  store.set(loadedState, null);
  player.removeAttribute("src");
  player.load();
  releaseUrl();
  releaseUrl = () => {};
}

/** Tells the system what plays, for its keys and its lock screen. */
function announce({ podcast, transcript }: Loaded): void {
  if (!("mediaSession" in navigator)) return;
  const { mediaSession } = navigator;
  mediaSession.metadata = new MediaMetadata({
    title: podcast.title,
    artist: `${podcast.host.name}, ${podcast.guest.name}`,
    album: transcript.chapters[0]?.title ?? "",
  });
  const actions: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play,
    pause,
    seekbackward: () => skip(-1),
    seekforward: () => skip(1),
    previoustrack: () => stepChapter(-1),
    nexttrack: () => stepChapter(1),
    seekto: ({ seekTime }) => seekTime !== undefined && seekEpisode(seekTime * 1000),
  };
  for (const [action, handler] of Object.entries(actions))
    mediaSession.setActionHandler(action as MediaSessionAction, handler);
}
