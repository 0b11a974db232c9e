import { default_w, forgetting_curve } from "ts-fsrs";
import type { MemorySeed } from "./schema.ts";

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
const NEUTRAL_EASE = 2.5;

/**
 * Converts the SM-2 interval (days) and ease (2.5 is usual) of a card to FSRS, at a retention of 90 %: the stability at
 * which the interval has that recall, and the difficulty at which FSRS-6's stability growth (w8, w9, w10) equals the
 * ease. This is the conversion of the open-spaced-repetition project.
 */
export function convertSm2Memory(intervalDays: number, ease: number): Pick<MemorySeed, "stability" | "difficulty"> {
  const stability = clamp(intervalDays, 0.1, 36_500);
  const recall = forgetting_curve(default_w, stability, stability);
  const [w8 = 0, w9 = 0, w10 = 0] = default_w.slice(8, 11);
  const growth = Math.exp(w8) * stability ** -w9 * (Math.exp((1 - recall) * w10) - 1);
  const factor = ease > 1 ? ease : NEUTRAL_EASE;
  return { stability, difficulty: clamp(11 - (factor - 1) / growth, 1, 10) };
}
