import { atom } from "jotai/vanilla";
import { store } from "#webapp/app/store.ts";

/** What every kind of player can be asked for; times in milliseconds. */
export interface Player {
  seek(ms: number): void;
  play(): void;
  pause(): void;
  setRate(rate: number): void;
}

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;

/** A passage that is played again and again: from `fromMs`, to `toMs` once that is set. */
interface Loop {
  fromMs: number;
  toMs: number | null;
}

let player: Player | null = null;
/** Where to begin once there is a player. */
let waitingMs: number | null = null;

const hasPlayerState = atom(false);
/** Whether anything could play: a video elsewhere waits for the student's press. */
export const hasPlayerAtom = atom((get) => get(hasPlayerState));
const currentMsAtom = atom(0);
export const nowMsAtom = atom((get) => get(currentMsAtom));
const isPlayingState = atom(false);
export const isPlayingAtom = atom((get) => get(isPlayingState));
const rateState = atom(1);
export const rateAtom = atom((get) => get(rateState));
const loopState = atom<Loop | null>(null);
export const loopAtom = atom((get) => get(loopState));

/** A player that is ready; answers how it goes. It begins where the student last wanted to be. */
export function connectPlayer(next: Player): () => void {
  player = next;
  store.set(hasPlayerState, true);
  if (waitingMs !== null) next.seek(waitingMs);
  waitingMs = null;
  next.setRate(store.get(rateState));
  return () => {
    if (player !== next) return;
    player = null;
    store.set(hasPlayerState, false);
    store.set(isPlayingState, false);
  };
}

/** Another video begins at its beginning. */
export function resetPlayback(): void {
  waitingMs = null;
  store.set(currentMsAtom, 0);
  store.set(loopState, null);
}

/** What the player tells of where it is. */
export function playedTo(ms: number): void {
  store.set(currentMsAtom, ms);
  const loop = store.get(loopState);
  if (loop?.toMs !== null && loop?.toMs !== undefined && ms >= loop.toMs) player?.seek(loop.fromMs);
}

export const toldPlaying = (isPlaying: boolean) => store.set(isPlayingState, isPlaying);

/** Goes there, now or as soon as there is a player; the transcript follows at once. */
export function seekTo(ms: number): void {
  const wanted = Math.max(0, ms);
  store.set(currentMsAtom, wanted);
  if (player) player.seek(wanted);
  else waitingMs = wanted;
}

export const seekBy = (ms: number) => seekTo(store.get(currentMsAtom) + ms);

/** Where a player that starts should begin. */
export const beginningMs = () => waitingMs ?? store.get(currentMsAtom);

export function togglePlaying(): void {
  if (store.get(isPlayingState)) player?.pause();
  else player?.play();
}

export function setRate(rate: number): void {
  store.set(rateState, rate);
  player?.setRate(rate);
}

export function stepRate(step: 1 | -1): void {
  const at = RATES.findIndex((rate) => rate === store.get(rateState));
  const next = RATES[at + step];
  if (next !== undefined) setRate(next);
}

/** Begins a loop here; one that has no length yet, or lies behind its beginning, is begun anew. */
export function beginLoop(): void {
  store.set(loopState, { fromMs: store.get(currentMsAtom), toMs: null });
}

/** Ends the loop here, and plays it again from its beginning. */
export function endLoop(): void {
  const loop = store.get(loopState);
  const toMs = store.get(currentMsAtom);
  if (!loop || toMs <= loop.fromMs) return;
  store.set(loopState, { ...loop, toMs });
  seekTo(loop.fromMs);
}

export const clearLoop = () => store.set(loopState, null);
