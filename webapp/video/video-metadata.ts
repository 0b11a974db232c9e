import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import type { Component } from "#shared/pages/schema.ts";

/** The metadata that the browser can read from a playable video. */
export interface VideoMetadata {
  durationMs: number | undefined;
  /** A frame from near the beginning. */
  poster: Blob | undefined;
}

const NO_METADATA: VideoMetadata = { durationMs: undefined, poster: undefined };
/** If the first frames take longer than this to load, the video has no poster. */
const TIMEOUT_MS = 15_000;
const MAX_POSTER_WIDTH = 640;
/** Videos often start with black frames, so the poster is taken a little later. */
const POSTER_POSITION_SHARE = 0.1;
const MAX_POSTER_POSITION_SECONDS = 8;

const waitForEvent = (target: EventTarget, name: string, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    target.addEventListener(name, () => resolve(), { once: true, signal });
    target.addEventListener("error", () => reject(new Error("This video cannot be played in this browser")), {
      once: true,
      signal,
    });
    signal.addEventListener("abort", () => reject(new Error("Loading the video timed out")), { once: true });
  });

/** The current frame of a video; undefined if it shows nothing. */
export async function captureFrame(video: HTMLVideoElement): Promise<Blob | undefined> {
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0 || videoHeight === 0) return undefined;
  const scale = Math.min(1, MAX_POSTER_WIDTH / videoWidth);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(videoWidth * scale);
  canvas.height = Math.round(videoHeight * scale);
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return (await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.82))) ?? undefined;
}

/** Reads a local video's duration and poster; empty if the browser cannot play it. */
export async function probeVideo(file: Blob): Promise<VideoMetadata> {
  const video = document.createElement("video");
  const url = URL.createObjectURL(file);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let durationMs: number | undefined;
  try {
    video.muted = true;
    video.preload = "auto";
    video.src = url;
    await waitForEvent(video, "loadeddata", signal);
    durationMs = toMilliseconds(video.duration);
    video.currentTime = Math.min(
      MAX_POSTER_POSITION_SECONDS,
      Number.isFinite(video.duration) ? video.duration * POSTER_POSITION_SHARE : 0,
    );
    await waitForEvent(video, "seeked", signal);
    return { durationMs, poster: await captureFrame(video) };
  } catch {
    // A video that this browser cannot play is stored without metadata.
    return durationMs === undefined ? NO_METADATA : { durationMs, poster: undefined };
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(url);
  }
}

/** Undefined for a recording that was never finalised, because it has no duration. */
export const toMilliseconds = (seconds: number) =>
  Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : undefined;

/** Uploads the duration and poster; returns the updated component, or undefined on failure. */
export async function sendProbe(
  componentId: string,
  { durationMs, poster }: VideoMetadata,
): Promise<Component | undefined> {
  if (durationMs === undefined && !poster) return undefined;
  const files = poster ? [{ field: "file", file: poster, name: "frame.jpg" }] : [];
  try {
    const duration = durationMs === undefined ? {} : { durationMs };
    return (await client.uploads.putVideoThumbnail({ componentId, ...duration }, files)).component;
  } catch (error) {
    logWarning("Could not upload the poster of a video", error);
    return undefined;
  }
}
