import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { findFfmpeg, runFfmpeg } from "#api/documents/ffmpeg.ts";
import type { PlainReasonKey } from "#shared/messages/reasons.ts";

/** Request size limit of speech servers; the same as OpenAI's. */
export const MAX_REQUEST_BYTES = 25 * 1024 * 1024;
const SUPPORTED_EXTENSIONS = new Set([
  ".mp4",
  ".m4a",
  ".webm",
  ".ogg",
  ".ogv",
  ".mp3",
  ".wav",
  ".mpeg",
  ".mpga",
  ".flac",
]);
/** 20 minutes of speech at 48 kbit/s are 7 MB. */
const CHUNK_SECONDS = 1_200;
const TIMEOUT_MS = 20 * 60_000;

/** A part of the audio, and where in the video it starts. */
export interface AudioChunk {
  path: string;
  name: string;
  startMs: number;
}

interface AudioFile {
  name: string;
  sizeBytes: number;
}

/** Why a file cannot be transcribed on this server; null if it can. */
export function findTranscriptionProblem({ name, sizeBytes }: AudioFile, hasFfmpeg: boolean): PlainReasonKey | null {
  if (hasFfmpeg) return null;
  if (!SUPPORTED_EXTENSIONS.has(extname(name).toLowerCase())) return "speech_wrong_type";
  return sizeBytes > MAX_REQUEST_BYTES ? "speech_needs_ffmpeg" : null;
}

/** Splits a video's audio into chunks. Resolves to false on failure. */
async function extractAudio(ffmpeg: string, path: string, folder: string, signal: AbortSignal): Promise<boolean> {
  const audioArgs = ["-v", "error", "-vn", "-sn", "-dn", "-ac", "1", "-ar", "16000", "-b:a", "48k"];
  const chunks = ["-f", "segment", "-segment_time", String(CHUNK_SECONDS), join(folder, "piece%04d.mp3")];
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const { code } = await runFfmpeg({ ffmpeg, path, outputOptions: [...audioArgs, ...chunks], signal: limit });
  return code === 0;
}

/** The audio of a video in chunks; the caller must call `release` afterwards. */
export async function readAudio(
  path: string,
  name: string,
  signal: AbortSignal,
): Promise<{ chunks: AudioChunk[]; release: () => Promise<void> }> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg === undefined) return { chunks: [{ path, name, startMs: 0 }], release: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "lamplight-sound-"));
  const release = () => rm(folder, { recursive: true, force: true });
  try {
    const isExtracted = await extractAudio(ffmpeg, path, folder, signal);
    const names = isExtracted ? (await readdir(folder)).toSorted() : [];
    const chunks = names.map((chunkName, index) => ({
      path: join(folder, chunkName),
      name: chunkName,
      startMs: index * CHUNK_SECONDS * 1000,
    }));
    return { chunks, release };
  } catch (error) {
    await release();
    throw error;
  }
}
