import { decodeEntities, plainCaption } from "./caption-text.ts";
import { cleanSegments } from "./rules.ts";
import type { ReceivedSegment, TranscriptSegment } from "./schema.ts";

/**
 * Parses captions in any of YouTube's formats: times in `srv3` and `json3` are milliseconds, in the classic format and
 * WebVTT seconds. Empty if there are no captions.
 */
export function parseYoutubeCaptions(body: string): TranscriptSegment[] {
  const text = body.trimStart();
  if (text.startsWith("{")) return cleanSegments(readJson3(text));
  if (text.startsWith("WEBVTT")) return cleanSegments(readVtt(text));
  if (/^<!doctype|^<html/i.test(text)) return [];
  return cleanSegments(/<timedtext|<p\s/.test(text) ? readSrv3(text) : readClassic(text));
}

const segmentText = (seg: unknown): string => {
  const { utf8 } = (seg ?? {}) as { utf8?: unknown };
  return typeof utf8 === "string" ? utf8 : "";
};
const numberOf = (value: unknown): number => (typeof value === "number" ? value : Number.NaN);

function readJson3(text: string): ReceivedSegment[] {
  const events = eventsOf(text);
  return events.flatMap((event) => {
    const { tStartMs, dDurationMs, segs } = event as { tStartMs?: unknown; dDurationMs?: unknown; segs?: unknown };
    if (!Array.isArray(segs)) return [];
    const captionText = segs.map(segmentText).join("");
    const startMs = numberOf(tStartMs);
    return [{ startMs, endMs: startMs + (numberOf(dDurationMs) || 0), text: captionText.slice(0, 4000) }];
  });
}

function eventsOf(text: string): unknown[] {
  try {
    const read = JSON.parse(text) as { events?: unknown } | null;
    return Array.isArray(read?.events)
      ? read.events.filter((event) => typeof event === "object" && event !== null)
      : [];
  } catch {
    return [];
  }
}

/** Attributes of a tag by name. */
function attributesOf(tag: string): Record<string, string> {
  return Object.fromEntries([...tag.matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g)].map((match) => [match[1], match[2]]));
}

function readTags(
  text: string,
  name: "p" | "text",
  read: (tag: Record<string, string>) => [number, number],
): ReceivedSegment[] {
  const pattern = new RegExp(`<${name}(\\s[^>]*)?>([\\s\\S]*?)</${name}>`, "g");
  return [...text.matchAll(pattern)].map((match) => {
    const [startMs, durationMs] = read(attributesOf(match[1] ?? ""));
    // Entities are escaped twice: "&amp;#39;" is an apostrophe.
    const captionText = decodeEntities(plainCaption(match[2] ?? ""));
    return { startMs, endMs: Number.isFinite(durationMs) ? startMs + durationMs : startMs, text: captionText };
  });
}

const asNumber = (value: string | undefined): number =>
  value === undefined || value === "" ? Number.NaN : Number(value);

const readSrv3 = (text: string) => readTags(text, "p", ({ t, d }) => [asNumber(t), asNumber(d)]);
const readClassic = (text: string) =>
  readTags(text, "text", ({ start, dur }) => [asNumber(start) * 1000, asNumber(dur) * 1000]);

const CUE = /^(?:(\d+):)?(\d{2}):(\d{2})[.,](\d{3})\s+-->\s+(?:(\d+):)?(\d{2}):(\d{2})[.,](\d{3})/;

const msOf = (h = 0, m = 0, s = 0, f = 0) => ((h * 60 + m) * 60 + s) * 1000 + f;

function readVtt(text: string): ReceivedSegment[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const lines = block.split(/\r?\n/);
    const at = lines.findIndex((line) => CUE.test(line));
    const times = CUE.exec(lines[at] ?? "");
    if (!times) return [];
    const [h1, m1, s1, f1, h2, m2, s2, f2] = times.slice(1).map((part) => Number(part ?? 0));
    return [
      { startMs: msOf(h1, m1, s1, f1), endMs: msOf(h2, m2, s2, f2), text: plainCaption(lines.slice(at + 1).join(" ")) },
    ];
  });
}
