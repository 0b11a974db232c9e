import { videoIdOf } from "#shared/video/addresses.ts";
import type { FileContent } from "./schema.ts";

const isWebAddress = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
const isYoutubeAddress = (url: string) =>
  isWebAddress(url) && /(?:^|\.)(?:youtube\.com|youtube-nocookie\.com|youtu\.be)$/.test(new URL(url).hostname);

/** Address of a file component's media: our own file route, unless it is a video on another site. */
function addressOf({ file, url, videoType }: FileContent): string {
  const videoId = videoIdOf(file.id);
  if (videoId !== undefined) return isYoutubeAddress(url) ? url : `https://www.youtube.com/watch?v=${videoId}`;
  if (videoType === "url" && isWebAddress(url)) return url;
  if (file.id === "") return isWebAddress(url) ? url : "";
  return `/v1/files/${encodeURIComponent(file.id)}`;
}

const ownThumbnail = (thumbnail: string | null) => (thumbnail?.startsWith("/v1/") === true ? thumbnail : null);

/**
 * The content with addresses of our own, because a client may send any address, and anyone who opens the page would
 * load it. Videos on other sites keep their addresses, because every player asks before it loads such a video.
 */
export function withOwnAddresses<T extends FileContent>(content: T): T {
  const url = addressOf(content);
  const thumbnail = ownThumbnail(content.thumbnail);
  const isOwnFile = content.videoType === "url" && url.startsWith("/v1/");
  if (url === content.url && thumbnail === content.thumbnail && !isOwnFile) return content;
  return { ...content, url, thumbnail, ...(isOwnFile ? { videoType: "file" as const } : {}) };
}
