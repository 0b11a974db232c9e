import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { findFfmpeg, runFfmpeg } from "#api/documents/ffmpeg.ts";
import type { PlainReasonKey } from "#shared/messages/reasons.ts";

/** Request size limit of speech servers; the same as OpenAI's. */
export const MAX_SENT_BYTES = 25 * 1024 * 1024;
const SENT_AS_IT_IS = new Set([".mp4", ".m4a", ".webm", ".ogg", ".ogv", ".mp3", ".wav", ".mpeg", ".mpga", ".flac"]);
/** 20 minutes of speech at 48 kbit/s are 7 MB. */
const PIECE_SECONDS = 1_200;
const TIMEOUT_MS = 20 * 60_000;

/** A piece of sound and where in the video it begins. */
export interface Piece {
  path: string;
  name: string;
  startMs: number;
}

interface Offered {
  name: string;
  sizeBytes: number;
}

/** Why a file cannot be heard here; null where it can. */
export function whyUnheard({ name, sizeBytes }: Offered, hasFfmpeg: boolean): PlainReasonKey | null {
  if (hasFfmpeg) return null;
  if (!SENT_AS_IT_IS.has(extname(name).toLowerCase())) return "speech_wrong_type";
  return sizeBytes > MAX_SENT_BYTES ? "speech_needs_ffmpeg" : null;
}

/** Splits a video's audio into chunks. Resolves to false on failure. */
async function extract(ffmpeg: string, path: string, folder: string, signal: AbortSignal): Promise<boolean> {
  const sound = ["-v", "error", "-vn", "-sn", "-dn", "-ac", "1", "-ar", "16000", "-b:a", "48k"];
  const pieces = ["-f", "segment", "-segment_time", String(PIECE_SECONDS), join(folder, "piece%04d.mp3")];
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const { code } = await runFfmpeg({ ffmpeg, path, after: [...sound, ...pieces], signal: limit });
  return code === 0;
}

/** The audio of a video in chunks; the caller must call `release` afterwards. */
export async function soundOf(
  path: string,
  name: string,
  signal: AbortSignal,
): Promise<{ pieces: Piece[]; release: () => Promise<void> }> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg === undefined) return { pieces: [{ path, name, startMs: 0 }], release: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "lamplight-sound-"));
  const release = () => rm(folder, { recursive: true, force: true });
  try {
    const isRead = await extract(ffmpeg, path, folder, signal);
    const names = isRead ? (await readdir(folder)).toSorted() : [];
    const pieces = names.map((piece, i) => ({
      path: join(folder, piece),
      name: piece,
      startMs: i * PIECE_SECONDS * 1000,
    }));
    return { pieces, release };
  } catch (error) {
    await release();
    throw error;
  }
}
