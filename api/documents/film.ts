import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Gate } from "#api/jobs/gate.ts";
import { findFfmpeg, runFfmpeg } from "./ffmpeg.ts";

/** What a film says of itself at its beginning. */
export interface FilmFacts {
  /** Undefined where the film has none, as a recording that was never finished. */
  durationMs: number | undefined;
  hasPicture: boolean;
}

const LOOK_MS = 10_000;
const DRAW_MS = 30_000;
/** Films often begin in black: the picture is taken a little later. */
const AT_SHARE = 0.1;
const AT_MOST_SECONDS = 8;
const NOTHING: FilmFacts = { durationMs: undefined, hasPicture: false };

/** One film is drawn at a time. */
const drawing = new Gate(1);

/** What a system's ffmpeg tells of a film; nothing where there is no ffmpeg, and of what is no film. */
export async function lookAtFilm(path: string): Promise<FilmFacts> {
  const ffmpeg = await findFfmpeg();
  if (ffmpeg === undefined) return NOTHING;
  // Without anything to make of it ffmpeg says what it is, and calls that a failure.
  return factsIn((await runFfmpeg({ ffmpeg, path, after: [], signal: AbortSignal.timeout(LOOK_MS) })).said);
}

/** Reads what ffmpeg says of a film. What a file holds is said further in, so that it cannot pass for this. */
export function factsIn(said: string): FilmFacts {
  const [, hours, minutes, seconds] = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+), /mu.exec(said) ?? [];
  const durationMs = Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000);
  return {
    durationMs: durationMs > 0 ? durationMs : undefined,
    hasPicture: /^ {2}Stream #0:\d+.*?: Video: /mu.test(said),
  };
}

/**
 * A frame near a film's beginning as a file that `look` may read; undefined where there is no ffmpeg, or no frame. At most
 * 640 pixels wide, upright, and as wide as it is shown.
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

/** Pixels of a film need not be square. */
const SHAPE = "scale=trunc(iw*sar/2)*2:ih,setsar=1,scale='min(640,iw)':-2";

async function draw({ ffmpeg, path, at, frame }: Record<"ffmpeg" | "path" | "frame", string> & { at: number }) {
  const before = ["-threads", "1", ...(at > 0 ? ["-ss", at.toFixed(3)] : [])];
  const after = ["-an", "-sn", "-dn", "-frames:v", "1", "-vf", SHAPE, "-f", "image2", "-update", "1", frame];
  await runFfmpeg({ ffmpeg, path, before, after, signal: AbortSignal.timeout(DRAW_MS) });
  // Past the last frame it makes nothing, and is content with that.
  return stat(frame).then(
    ({ size }) => size > 0,
    () => false,
  );
}
