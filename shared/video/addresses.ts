import type { ReasonKey } from "#shared/messages/reasons.ts";

type AddressFault = Extract<ReasonKey, `video_address_${string}`>;

/** The result of parsing an address. */
export type VideoAddress =
  | { kind: "youtube"; videoId: string; url: string; startMs: number | null }
  | { kind: "url"; url: string; name: string }
  | { kind: "refused"; reason: AddressFault };

const YOUTUBE_HOSTS = new Set([
  "youtube.com",
  "www.youtube.com",
  "m.youtube.com",
  "music.youtube.com",
  "youtu.be",
  "www.youtu.be",
  "youtube-nocookie.com",
  "www.youtube-nocookie.com",
]);
const VIDEO_ID = /^[\w-]{11}$/;
const VIDEO_FILE = /\.(?:mp4|m4v|webm|og[gv]|mov|avi)$/i;

const refuse = (reason: AddressFault): VideoAddress => ({ kind: "refused", reason });

/** "90", "90s" or "1h2m3s", in milliseconds. */
function parseStartTime(text: string | null): number | null {
  const match = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(text ?? "");
  if (!match || match[0] === "") return null;
  const [hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return ((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1000;
}

function parseYoutubeUrl(url: URL): VideoAddress {
  const parts = url.pathname.split("/").filter(Boolean);
  const isShort = url.hostname.endsWith("youtu.be");
  const videoId = isShort
    ? parts[0]
    : parts[0] === "watch" || parts[0] === undefined
      ? url.searchParams.get("v")
      : /^(?:shorts|embed|live|v|e)$/.test(parts[0])
        ? parts[1]
        : undefined;
  if (videoId && VIDEO_ID.test(videoId) && videoId !== "videoseries") {
    const startMs = parseStartTime(url.searchParams.get("t") ?? url.searchParams.get("start"));
    return { kind: "youtube", videoId: videoId, url: `https://www.youtube.com/watch?v=${videoId}`, startMs };
  }
  if (url.searchParams.has("list")) return refuse("video_address_playlist");
  if (/^(?:@|channel$|c$|user$)/.test(parts[0] ?? "")) return refuse("video_address_channel");
  return refuse("video_address_no_video");
}

function fileNameFromUrl(url: URL): string {
  const last = url.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last).slice(0, 200);
  } catch {
    return last.slice(0, 200);
  }
}

/**
 * Classifies a pasted address: a YouTube video in any URL form, a video file on the web, or the reason why it is
 * neither.
 */
export function parseVideoAddress(text: string): VideoAddress {
  const trimmed = text.trim();
  if (trimmed === "") return refuse("video_address_missing");
  const withScheme = /^(?:www\.|m\.)?(?:youtube\.com|youtu\.be)\//i.test(trimmed) ? `https://${trimmed}` : trimmed;
  if (!URL.canParse(withScheme)) return refuse("video_address_scheme");
  const url = new URL(withScheme);
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("video_address_scheme");
  if (url.username !== "" || url.password !== "") return refuse("video_address_password");
  if (YOUTUBE_HOSTS.has(url.hostname)) return parseYoutubeUrl(url);
  if (!VIDEO_FILE.test(url.pathname)) return refuse("video_address_unplayable");
  url.hash = "";
  return { kind: "url", url: url.href, name: fileNameFromUrl(url) };
}

/** The file id of a YouTube video's component, in place of a stored file's id. */
export const youtubeFileId = (videoId: string) => `youtube-${videoId}`;

/** The YouTube video of a component's file id; undefined for a stored file's id. */
export const videoIdOf = (fileId: string): string | undefined => /^youtube-([\w-]{11})$/.exec(fileId)?.[1];
