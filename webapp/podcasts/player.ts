import { atom } from "jotai/vanilla";
import { isInProgress, lineAt } from "#shared/podcasts/rules.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { findChapter, type Loaded, startFrom } from "./episode.ts";
import { episodeRateAtom, hasBreaksAtom } from "./listening-settings.ts";
import {
  announceCover,
  announceEpisode,
  announcePosition,
  clearMediaSession,
  connectMediaSession,
} from "./media-session.ts";
import { findNewerPosition, findUnsentPosition, savePosition } from "./positions.ts";
import { beginRecovery, endRecovery, notePlayed } from "./recovery.ts";
import { endChapterSleep, endSleepTimer } from "./sleep-timer.ts";
import { findCover, findSoundUrl } from "./sound.ts";

const SKIP_MS = 15_000;
const SAVE_INTERVAL_MS = 15_000;
/** Length of the silence before the next line when a break is skipped. */
const LEAD_MS = 250;

const loadedState = accountAtom<Loaded | null>(null);
export const loadedAtom = atom((get) => get(loadedState));
const nowState = atom(0);
export const episodeMsAtom = atom((get) => get(nowState));
const playingState = atom(false);
const waitingState = atom(false);
/** Whether playback reached the end of what is recorded so far; the rest plays when it is ready. */
export const isWaitingAtom = atom((get) => get(waitingState));
export const isEpisodePlayingAtom = atom((get) => get(playingState) || get(waitingState));
const brokenState = atom(false);
export const isBrokenAtom = atom((get) => get(brokenState));
/** The index of the line that is playing; an atom of its own, because it changes less often than the time. */
export const spokenLineAtom = atom((get) => {
  const loaded = get(loadedState);
  return loaded ? lineAt(loaded.transcript.lines, get(nowState)) : -1;
});

let audio: HTMLAudioElement | undefined;
/** The duration of the loaded audio, which is less than the episode while it is being made. */
let loadedMs = 0;
let savedMs = 0;
let releaseUrl = () => {};

function getAudio(): HTMLAudioElement {
  if (audio) return audio;
  const created = new Audio();
  created.preload = "auto";
  created.addEventListener("timeupdate", () => handleTime(created.currentTime * 1000));
  created.addEventListener("play", () => {
    store.set(playingState, true);
    store.set(waitingState, false);
  });
  created.addEventListener("pause", () => {
    store.set(playingState, false);
    rememberPosition(true);
  });
  for (const event of ["play", "pause", "seeked", "ratechange", "durationchange"])
    created.addEventListener(event, () => announcePosition(created));
  created.addEventListener("ended", () => {
    // A sound that is being opened starts elsewhere.
    if (!opening) store.set(nowState, created.currentTime * 1000);
    handleEnd();
  });
  created.addEventListener("error", handleError);
  window.addEventListener("pagehide", () => rememberPosition(true));
  audio = created;
  return created;
}

/** The URL may have expired or the connection dropped, so the sound is fetched once more before an error is shown. */
function handleError(): void {
  const loaded = store.get(loadedState);
  if (!loaded || getAudio().getAttribute("src") === null) return;
  if (beginRecovery(store.get(nowState))) void reopen(loaded);
  else store.set(brokenState, true);
}

async function reopen(loaded: Loaded): Promise<void> {
  const wasPlaying = store.get(playingState);
  if ((await openSound(loaded, store.get(nowState))) && wasPlaying) startPlaying();
}

function handleTime(ms: number): void {
  const loaded = store.get(loadedState);
  const { readyState, error } = getAudio();
  // Audio that is being replaced or has failed reports another time than the position of the listener.
  if (!loaded || opening || error || readyState === HTMLMediaElement.HAVE_NOTHING) return;
  notePlayed(ms);
  store.set(nowState, ms);
  announceEpisode(loaded, ms);
  rememberPosition(false);
  skipBreak(ms);
  if (endSleepTimer(chapterAt(ms))) pause();
}

/** Skips the silence after a question if breaks are turned off. */
function skipBreak(ms: number): void {
  const loaded = store.get(loadedState);
  if (!loaded || store.get(hasBreaksAtom)) return;
  const index = lineAt(loaded.transcript.lines, ms);
  const line = loaded.transcript.lines[index];
  const next = loaded.transcript.lines[index + 1];
  if (!line || line.pauseMs === 0 || ms < (line.endMs ?? Number.POSITIVE_INFINITY) || next?.startMs === undefined)
    return;
  if (next.startMs - ms > 2 * LEAD_MS) seekEpisode(next.startMs - LEAD_MS);
}

let handleEpisodeEnd = () => {};
/** Sets the function that runs when an episode has played to its end. */
export const onEpisodeEnd = (handle: () => void) => {
  handleEpisodeEnd = handle;
};

