import { parseText } from "media-captions";
import { plainCaption } from "./caption-text.ts";
import { cleanSegments } from "./rules.ts";
import type { TranscriptSegment } from "./schema.ts";

export const MAX_CAPTION_BYTES = 8 * 1024 * 1024;

/** Encodings of old captions files, in the order in which they are tried. */
const EAST_ASIAN = ["gb18030", "big5", "shift_jis", "euc-kr"] as const;

const tryDecode = (encoding: string, bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Bytes above ASCII are usually isolated in Western text, and in runs in other scripts. */
function runsOfHighBytes(bytes: Uint8Array): { single: number; long: number } {
  const runs = { single: 0, long: 0 };
  let length = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    if ((bytes[at] ?? 0) >= 0x80) length += 1;
    else {
      if (length === 1) runs.single += 1;
      if (length > 1) runs.long += 1;
      length = 0;
    }
  }
  return runs;
}

/**
 * The text of a captions file in UTF-8, UTF-16 with a byte order mark, or an encoding guessed from its bytes; undefined
 * if it is not text.
 */
export function decodeCaptions(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const utf8 = tryDecode("utf-8", bytes);
  if (utf8 !== undefined) return utf8;
  const { single, long } = runsOfHighBytes(bytes);
  if (single > long) return new TextDecoder("windows-1252").decode(bytes);
  for (const encoding of EAST_ASIAN) {
    const text = tryDecode(encoding, bytes);
    if (text !== undefined) return text;
  }
  return new TextDecoder("windows-1251").decode(bytes);
}

type CaptionFault = "file_empty" | "captions_too_large" | "captions_unreadable" | "captions_without_times";
type ReadCaptions =
  | { ok: true; segments: TranscriptSegment[]; format: "vtt" | "srt" }
  | { ok: false; reason: CaptionFault };

const TIMING = /\d{1,3}:\d{2}(?::\d{2})?[.,]\d{1,3}[ \t]*-->/;

const CUE_TIMES =
  /^[ \t]*((?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3})[ \t]*-->[ \t]*((?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3})[ \t]*(.*)$/;

/**
 * Repairs faults that other players accept and our parser does not: missing spaces around the arrow or before the
 * settings, and cues that follow the header without an empty line.
 */
export function repairCueTimes(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(CUE_TIMES, "$1 --> $2 $3").trimEnd());
  const isHeaderOpen = lines[0]?.startsWith("WEBVTT") && lines[1]?.includes("-->");
  return (isHeaderOpen ? [lines[0], "", ...lines.slice(1)] : lines).join("\n");
}

/** Parses a captions file into plain text; markup is removed and never interpreted. */
export async function parseCaptions(bytes: Uint8Array): Promise<ReadCaptions> {
  if (bytes.length === 0) return { ok: false, reason: "file_empty" };
  if (bytes.length > MAX_CAPTION_BYTES) return { ok: false, reason: "captions_too_large" };
  const text = decodeCaptions(bytes)?.replace(/^\uFEFF/, "");
  if (text === undefined || !(text.trimStart().startsWith("WEBVTT") || TIMING.test(text)))
    return { ok: false, reason: "captions_unreadable" };
  const format = text.trimStart().startsWith("WEBVTT") ? "vtt" : "srt";
  const lines = text.trimStart().replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const { cues } = await parseText(repairCueTimes(lines), { type: format, strict: false, errors: false });
  const segments = cleanSegments(
    cues.map(({ startTime, endTime, text: cueText }) => ({
      startMs: startTime * 1000,
      endMs: endTime * 1000,
      text: plainCaption(cueText),
    })),
  );
  return segments.length === 0 ? { ok: false, reason: "captions_without_times" } : { ok: true, segments, format };
}

const pad = (value: number, length = 2) => String(value).padStart(length, "0");

function formatTimestamp(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const whole = `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
  return `${whole}.${pad(Math.floor(ms % 1000), 3)}`;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A transcript as a WebVTT file. */
export function toWebVtt(segments: readonly TranscriptSegment[]): string {
  const cues = segments.map(
    ({ startMs, endMs, text }) => `${formatTimestamp(startMs)} --> ${formatTimestamp(endMs)}\n${escaped(text)}`,
  );
  return `WEBVTT\n\n${cues.join("\n\n")}\n`;
}
