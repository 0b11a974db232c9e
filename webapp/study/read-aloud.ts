import { useAtomValue } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useEffect } from "react";
import { readLocal, writeLocal } from "#webapp/app/browser/local.ts";
import { canSpeak, speak, stopSpeaking } from "./speech.ts";
import { store } from "#webapp/app/store.ts";

const KEPT = "lamplight_read_aloud";
const currentAtom = atom(readLocal(KEPT) === "1");

/** Whether cards are read aloud while studying; a setting of this device. */
export const readAloudAtom = atom((get) => get(currentAtom) && canSpeak());

export function changeReadAloud(isOn: boolean): void {
  store.set(currentAtom, isOn);
  writeLocal(KEPT, isOn ? "1" : "0");
  if (!isOn) stopSpeaking();
}

/** Reads each new text aloud if enabled; stops when it leaves the screen. */
export function useReadAloud(text: string | undefined): void {
  const isOn = useAtomValue(readAloudAtom);
  useEffect(() => {
    if (!isOn || text === undefined) return undefined;
    void speak(text);
    return stopSpeaking;
  }, [isOn, text]);
}