/** At the end of an unfinished episode, the player waits until more is recorded. */
function handleEnd(): void {
  const loaded = store.get(loadedState);
  if (!loaded) return;
  if (loaded.podcast.duration_ms > loadedMs) void openAndPlay(loaded, store.get(nowState));
  else if (loaded.podcast.status === "completed") {
    store.set(waitingState, false);
    rememberPosition(true, 0);
    // If the sleep timer ends with a chapter, the listener wanted to stop here.
    if (!endChapterSleep()) handleEpisodeEnd();
  } else store.set(waitingState, isInProgress(loaded.podcast));
}

function rememberPosition(isUrgent: boolean, ms = store.get(nowState)): void {
  const loaded = store.get(loadedState);
  if (!loaded || (!isUrgent && Math.abs(ms - savedMs) < SAVE_INTERVAL_MS) || ms === savedMs) return;
  savedMs = ms;
  savePosition(loaded.podcast._id, Math.round(ms));
}

/** The sound that is being opened, and where it will start. */
let opening: { id: string; atMs: number; isOpen: Promise<boolean> } | undefined;

/** Resolves to false if the sound cannot be opened, or if another episode was loaded in the meantime. */
function openSound({ podcast }: Loaded, atMs: number): Promise<boolean> {
  if (opening?.id === podcast._id) {
    opening.atMs = atMs;
    return opening.isOpen;
  }
  const started = { id: podcast._id, atMs, isOpen: Promise.resolve(false) };
  opening = started;
  started.isOpen = receiveSound(podcast, started).finally(() => {
    if (opening === started) opening = undefined;
  });
  return started.isOpen;
}

async function receiveSound(podcast: Podcast, started: { readonly atMs: number }): Promise<boolean> {
  const sound = await findSoundUrl(podcast);
  const current = store.get(loadedState);
  if (opening !== started || current?.podcast._id !== podcast._id) {
    sound?.release();
    return false;
  }
  if (!sound) {
    store.set(brokenState, true);
    return false;
  }
  releaseUrl();
  releaseUrl = sound.release;
  loadedMs = sound.durationMs;
  // The state on the screen may be older or, after a restart of the server, ahead.
  const opened = { ...current, podcast: { ...current.podcast, duration_ms: loadedMs } };
  store.set(loadedState, opened);
  store.set(brokenState, false);
  const player = getAudio();
  player.src = sound.url;
  player.currentTime = started.atMs / 1000;
  player.playbackRate = store.get(episodeRateAtom);
  player.preservesPitch = true;
  announceEpisode(opened, started.atMs);
  void showCover(podcast);
  return true;
}

async function openAndPlay(loaded: Loaded, atMs: number): Promise<boolean> {
  const isOpen = await openSound(loaded, atMs);
  if (isOpen) startPlaying();
  return isOpen;
}

/** Without this, the old sound would keep playing and its position would be stored for the next episode. */
function removeSound(): void {
  const player = getAudio();
  player.pause();
  player.removeAttribute("src");
  player.load();
  releaseUrl();
  releaseUrl = () => {};
}

// An episode must not play on after signing out, when no player is left to stop it.
store.sub(accountIdAtom, () => {
  if (!audio) return;
  store.set(waitingState, false);
  removeSound();
  clearMediaSession();
});

async function showCover({ _id: id, thumbnail_file: file }: Podcast): Promise<void> {
  const cover = file === null ? undefined : await findCover(id);
  if (cover && store.get(loadedState)?.podcast._id === id) announceCover(cover);
}

/** Puts an episode into the player, or its newer state. Plays on if the listener waits for more of the episode. */
export function load(next: Loaded): void {
  const before = store.get(loadedState);
  store.set(loadedState, next);
  if (before?.podcast._id !== next.podcast._id) return;
  announceEpisode(next, store.get(nowState));
  if (before.podcast.thumbnail_file?.location !== next.podcast.thumbnail_file?.location) void showCover(next.podcast);
  // More of an unfinished episode is fetched when playback reaches the end of the loaded part.
  if (!store.get(waitingState)) return;
  if (next.podcast.duration_ms > loadedMs) void playRest(next);
  else handleEnd();
}

/** Plays what was recorded while the listener waited, unless they paused in the meantime. */
async function playRest(loaded: Loaded): Promise<void> {
  const isOpen = await openSound(loaded, store.get(nowState));
  if (isOpen && store.get(waitingState)) startPlaying();
  else if (store.get(brokenState)) store.set(waitingState, false);
}

const isLoaded = ({ _id: id }: Podcast) => store.get(loadedState)?.podcast._id === id;

let plays = 0;
/** Plays an episode from a time, or from the listener's position. Resolves to whether its sound could be opened. */
export async function playEpisode(next: Loaded, fromMs?: number): Promise<boolean> {
  plays += 1;
  if (!isLoaded(next.podcast) || getAudio().getAttribute("src") === null) return startEpisode(next, fromMs);
  store.set(loadedState, next);
  if (fromMs !== undefined) await moveSound(fromMs);
  play();
  return true;
}

