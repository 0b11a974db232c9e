import { isStopWord } from "./words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

const SAMPLE = 6000;

/** Recognises English by its stop words: at least a fifth of the words. */
export function isEnglish(passages: readonly Passage[]): boolean {
  let sample = "";
  for (const { text } of passages) {
    if (sample.length > SAMPLE) break;
    sample += ` ${text.slice(0, 1500)}`;
  }
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length === 0) return false;
  const latin = words.filter((w) => /^[a-z]+$/.test(w));
  const small = latin.filter((w) => w.length > 1 && isStopWord(w)).length;
  // Lists of terms have few stop words; then Latin letters are enough.
  const bar = words.length < 40 ? 0.06 : 0.14;
  return latin.length > words.length * 0.7 && small >= words.length * bar;
}
