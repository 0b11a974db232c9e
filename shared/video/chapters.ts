import { contentStems, wordsOf } from "#shared/text/words.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { Chapter } from "./schema.ts";

const TIMESTAMPED_LINE = /^[\s([*•-]*(?:(\d{1,2}):)?(\d{1,3}):(\d{2})[\])]?\s*[-–—:|.]*\s*(.+)$/u;
const MAX_TITLE = 120;

/** Chapters listed in a description, by YouTube's rules: three or more, in order, the first at 0:00. */
export function parseDescriptionChapters(description: string): Chapter[] {
  const chapters = description.split(/\r?\n/).flatMap((line) => {
    const match = TIMESTAMPED_LINE.exec(line.trim());
    const title = match?.[4]?.trim().slice(0, MAX_TITLE) ?? "";
    if (!match || title === "") return [];
    const [hours, minutes, seconds] = [match[1], match[2], match[3]].map((part) => Number(part ?? 0));
    return [{ startMs: (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000, title }];
  });
  const isAscending = chapters.every(({ startMs }, at) => at === 0 || startMs > (chapters[at - 1]?.startMs ?? 0));
  return chapters.length >= 3 && chapters[0]?.startMs === 0 && isAscending ? chapters : [];
}

/** Shorter talks get no chapters. */
const MIN_TALK_MS = 4 * 60_000;
const MIN_CHAPTER_MS = 60_000;
/** Sentences compared on each side of a gap. */
const WINDOW = 8;

type Counts = Map<string, number>;

function countsOf(stems: readonly (readonly string[])[]): Counts {
  const counts: Counts = new Map();
  for (const word of stems.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Cosine similarity of two bags of words: 1 for the same distribution, 0 without a shared word. */
function cosineSimilarity(a: Counts, b: Counts): number {
  let shared = 0;
  for (const [word, count] of a) shared += count * (b.get(word) ?? 0);
  const length = (counts: Counts) => Math.sqrt([...counts.values()].reduce((sum, n) => sum + n * n, 0));
  return shared === 0 ? 0 : shared / (length(a) * length(b));
}

/**
 * Depth of a gap's similarity below the nearest peaks on both sides (Hearst 1997, TextTiling,
 * https://aclanthology.org/J97-1003/).
 */
function depthAt(similarities: readonly number[], gap: number): number {
  const similarity = similarities[gap] ?? 0;
  const peak = (step: 1 | -1) => {
    let top = similarity;
    for (let at = gap + step; at >= 0 && at < similarities.length; at += step) {
      const next = similarities[at] ?? 0;
      if (next < top) break;
      top = next;
    }
    return top;
  };
  return peak(-1) + peak(1) - 2 * similarity;
}

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Indexes of sentences at topic boundaries, the deepest first, with a minimum distance. */
function findTopicBoundaries(passages: readonly Passage[], stems: readonly (readonly string[])[]): number[] {
  const similarities = passages.slice(1).map((_, gap) => {
    const boundary = gap + 1;
    return cosineSimilarity(
      countsOf(stems.slice(Math.max(0, boundary - WINDOW), boundary)),
      countsOf(stems.slice(boundary, boundary + WINDOW)),
    );
  });
  const depths = similarities.map((_, gap) => depthAt(similarities, gap));
  const mean = meanOf(depths);
  const deviation = Math.sqrt(meanOf(depths.map((depth) => (depth - mean) ** 2)));
  const [start, end] = [startMsOf(passages[0]), passages.at(-1)?.locator.endMs ?? 0];
  const minDistanceMs = Math.max(MIN_CHAPTER_MS, (end - start) / 14);
  const chosen: number[] = [];
  const candidates = depths.map((depth, gap) => ({ depth, at: gap + 1 })).toSorted((a, b) => b.depth - a.depth);
  for (const { depth, at } of candidates) {
    if (depth <= mean + deviation / 2) break;
    const ms = startMsOf(passages[at]);
    const isFarEnough = [start, end, ...chosen.map((other) => startMsOf(passages[other]))].every(
      (other) => Math.abs(other - ms) >= minDistanceMs,
    );
    if (isFarEnough) chosen.push(at);
  }
  return chosen.toSorted((a, b) => a - b);
}

const startMsOf = (passage: Passage | undefined) => passage?.locator.startMs ?? 0;

/** The two words most specific to a chapter (tf–idf), as first written in it. */
function chapterTitle(text: string, wordCounts: Counts, chapterCount: number, inChapters: Counts): string {
  const scored = [...wordCounts].map(([word, count]) => ({
    word,
    score: count > 1 ? count * Math.log(1 + chapterCount / (inChapters.get(word) ?? 1)) : 0,
  }));
  const top = scored
    .filter(({ word, score }) => score > 0 && word.length > 2 && !/^\d+$/.test(word))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 2);
  const words = wordsOf(text);
  const named = top.map(({ word }) => words.find((wordForm) => contentStems(wordForm)[0] === word) ?? word);
  const title = named.join(", ");
  return title === "" ? firstWords(text) : title.charAt(0).toUpperCase() + title.slice(1);
}

const firstWords = (text: string) => `${text.split(/\s+/u).slice(0, 6).join(" ")}…`;

/**
 * Chapters of a talk from its transcript (TextTiling): split where the vocabulary changes, and named by each part's
 * most specific words. Empty for short talks.
 */
export function detectChapters(passages: readonly Passage[]): Chapter[] {
  const lengthMs = (passages.at(-1)?.locator.endMs ?? 0) - startMsOf(passages[0]);
  if (lengthMs < MIN_TALK_MS || passages.length < 2 * WINDOW) return [];
  const stems = passages.map(({ text }) => contentStems(text));
  const bounds = [0, ...findTopicBoundaries(passages, stems), passages.length];
  if (bounds.length < 3) return [];
  const parts = bounds.slice(0, -1).map((from, i) => ({ from, to: bounds[i + 1] ?? passages.length }));
  const counted = parts.map(({ from, to }) => countsOf(stems.slice(from, to)));
  const inChapters = countsOf(counted.map((counts) => [...counts.keys()]));
  return parts.map(({ from, to }, i) => {
    const text = passages
      .slice(from, to)
      .map((passage) => passage.text)
      .join(" ");
    const title = chapterTitle(text, counted[i] ?? new Map(), parts.length, inChapters);
    return { startMs: startMsOf(passages[from]), title };
  });
}
