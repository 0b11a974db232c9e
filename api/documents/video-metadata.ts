import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Semaphore } from "#api/semaphore.ts";
import { findFfmpeg, runFfmpeg } from "./ffmpeg.ts";

/** Metadata of a video. */
export interface VideoInfo {
  /** Undefined if the file has none, such as an unfinished recording. */
  durationMs: number | undefined;
  hasPicture: boolean;
}

const PROBE_TIMEOUT_MS = 10_000;
const FRAME_TIMEOUT_MS = 30_000;
/** Videos often start with a black frame, so the thumbnail is taken a little later. */
const FRAME_POSITION_SHARE = 0.1;
const MAX_FRAME_POSITION_SECONDS = 8;
const NO_INFO: VideoInfo = { durationMs: undefined, hasPicture: false };

const frameSemaphore = new Semaphore(1);

/** Probes a video with the installed ffmpeg; returns no metadata without ffmpeg or for other files. */
export async function probeVideo(path: string): Promise<VideoInfo> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg === undefined) return NO_INFO;
  // Without an output file, ffmpeg prints the metadata and exits with an error.
  return parseVideoInfo(
    (await runFfmpeg({ ffmpeg, path, outputOptions: [], signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })).output,
  );
}

/** Parses ffmpeg's output. The file's own metadata is indented further, so it cannot imitate these lines. */
export function parseVideoInfo(output: string): VideoInfo {
  const [, hours, minutes, seconds] = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+), /mu.exec(output) ?? [];
  const durationMs = Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000);
  return {
    durationMs: durationMs > 0 ? durationMs : undefined,
    hasPicture: /^ {2}Stream #0:\d+.*?: Video: /mu.test(output),
  };
}

/**
 * Extracts a frame near the start of a video and passes its file to `read`; undefined without ffmpeg or a frame. The
 * frame is at most 640 pixels wide, upright, and has the displayed aspect ratio.
 */
export async function withVideoFrame<T>(path: string, read: (frame: string) => Promise<T>): Promise<T | undefined> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg === undefined) return undefined;
  return frameSemaphore.run(() => extractFrame(ffmpeg, path, read));
}

async function extractFrame<T>(
  ffmpeg: string,
  path: string,
  read: (frame: string) => Promise<T>,
): Promise<T | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "lamplight-frame-"));
  try {
    const frame = join(folder, "frame.jpg");
    const { durationMs = 0, hasPicture } = await probeVideo(path);
    const positionSeconds = Math.min(MAX_FRAME_POSITION_SECONDS, (durationMs / 1000) * FRAME_POSITION_SHARE);
    const hasFrame =
      hasPicture &&
      ((await writeFrame({ ffmpeg, path, positionSeconds, frame })) ||
        (await writeFrame({ ffmpeg, path, positionSeconds: 0, frame })));
    return hasFrame ? await read(frame) : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Corrects for non-square pixels. */
const SCALE_FILTER = "scale=trunc(iw*sar/2)*2:ih,setsar=1,scale='min(640,iw)':-2";

async function writeFrame({
  ffmpeg,
  path,
  positionSeconds,
  frame,
}: Record<"ffmpeg" | "path" | "frame", string> & { positionSeconds: number }) {
  const before = ["-threads", "1", ...(positionSeconds > 0 ? ["-ss", positionSeconds.toFixed(3)] : [])];
  const after = ["-an", "-sn", "-dn", "-frames:v", "1", "-vf", SCALE_FILTER, "-f", "image2", "-update", "1", frame];
  await runFfmpeg({
    ffmpeg,
    path,
    inputOptions: before,
    outputOptions: after,
    signal: AbortSignal.timeout(FRAME_TIMEOUT_MS),
  });
  // Past the last frame, ffmpeg writes no file but still exits successfully.
  return stat(frame).then(
    ({ size }) => size > 0,
    () => false,
  );
}
