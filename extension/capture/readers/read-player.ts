// Injected into YouTube's own world on the student's gesture, because only there is its player accessible.
import type { PlayerFacts, Track } from "./video-shapes.ts";

interface Player {
  getVideoData?(): unknown;
  getAudioTrack?(): unknown;
  getPlayerResponse?(): unknown;
}

const WAIT_MS = 3_000;
const POLL_INTERVAL_MS = 100;

/** Follows a path into a value of unknown shape. */
function valueAt(value: unknown, ...names: string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

const textOf = (value: unknown, maxLength: number): string =>
  typeof value === "string" ? value.slice(0, maxLength) : "";
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** The first non-empty text among the values. */
const firstText = (maxLength: number, ...values: unknown[]): string =>
  values.map((value) => textOf(value, maxLength)).find((text) => text !== "") ?? "";

function parseTrack(track: unknown): Track | undefined {
  const url = firstText(8000, valueAt(track, "url"), valueAt(track, "baseUrl"));
  const language = textOf(valueAt(track, "languageCode"), 40);
  if (url === "" || language === "") return undefined;
  const [simple, runs] = [valueAt(track, "name", "simpleText"), valueAt(track, "name", "runs", "0", "text")];
  const name = firstText(200, valueAt(track, "languageName"), simple, runs, language);
  return { url, language, name, isGenerated: valueAt(track, "kind") === "asr" };
}

const tracksOf = (tracks: unknown) => listOf(tracks).flatMap((track) => parseTrack(track) ?? []);

/** A caption URL that returns nothing unless the player has added its proof-of-origin token (`pot`). */
const isGated = ({ url }: Track) => /[?&]exp=xpe(?:&|$)/.test(url) && !/[?&]pot=/.test(url);
const isUsable = (tracks: readonly Track[]) => tracks.length > 0 && !tracks.every(isGated);

/** The page's initial data describes the first video that was opened, so it is used only if it is about this video. */
function responseOf(player: Player, videoId: string): unknown {
  const { ytInitialPlayerResponse: initial } = globalThis as { ytInitialPlayerResponse?: unknown };
  return [player.getPlayerResponse?.(), initial].find(
    (response) => valueAt(response, "videoDetails", "videoId") === videoId,
  );
}

function parseChapter(marker: unknown): PlayerFacts["chapters"][number] | undefined {
  const title = textOf(valueAt(marker, "chapterRenderer", "title", "simpleText"), 200);
  const startMs = valueAt(marker, "chapterRenderer", "timeRangeStartMillis");
  return title !== "" && typeof startMs === "number" && startMs >= 0
    ? { startMs: Math.round(startMs), title }
    : undefined;
}

function chaptersOf(videoId: string): PlayerFacts["chapters"] {
  const { ytInitialData: data } = globalThis as { ytInitialData?: unknown };
  if (valueAt(data, "currentVideoEndpoint", "watchEndpoint", "videoId") !== videoId) return [];
  const bar = valueAt(data, "playerOverlays", "playerOverlayRenderer", "decoratedPlayerBarRenderer");
  const markers = valueAt(
    bar,
    "decoratedPlayerBarRenderer",
    "playerBar",
    "multiMarkersPlayerBarRenderer",
    "markersMap",
  );
  const chapterLists = listOf(markers).map((map) =>
    listOf(valueAt(map, "value", "chapters")).flatMap((m) => parseChapter(m) ?? []),
  );
  return chapterLists.find((chapters) => chapters.length > 0)?.slice(0, 500) ?? [];
}

/** The player requests its captions with a delay; its own URLs carry the proof-of-origin token. */
async function tracksWithProof(player: Player, pageTracks: Track[]): Promise<Track[]> {
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline;) {
    const playerTracks = tracksOf(valueAt(player.getAudioTrack?.(), "captionTracks"));
    const usable = [playerTracks, pageTracks].find(isUsable);
    if (usable) return usable;
    // Neither the player nor the page names any track.
    if (pageTracks.length === 0 && playerTracks.length === 0 && player.getAudioTrack) return [];
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  return pageTracks;
}

/** Facts about the current video from the player; null if there is no player. */
export async function readPlayer(): Promise<PlayerFacts | null> {
  const player: (HTMLElement & Player) | null = document.getElementById("movie_player");
  const data = player?.getVideoData?.();
  const videoId = textOf(valueAt(data, "video_id"), 40);
  if (!player || videoId === "") return null;
  const response = responseOf(player, videoId);
  const details = valueAt(response, "videoDetails");
  const pageTracks = tracksOf(valueAt(response, "captions", "playerCaptionsTracklistRenderer", "captionTracks"));
  const isLive = valueAt(data, "isLive") === true || valueAt(details, "isLive") === true;
  return {
    videoId,
    title: firstText(500, valueAt(data, "title"), valueAt(details, "title")),
    author: firstText(300, valueAt(data, "author"), valueAt(details, "author")) || null,
    description: textOf(valueAt(details, "shortDescription"), 20_000),
    isLive,
    status: textOf(valueAt(response, "playabilityStatus", "status"), 60),
    statusReason: textOf(valueAt(response, "playabilityStatus", "reason"), 500),
    tracks: isLive ? [] : (await tracksWithProof(player, pageTracks)).slice(0, 300),
    chapters: chaptersOf(videoId),
  };
}
