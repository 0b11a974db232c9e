// Injected into the isolated world: finds the page's video and its current position.
import { readMetadata } from "./read-page-content.ts";
import type { Moment } from "./video-shapes.ts";

/** The largest video on the page, because the others are previews and advertisements. */
export function findMainVideo(): HTMLVideoElement | undefined {
  const sized = [...document.querySelectorAll("video")].map((video) => {
    const { width, height } = video.getBoundingClientRect();
    return { video, size: width * height };
  });
  return sized.toSorted((a, b) => b.size - a.size)[0]?.video;
}

const toMs = (seconds: number) => (Number.isFinite(seconds) ? Math.round(seconds * 1000) : null);

export function readMoment(): Moment | null {
  const video = findMainVideo();
  if (!video) return null;
  const { address, title, author } = readMetadata();
  const source = /^https?:/.test(video.currentSrc) ? video.currentSrc.slice(0, 4000) : null;
  return { address, title, author, source, atMs: toMs(video.currentTime) ?? 0, durationMs: toMs(video.duration) };
}