async function startEpisode(next: Loaded, fromMs?: number): Promise<boolean> {
  const started = plays;
  const isOther = !isLoaded(next.podcast);
  if (store.get(loadedState)) endChapterSleep();
  // Read before the episode is loaded, because the position of a loaded episode is the position of the player.
  savedMs = fromMs ?? positionOf(next);
  store.set(loadedState, next);
  store.set(waitingState, false);
  store.set(nowState, savedMs);
  endRecovery();
  removeSound();
  if (isOther && fromMs === undefined) await moveToNewerPosition(next);
  // During the look-up, the listener may have chosen another episode or closed the player.
  return started === plays && isLoaded(next.podcast) && openAndPlay(next, store.get(nowState));
}

/** The listener's position in an episode: the player's, or the one where they stopped on any device. */
export function positionOf({ podcast }: Loaded): number {
  if (isLoaded(podcast)) return store.get(nowState);
  return startFrom(podcast, findUnsentPosition(podcast._id) ?? podcast.position_ms);
}

/** Moves to where the listener stopped on another device since, unless they move on this one meanwhile. */
async function moveToNewerPosition({ podcast }: Loaded): Promise<void> {
  const beforeMs = store.get(nowState);
  const newerMs = await findNewerPosition(podcast, podcast.position_ms);
  if (newerMs === undefined || !isLoaded(podcast) || store.get(nowState) !== beforeMs) return;
  savedMs = startFrom(podcast, newerMs);
  store.set(nowState, savedMs);
  if (getAudio().getAttribute("src") !== null) await moveSound(savedMs);
}

export function play(): void {
  const player = getAudio();
  const loaded = store.get(loadedState);
  if (!loaded) return;
  endRecovery();
  if (player.error || player.getAttribute("src") === null) void openAndPlay(loaded, store.get(nowState));
  else if (player.ended && isInProgress(loaded.podcast)) handleEnd();
  else void resume(loaded);
}

let resumes = 0;
async function resume(loaded: Loaded): Promise<void> {
  resumes += 1;
  const started = resumes;
  const { paused, ended } = getAudio();
  if (paused && (ended || store.get(nowState) === savedMs)) await moveToNewerPosition(loaded);
  if (started === resumes && isLoaded(loaded.podcast)) startPlaying();
}

function startPlaying(): void {
  getAudio()
    .play()
    .catch(() => store.set(playingState, false));
}
export function pause(): void {
  resumes += 1;
  store.set(waitingState, false);
  getAudio().pause();
}
export const toggleEpisode = () => (store.get(isEpisodePlayingAtom) ? pause() : play());

/** Opens the audio again if the target is beyond its end, because an unfinished episode grows while it plays. */
async function moveSound(ms: number): Promise<void> {
  const target = Math.max(0, ms);
  const loaded = store.get(loadedState);
  store.set(nowState, target);
  if (loaded && opening?.id === loaded.podcast._id) await openSound(loaded, target);
  else if (!loaded || target <= loadedMs || loaded.podcast.duration_ms <= loadedMs)
    getAudio().currentTime = target / 1000;
  else await openSound(loaded, target);
}

/** Moves to a time. A paused episode stays paused. */
export const seekEpisode = (ms: number): void => void moveAndPlayOn(ms);

async function moveAndPlayOn(ms: number): Promise<void> {
  const wasPlaying = store.get(isEpisodePlayingAtom);
  await moveSound(ms);
  if (wasPlaying && getAudio().paused) play();
}
export const skip = (direction: 1 | -1) => seekEpisode(store.get(nowState) + direction * SKIP_MS);

/** Moves to a time in an episode. An episode that is not in the player starts to play there. */
export function moveTo(episode: Loaded, ms: number): void {
  if (isLoaded(episode.podcast)) seekEpisode(ms);
  else void playEpisode(episode, Math.max(0, ms));
}

export const skipIn = (episode: Loaded, direction: 1 | -1) =>
  moveTo(episode, positionOf(episode) + direction * SKIP_MS);

/** The index of the loaded episode's chapter at a time; -1 before the first chapter. */
export function chapterAt(ms: number): number {
  const loaded = store.get(loadedState);
  return loaded ? findChapter(loaded, ms) : -1;
}

export function stepChapterIn(episode: Loaded, step: 1 | -1): void {
  const next = episode.transcript.chapters[Math.max(0, findChapter(episode, positionOf(episode)) + step)];
  if (next && next.startMs !== null) moveTo(episode, next.startMs);
}

function stepChapter(step: 1 | -1): void {
  const loaded = store.get(loadedState);
  if (loaded) stepChapterIn(loaded, step);
}

store.sub(episodeRateAtom, () => {
  if (audio) audio.playbackRate = store.get(episodeRateAtom);
});

/** Stops and closes the player. */
export function unload(): void {
  rememberPosition(true);
  pause();
  store.set(loadedState, null);
  removeSound();
  clearMediaSession();
}

connectMediaSession({ play, pause, skip, stepChapter, seek: seekEpisode });
