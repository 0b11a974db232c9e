import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Gate } from "#api/jobs/gate.ts";
import { findFfmpeg, runFfmpeg } from "./ffmpeg.ts";

/** Metadata of a video. */
export interface FilmFacts {
  /** Undefined if the file has none, such as an unfinished recording. */
  durationMs: number | undefined;
  hasPicture: boolean;
}

const LOOK_MS = 10_000;
const DRAW_MS = 30_000;
/** Videos often start with a black frame, so the thumbnail is taken a little later. */
const AT_SHARE = 0.1;
const AT_MOST_SECONDS = 8;
const NOTHING: FilmFacts = { durationMs: undefined, hasPicture: false };

/** Extracts one frame at a time. */
const drawing = new Gate(1);

/** Probes a video with the installed ffmpeg; returns no metadata without ffmpeg or for other files. */
export async function lookAtFilm(path: string): Promise<FilmFacts> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg === undefined) return NOTHING;
  // Without an output file, ffmpeg prints the metadata and exits with an error.
  return factsIn((await runFfmpeg({ ffmpeg, path, after: [], signal: AbortSignal.timeout(LOOK_MS) })).said);
}

/** Parses ffmpeg's output. The file's own metadata is indented further, so it cannot imitate these lines. */
export function factsIn(said: string): FilmFacts {
  const [, hours, minutes, seconds] = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+), /mu.exec(said) ?? [];
  const durationMs = Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000);
  return {
    durationMs: durationMs > 0 ? durationMs : undefined,
    hasPicture: /^ {2}Stream #0:\d+.*?: Video: /mu.test(said),
  };
}

/**
 * Extracts a frame near the start of a video and passes its file to `look`; undefined without ffmpeg or a frame. The
 * frame is at most 640 pixels wide, upright, and has the displayed aspect ratio.
 */
export async function withFrame<T>(path: string, look: (frame: string) => Promise<T>): Promise<T | undefined> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg === undefined) return undefined;
  return drawing.through(() => drawFrame(ffmpeg, path, look));
}

async function drawFrame<T>(ffmpeg: string, path: string, look: (frame: string) => Promise<T>): Promise<T | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "lamplight-frame-"));
  try {
    const frame = join(folder, "frame.jpg");
    const { durationMs = 0, hasPicture } = await lookAtFilm(path);
    const at = Math.min(AT_MOST_SECONDS, (durationMs / 1000) * AT_SHARE);
    const isDrawn =
      hasPicture && ((await draw({ ffmpeg, path, at, frame })) || (await draw({ ffmpeg, path, at: 0, frame })));
    return isDrawn ? await look(frame) : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Corrects for non-square pixels. */
const SHAPE = "scale=trunc(iw*sar/2)*2:ih,setsar=1,scale='min(640,iw)':-2";

async function draw({ ffmpeg, path, at, frame }: Record<"ffmpeg" | "path" | "frame", string> & { at: number }) {
  const before = ["-threads", "1", ...(at > 0 ? ["-ss", at.toFixed(3)] : [])];
  const after = ["-an", "-sn", "-dn", "-frames:v", "1", "-vf", SHAPE, "-f", "image2", "-update", "1", frame];
  await runFfmpeg({ ffmpeg, path, before, after, signal: AbortSignal.timeout(DRAW_MS) });
  // Past the last frame, ffmpeg writes no file but still exits successfully.
  return stat(frame).then(
    ({ size }) => size > 0,
    () => false,
  );
}
