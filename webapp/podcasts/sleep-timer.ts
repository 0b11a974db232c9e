import { atom } from "jotai/vanilla";
import { store } from "#webapp/app/store.ts";

export type Sleep =
  | { kind: "off" }
  | { kind: "at"; atMs: number; minutes: number }
  | { kind: "chapter"; chapter: number };

const sleepState = atom<Sleep>({ kind: "off" });
export const sleepAtom = atom((get) => get(sleepState));

const MINUTE_MS = 60_000;

export const sleepIn = (minutes: number) =>
  store.set(sleepState, { kind: "at", atMs: Date.now() + minutes * MINUTE_MS, minutes });
/** Playback stops at the end of this chapter, given by its position. */
export const sleepAfterChapter = (chapter: number) => store.set(sleepState, { kind: "chapter", chapter });
export const stayAwake = () => store.set(sleepState, { kind: "off" });

/** Ends the timer if it is due while this chapter is heard; true if it was. */
export function endSleepTimer(chapter: number): boolean {
  const sleep = store.get(sleepState);
  const isDue =
    (sleep.kind === "at" && Date.now() >= sleep.atMs) || (sleep.kind === "chapter" && chapter > sleep.chapter);
  if (isDue) stayAwake();
  return isDue;
}

/** Ends a timer that counts chapters, at the end of an episode; true if there was one. */
export function endChapterSleep(): boolean {
  const isSet = store.get(sleepState).kind === "chapter";
  if (isSet) stayAwake();
  return isSet;
}
