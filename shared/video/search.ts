import search from "approx-string-match";
import type { Segment, TranscriptHit } from "./schema.ts";

/** A transcript as one searchable text, with a mapping back to its segments. */
export interface SearchableText {
  readonly segments: readonly Segment[];
  /** Without case and diacritics. */
  readonly folded: string;
  /** Start of each segment in `folded`. */
  readonly starts: readonly number[];
}

const MARKS = /\p{M}/gu;
const fold = (text: string) => text.normalize("NFKD").replaceAll(MARKS, "").toLowerCase();

/** Joins segments with a space, so that matches across lines are found. */
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

/** Maps an offset in the folded text back to the original text. */
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

/** All occurrences of the query, in order, ignoring case and diacritics. */
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

/** Maximum share of differing characters in a quote: a comma, a hyphen, a transcription error. */
const MAX_ERROR_SHARE = 0.2;
/** Shorter quotes must match exactly: they are similar to too much. */
const MIN_APPROXIMATE = 16;
/** Longer quotes are searched by their beginning. */
const MAX_QUOTE = 400;

interface QuoteWish {
  quote: string;
  /** Expected position; among equal matches the nearest is taken. */
  nearMs?: number;
}

/** Finds a quote exactly, then approximately; undefined if no match is close enough to highlight. */
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
