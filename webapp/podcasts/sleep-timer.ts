import { atom } from "jotai/vanilla";
import { store } from "#webapp/app/store.ts";

export type Sleep =
  | { kind: "off" }
  | { kind: "at"; atMs: number; minutes: number }
  | { kind: "chapter"; chapter: number };

const sleepState = atom<Sleep>({ kind: "off" });
export const sleepAtom = atom((get) => get(sleepState));

const MINUTE_MS = 60_000;

export const sleepAfterMinutes = (minutes: number) =>
  store.set(sleepState, { kind: "at", atMs: Date.now() + minutes * MINUTE_MS, minutes });
/** Stops playback at the end of the chapter with this index. */
export const sleepAfterChapter = (chapter: number) => store.set(sleepState, { kind: "chapter", chapter });
export const cancelSleepTimer = () => store.set(sleepState, { kind: "off" });

/** Cancels the sleep timer if it is due while this chapter plays; returns whether it was due. */
export function endSleepTimer(chapter: number): boolean {
  const sleep = store.get(sleepState);
  const isDue =
    (sleep.kind === "at" && Date.now() >= sleep.atMs) || (sleep.kind === "chapter" && chapter > sleep.chapter);
  if (isDue) cancelSleepTimer();
  return isDue;
}

/** Cancels a sleep timer that waits for the end of a chapter; returns whether there was one. */
export function endChapterSleep(): boolean {
  const isSet = store.get(sleepState).kind === "chapter";
  if (isSet) cancelSleepTimer();
  return isSet;
}
