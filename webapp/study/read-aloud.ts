import { useAtomValue } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useEffect } from "react";
import { readLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import { canSpeak, speakText, stopSpeaking } from "./speech.ts";
import { store } from "#webapp/app/store.ts";

const STORAGE_KEY = "lamplight_read_aloud";
const currentAtom = atom(readLocal(STORAGE_KEY) === "1");

/** Whether cards are read aloud while studying; a setting of this device. */
export const readAloudAtom = atom((get) => get(currentAtom) && canSpeak());

export function setReadAloud(isOn: boolean): void {
  store.set(currentAtom, isOn);
  writeLocal(STORAGE_KEY, isOn ? "1" : "0");
  if (!isOn) stopSpeaking();
}

/** Reads each new text aloud if enabled; stops when it leaves the screen. */
export function useReadAloud(text: string | undefined): void {
  const isOn = useAtomValue(readAloudAtom);
  useEffect(() => {
    if (!isOn || text === undefined) return undefined;
    void speakText(text);
    return stopSpeaking;
  }, [isOn, text]);
}
