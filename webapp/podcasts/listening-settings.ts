import { atom } from "jotai/vanilla";
import { readLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import { store } from "#webapp/app/store.ts";

export const EPISODE_RATES = [0.5, 0.75, 1, 1.1, 1.2, 1.3, 1.5, 1.75, 2, 2.5, 3] as const;
const RATE_KEY = "lamplight_podcast_rate";
const BREAKS_KEY = "lamplight_podcast_breaks";

const rateState = atom(Number(readLocal(RATE_KEY) ?? "1") || 1);
export const episodeRateAtom = atom((get) => get(rateState));
const breaksState = atom(readLocal(BREAKS_KEY) !== "off");
export const hasBreaksAtom = atom((get) => get(breaksState));

export function setEpisodeRate(rate: number): void {
  store.set(rateState, rate);
  writeLocal(RATE_KEY, String(rate));
}

export function stepEpisodeRate(step: 1 | -1): void {
  const index = EPISODE_RATES.findIndex((rate) => rate >= store.get(rateState));
  const next = EPISODE_RATES[index + step];
  if (next !== undefined) setEpisodeRate(next);
}

export function setBreaks(isOn: boolean): void {
  store.set(breaksState, isOn);
  writeLocal(BREAKS_KEY, isOn ? "on" : "off");
}
