import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import type { Component } from "#shared/pages/schema.ts";

/** What a browser can tell of a film that it can play. */
export interface FilmFacts {
  durationMs: number | undefined;
  /** A frame near the beginning, as a picture. */
  poster: Blob | undefined;
}

const NOTHING: FilmFacts = { durationMs: undefined, poster: undefined };
/** A film whose first frames take longer than this goes without them. */
const PATIENCE_MS = 15_000;
const WIDEST = 640;
/** Films often begin in black: the picture is taken a little later. */
const AT_SHARE = 0.1;
const AT_MOST_SECONDS = 8;

const once = (target: EventTarget, name: string, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    target.addEventListener(name, () => resolve(), { once: true, signal });
    target.addEventListener("error", () => reject(new Error("This film cannot be played here")), {
      once: true,
      signal,
    });
    signal.addEventListener("abort", () => reject(new Error("This film took too long")), { once: true });
  });

/** What stands on the screen of a player now; undefined where it shows nothing. */
export async function frameOf(video: HTMLVideoElement): Promise<Blob | undefined> {
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0 || videoHeight === 0) return undefined;
  const scale = Math.min(1, WIDEST / videoWidth);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(videoWidth * scale);
  canvas.height = Math.round(videoHeight * scale);
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return (await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.82))) ?? undefined;
}

/** Length and picture of a film on this device; nothing where the browser cannot play it. */
export async function lookAtFilm(file: Blob): Promise<FilmFacts> {
  const video = document.createElement("video");
  const address = URL.createObjectURL(file);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  let durationMs: number | undefined;
  try {
    video.muted = true;
    video.preload = "auto";
    video.src = address;
    await once(video, "loadeddata", signal);
    durationMs = wholeMs(video.duration);
    video.currentTime = Math.min(AT_MOST_SECONDS, Number.isFinite(video.duration) ? video.duration * AT_SHARE : 0);
    await once(video, "seeked", signal);
    return { durationMs, poster: await frameOf(video) };
  } catch {
    // A kind that this browser does not play is stored all the same.
    return durationMs === undefined ? NOTHING : { durationMs, poster: undefined };
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(address);
  }
}

/** A recording that was never finished has no length. */
export const wholeMs = (seconds: number) =>
  Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : undefined;

/** Hands in what was seen of a film; answers with its component as it is then, undefined where that did not work. */
export async function tellFilm(componentId: string, { durationMs, poster }: FilmFacts): Promise<Component | undefined> {
  if (durationMs === undefined && !poster) return undefined;
  const files = poster ? [{ field: "file", file: poster, name: "frame.jpg" }] : [];
  try {
    const about = durationMs === undefined ? {} : { durationMs };
    return (await client.pages.putVideoThumbnail({ componentId, ...about }, files)).component;
  } catch (error) {
    logTrouble("The picture of a video could not be handed in", error);
    return undefined;
  }
}
