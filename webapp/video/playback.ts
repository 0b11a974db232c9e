import { atom } from "jotai/vanilla";
import { store } from "#webapp/app/store.ts";

/** The interface of every player; times in milliseconds. */
export interface Player {
  seek(ms: number): void;
  play(): void;
  pause(): void;
  setRate(rate: number): void;
  /** Whether the player shows its own position, volume, captions, speed and full screen, so that the bar omits them. */
  hasOwnControls?: true;
  /** From 0 to 1. Players with their own controls have neither this nor `setMuted`. */
  setVolume?(volume: number): void;
  setMuted?(isMuted: boolean): void;
  /** Opens the system's full screen, for devices where a page cannot be shown in full screen, such as an iPhone. */
  openFullScreen?(): void;
  /** Missing if the player has no captions. */
  setCaptions?(isShown: boolean): void;
}

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;

/** A passage from `fromMs` to `toMs` that repeats; `toMs` is null until the end is set. */
interface Loop {
  fromMs: number;
  toMs: number | null;
}

let player: Player | null = null;
/** Start position for the next player. */
let pendingSeekMs: number | null = null;

const hasPlayerState = atom(false);
/** Whether a player exists. An external video has none until the student agrees to load it. */
export const hasPlayerAtom = atom((get) => get(hasPlayerState));
const currentMsAtom = atom(0);
export const nowMsAtom = atom((get) => get(currentMsAtom));
const isPlayingState = atom(false);
export const isPlayingAtom = atom((get) => get(isPlayingState));
const rateState = atom(1);
export const rateAtom = atom((get) => get(rateState));
const durationState = atom<number | null>(null);
/** Null until the duration is known, and for live videos. */
export const durationAtom = atom((get) => get(durationState));
const hasOwnControlsState = atom(false);
export const hasOwnControlsAtom = atom((get) => get(hasOwnControlsState));
/** Never 0, because a volume of 0 counts as muted, and unmuting returns to this volume. */
const volumeState = atom(1);
const mutedState = atom(false);
export const mutedAtom = atom((get) => get(mutedState));
/** The audible volume: 0 if muted. */
export const volumeAtom = atom((get) => (get(mutedState) ? 0 : get(volumeState)));
const captionsState = atom(false);
export const captionsAtom = atom((get) => get(captionsState));
const canCaptionState = atom(false);
export const canCaptionAtom = atom((get) => get(canCaptionState));
const loopState = atom<Loop | null>(null);
export const loopAtom = atom((get) => get(loopState));

/** Registers a ready player and seeks to the pending position; returns a function that disconnects it. */
export function connectPlayer(next: Player): () => void {
  player = next;
  store.set(hasPlayerState, true);
  if (pendingSeekMs !== null) next.seek(pendingSeekMs);
  pendingSeekMs = null;
  next.setRate(store.get(rateState));
  applyVolume();
  next.setCaptions?.(store.get(captionsState));
  store.set(hasOwnControlsState, next.hasOwnControls === true);
  store.set(canCaptionState, next.setCaptions !== undefined);
  return () => {
    if (player !== next) return;
    player = null;
    store.set(hasPlayerState, false);
    store.set(isPlayingState, false);
  };
}

/** Resets the position for another video. */
export function resetPlayback(): void {
  pendingSeekMs = null;
  store.set(currentMsAtom, 0);
  store.set(durationState, null);
  store.set(loopState, null);
}

/** Called by the player with its current position. */
export function setPosition(ms: number): void {
  store.set(currentMsAtom, ms);
  const loop = store.get(loopState);
  if (loop?.toMs !== null && loop?.toMs !== undefined && ms >= loop.toMs) player?.seek(loop.fromMs);
}

export const setDuration = (ms: number) => store.set(durationState, Number.isFinite(ms) && ms > 0 ? ms : null);

export const setPlaying = (isPlaying: boolean) => store.set(isPlayingState, isPlaying);

/** Seeks now, or as soon as there is a player; the transcript follows immediately. */
export function seekTo(ms: number): void {
  const targetMs = Math.max(0, ms);
  store.set(currentMsAtom, targetMs);
  if (player) player.seek(targetMs);
  else pendingSeekMs = targetMs;
}

export const seekBy = (ms: number) => seekTo(store.get(currentMsAtom) + ms);

/** The position at which a new player should start. */
export const getStartMs = () => pendingSeekMs ?? store.get(currentMsAtom);

export function togglePlaying(): void {
  if (store.get(isPlayingState)) player?.pause();
  else player?.play();
}

export function setRate(rate: number): void {
  store.set(rateState, rate);
  player?.setRate(rate);
}

/** Called by the player when the speed was changed in its own controls. */
export const setRateFromPlayer = (rate: number) => store.set(rateState, rate);

function applyVolume(): void {
  player?.setVolume?.(store.get(volumeState));
  player?.setMuted?.(store.get(mutedState));
}

export function setVolume(volume: number): void {
  if (volume > 0) store.set(volumeState, volume);
  store.set(mutedState, volume === 0);
  applyVolume();
}

export function toggleMuted(): void {
  store.set(mutedState, (isMuted) => !isMuted);
  applyVolume();
}

export function toggleCaptions(): void {
  store.set(captionsState, (isShown) => !isShown);
  player?.setCaptions?.(store.get(captionsState));
}

/** Shows the player with its controls in full screen, or uses the system's full screen if pages have none. */
export function toggleFullScreen(element: Element | null): void {
  if (document.fullscreenElement) return void document.exitFullscreen();
  if (document.fullscreenEnabled) return void element?.requestFullscreen();
  return player?.openFullScreen?.();
}

export function stepRate(step: 1 | -1): void {
  const current = store.get(rateState);
  const next = step === 1 ? RATES.find((rate) => rate > current) : RATES.findLast((rate) => rate < current);
  if (next !== undefined) setRate(next);
}

/** Starts a loop at the current position. */
export function beginLoop(): void {
  store.set(loopState, { fromMs: store.get(currentMsAtom), toMs: null });
}

/** Ends the loop here and replays it from its start; ignored if the end is not after the start. */
export function endLoop(): void {
  const loop = store.get(loopState);
  const toMs = store.get(currentMsAtom);
  if (!loop || toMs <= loop.fromMs) return;
  store.set(loopState, { ...loop, toMs });
  seekTo(loop.fromMs);
}

export const clearLoop = () => store.set(loopState, null);
