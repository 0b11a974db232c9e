import { spawn } from "node:child_process";
import { access, constants, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, extname, join } from "node:path";

/** What speech servers take in one request, as OpenAI's does. */
export const MAX_SENT_BYTES = 25 * 1024 * 1024;
const SENT_AS_IT_IS = new Set([".mp4", ".m4a", ".webm", ".ogg", ".ogv", ".mp3", ".wav", ".mpeg", ".mpga", ".flac"]);
/** Twenty minutes of speech at 48 kbit/s are 7 MB. */
const PIECE_SECONDS = 1_200;
const TIMEOUT_MS = 20 * 60_000;

export const hearingMessages = {
  needsFfmpeg:
    "This video is too large to be sent to the speech server as it is. With ffmpeg installed on this server its sound alone would be sent.",
  wrongType:
    "Speech servers do not take this type of video. With ffmpeg installed on this server its sound would be sent.",
  noSound: "No sound could be read from this video.",
} as const;

/** A piece of sound and where in the video it begins. */
export interface Piece {
  path: string;
  name: string;
  startMs: number;
}

/** The system's own ffmpeg; undefined where there is none. */
export async function findFfmpeg(): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, "ffmpeg");
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere && folder !== "") return path;
  }
  return undefined;
}

interface Offered {
  name: string;
  sizeBytes: number;
}

/** Why a file cannot be heard here; null where it can. */
export function whyUnheard({ name, sizeBytes }: Offered, hasFfmpeg: boolean): string | null {
  if (hasFfmpeg) return null;
  if (!SENT_AS_IT_IS.has(extname(name).toLowerCase())) return hearingMessages.wrongType;
  return sizeBytes > MAX_SENT_BYTES ? hearingMessages.needsFfmpeg : null;
}

/** What may be uploaded: of all that ffmpeg reads, a list of addresses or of other files is none of it. */
const CONTAINERS = "mov,matroska,webm,avi,ogg";

/**
 * Reads the sound of a video into pieces with ffmpeg, which may open nothing but films in files, and is told nothing of
 * this process. Resolves to false where it fails.
 */
function extract(ffmpeg: string, path: string, folder: string, signal: AbortSignal): Promise<boolean> {
  const may = ["-protocol_whitelist", "file", "-format_whitelist", CONTAINERS];
  const input = ["-nostdin", "-v", "error", ...may, "-i", `file:${path}`];
  const sound = ["-vn", "-sn", "-dn", "-ac", "1", "-ar", "16000", "-b:a", "48k"];
  const pieces = ["-f", "segment", "-segment_time", String(PIECE_SECONDS), join(folder, "piece%04d.mp3")];
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  return new Promise((resolve) => {
    const child = spawn(ffmpeg, [...input, ...sound, ...pieces], {
      env: {},
      stdio: "ignore",
      signal: AbortSignal.any([signal, timeout]),
      killSignal: "SIGKILL",
    });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

/** The sound of a video as it may be sent, in pieces; the caller calls `release` afterwards. */
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
