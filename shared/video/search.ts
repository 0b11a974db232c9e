import search from "approx-string-match";
import type { Segment, TranscriptHit } from "./schema.ts";

/** A transcript as one text to be searched, with the way back from each of its characters. */
export interface SearchableText {
  readonly segments: readonly Segment[];
  /** Without case, accents and marks. */
  readonly folded: string;
  /** Where each segment begins in `folded`. */
  readonly starts: readonly number[];
}

const MARKS = /\p{M}/gu;
const fold = (text: string) => text.normalize("NFKD").replaceAll(MARKS, "").toLowerCase();

/** Segments joined by a space, so that what is said across two lines is found too. */
export function searchableText(segments: readonly Segment[]): SearchableText {
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const { text } of segments) {
    starts.push(length);
    const folded = fold(text);
    parts.push(folded);
    length += folded.length + 1;
  }
  return { segments, folded: parts.join(" "), starts };
}

function lastStartBefore(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The code unit of the written text at which its folded form has come to `at`. */
function writtenAt(text: string, at: number): number {
  if (fold(text).length === text.length) return Math.min(at, text.length);
  let folded = 0;
  let written = 0;
  for (const character of text) {
    if (folded >= at) break;
    folded += fold(character).length;
    written += character.length;
  }
  return written;
}

function hitAt(searchable: SearchableText, start: number, end: number): TranscriptHit | undefined {
  const { segments, starts } = searchable;
  const from = lastStartBefore(starts, start);
  const to = lastStartBefore(starts, Math.max(start, end - 1));
  const first = segments[from];
  const last = segments[to];
  if (!first || !last) return undefined;
  const range: [number, number] = [
    writtenAt(first.text, start - (starts[from] ?? 0)),
    writtenAt(last.text, end - (starts[to] ?? 0)),
  ];
  const text = segments
    .slice(from, to + 1)
    .map((segment) => segment.text)
    .join(" ");
  return { from, to, startMs: first.startMs, text, range };
}

/** Everywhere the words stand, in order, without regard to case and accents. */
export function searchTranscript(searchable: SearchableText, query: string, limit = 500): TranscriptHit[] {
  const wanted = fold(query).replace(/\s+/gu, " ").trim();
  const hits: TranscriptHit[] = [];
  if (wanted === "") return hits;
  for (
    let at = searchable.folded.indexOf(wanted);
    at !== -1;
    at = searchable.folded.indexOf(wanted, at + wanted.length)
  ) {
    const hit = hitAt(searchable, at, at + wanted.length);
    if (hit) hits.push(hit);
    if (hits.length >= limit) break;
  }
  return hits;
}

/** A quote may differ from what stands there by this share of its length: a comma, a hyphen, a word misheard. */
const MAX_ERROR_SHARE = 0.2;
/** Short quotes are found exactly or not at all: nearly anything is near them. */
const MIN_APPROXIMATE = 16;
/** Longer quotes are looked for by their beginning. */
const MAX_QUOTE = 400;

interface QuoteWish {
  quote: string;
  /** Where it is said to stand; of equal finds the nearest is taken. */
  nearMs?: number;
}

/** Where a quote stands: exactly, then nearly; undefined where nothing is near enough to be lit. */
export function findQuote(searchable: SearchableText, { quote, nearMs = 0 }: QuoteWish): TranscriptHit | undefined {
  const wanted = fold(quote).replace(/\s+/gu, " ").trim().slice(0, MAX_QUOTE);
  if (wanted === "") return undefined;
  const distance = (hit: TranscriptHit) => Math.abs(hit.startMs - nearMs);
  const nearest = (hits: readonly TranscriptHit[]) => hits.toSorted((a, b) => distance(a) - distance(b))[0];
  const exact = nearest(searchTranscript(searchable, wanted));
  if (exact || wanted.length < MIN_APPROXIMATE) return exact;
  const maxErrors = Math.floor(wanted.length * MAX_ERROR_SHARE);
  const matches = search(searchable.folded, wanted, maxErrors);
  const fewest = Math.min(...matches.map(({ errors }) => errors));
  const best = matches.filter(({ errors }) => errors === fewest).slice(0, 50);
  return nearest(best.flatMap(({ start, end }) => hitAt(searchable, start, end) ?? []));
}
