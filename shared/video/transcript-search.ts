import search from "approx-string-match";
import { foldText } from "#shared/text/fold-text.ts";
import type { TranscriptSegment, TranscriptHit } from "./schema.ts";

/** A transcript as one searchable text, with a mapping back to its segments. */
export interface SearchableText {
  readonly segments: readonly TranscriptSegment[];
  /** Without case and diacritics. */
  readonly folded: string;
  /** Start of each segment in `folded`. */
  readonly starts: readonly number[];
}

/** Joins segments with a space, so that matches across lines are found. */
export function buildSearchableText(segments: readonly TranscriptSegment[]): SearchableText {
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const { text } of segments) {
    starts.push(length);
    const folded = foldText(text);
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
function originalOffset(text: string, at: number): number {
  if (foldText(text).length === text.length) return Math.min(at, text.length);
  let folded = 0;
  let offset = 0;
  for (const character of text) {
    if (folded >= at) break;
    folded += foldText(character).length;
    offset += character.length;
  }
  return offset;
}

function hitAt(searchable: SearchableText, start: number, end: number): TranscriptHit | undefined {
  const { segments, starts } = searchable;
  const from = lastStartBefore(starts, start);
  const to = lastStartBefore(starts, Math.max(start, end - 1));
  const first = segments[from];
  const last = segments[to];
  if (!first || !last) return undefined;
  const range: [number, number] = [
    originalOffset(first.text, start - (starts[from] ?? 0)),
    originalOffset(last.text, end - (starts[to] ?? 0)),
  ];
  const text = segments
    .slice(from, to + 1)
    .map((segment) => segment.text)
    .join(" ");
  return { from, to, startMs: first.startMs, text, range };
}

/** All occurrences of the query, in order, ignoring case and diacritics. */
export function searchTranscript(searchable: SearchableText, query: string, limit = 500): TranscriptHit[] {
  const foldedQuery = foldText(query).replace(/\s+/gu, " ").trim();
  const hits: TranscriptHit[] = [];
  if (foldedQuery === "") return hits;
  for (
    let at = searchable.folded.indexOf(foldedQuery);
    at !== -1;
    at = searchable.folded.indexOf(foldedQuery, at + foldedQuery.length)
  ) {
    const hit = hitAt(searchable, at, at + foldedQuery.length);
    if (hit) hits.push(hit);
    if (hits.length >= limit) break;
  }
  return hits;
}

/** Maximum share of differing characters in a quote: a comma, a hyphen, a transcription error. */
const MAX_ERROR_SHARE = 0.2;
/** Shorter quotes must match exactly, because too many texts are similar to them. */
const MIN_APPROXIMATE = 16;
/** Longer quotes are searched by their beginning. */
const MAX_QUOTE = 400;

interface QuoteQuery {
  quote: string;
  /** Expected position; among equal matches the nearest is taken. */
  nearMs?: number;
}

/** Finds a quote exactly, then approximately; undefined if no match is close enough to highlight. */
export function findTranscriptQuote(
  searchable: SearchableText,
  { quote, nearMs = 0 }: QuoteQuery,
): TranscriptHit | undefined {
  const foldedQuery = foldText(quote).replace(/\s+/gu, " ").trim().slice(0, MAX_QUOTE);
  if (foldedQuery === "") return undefined;
  const distance = (hit: TranscriptHit) => Math.abs(hit.startMs - nearMs);
  const nearest = (hits: readonly TranscriptHit[]) => hits.toSorted((a, b) => distance(a) - distance(b))[0];
  const exact = nearest(searchTranscript(searchable, foldedQuery));
  if (exact || foldedQuery.length < MIN_APPROXIMATE) return exact;
  const maxErrors = Math.floor(foldedQuery.length * MAX_ERROR_SHARE);
  const matches = search(searchable.folded, foldedQuery, maxErrors);
  const fewest = Math.min(...matches.map(({ errors }) => errors));
  const best = matches.filter(({ errors }) => errors === fewest).slice(0, 50);
  return nearest(best.flatMap(({ start, end }) => hitAt(searchable, start, end) ?? []));
}
