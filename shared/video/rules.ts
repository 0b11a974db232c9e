import type { ReceivedSegment, TranscriptSegment } from "./schema.ts";
import { MAX_SEGMENTS, MAX_TIME_MS } from "./schema.ts";

/** Maximum duration of a line without an end time, which otherwise lasts until the next line. */
const MAX_LINE_MS = 4_000;

const isTime = (ms: number) => Number.isFinite(ms) && ms <= MAX_TIME_MS;

/**
 * Normalises segments for storage: in order, not blank, with valid whole times. A line without duration lasts until the
 * next one. Consecutive repeats, as in scrolling captions, are merged.
 */
export function cleanSegments(received: readonly ReceivedSegment[]): TranscriptSegment[] {
  const usable = received.flatMap(({ startMs, endMs, text }) => {
    const words = text.replaceAll("\0", "").replace(/\s+/gu, " ").trim();
    if (words === "" || !isTime(startMs)) return [];
    const start = Math.max(0, Math.round(startMs));
    return [{ startMs: start, endMs: isTime(endMs) ? Math.max(start, Math.round(endMs)) : start, text: words }];
  });
  const ordered = usable.toSorted((a, b) => a.startMs - b.startMs);
  const cleaned: TranscriptSegment[] = [];
  for (const [at, segment] of ordered.entries()) {
    const last = cleaned.at(-1);
    if (last?.text === segment.text && segment.startMs <= last.endMs + 100) {
      last.endMs = Math.max(last.endMs, segment.endMs);
      continue;
    }
    const next = ordered[at + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    const endMs =
      segment.endMs > segment.startMs
        ? segment.endMs
        : Math.min(segment.startMs + MAX_LINE_MS, Math.max(next, segment.startMs));
    cleaned.push({ ...segment, endMs: Math.min(endMs, MAX_TIME_MS) });
  }
  return cleaned.slice(0, MAX_SEGMENTS);
}

/** The segment spoken at a time: the last one that has started; -1 before the first. Segments must be in order. */
export function segmentAt(segments: readonly Pick<TranscriptSegment, "startMs">[], ms: number): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle]?.startMs ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** "1:02:03", "2:03", "0:07". */
export function formatTimecode(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const tail = String(seconds).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** Whether two language tags match; "pt-BR" and "pt" do. */
export const isSameLanguage = (a: string, b: string) => {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return left === right || left.split("-")[0] === right.split("-")[0];
};

interface TranscriptChoice {
  language: string;
  source: string;
  madeAt: number;
}

/** Priority of sources: provided by the student, then YouTube, then speech recognition. */
const sourcePriority = ({ source }: TranscriptChoice) => (source === "youtube" ? 1 : source === "speech" ? 2 : 0);

/**
 * Chooses a transcript of the requested language and source: the exact language first, then by source priority, then
 * the newest.
 */
export function chooseTranscript<T extends TranscriptChoice>(
  transcripts: readonly T[],
  filter: { language?: string | undefined; source?: string | undefined },
): T | undefined {
  const { language, source } = filter;
  const fitting = transcripts.filter(
    (t) =>
      (source === undefined || t.source === source) && (language === undefined || isSameLanguage(t.language, language)),
  );
  const isExact = (t: T) => language === undefined || t.language.toLowerCase() === language.toLowerCase();
  return fitting.toSorted(
    (a, b) => Number(isExact(b)) - Number(isExact(a)) || sourcePriority(a) - sourcePriority(b) || b.madeAt - a.madeAt,
  )[0];
}
