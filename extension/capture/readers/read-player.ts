// Injected into YouTube's own world on the student's gesture, because only there is its player accessible.
import type { PlayerFacts, Track } from "./video-shapes.ts";

interface Player {
  getVideoData?(): unknown;
  getAudioTrack?(): unknown;
  getPlayerResponse?(): unknown;
}

const WAIT_MS = 3_000;
const LOOK_MS = 100;

/** Follows a path into a value of unknown shape. */
function at(value: unknown, ...names: string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

const textOf = (value: unknown, most: number): string => (typeof value === "string" ? value.slice(0, most) : "");
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** The first non-empty text among the values. */
const firstText = (most: number, ...values: unknown[]): string =>
  values.map((value) => textOf(value, most)).find((text) => text !== "") ?? "";

function trackOf(track: unknown): Track | undefined {
  const url = firstText(8000, at(track, "url"), at(track, "baseUrl"));
  const language = textOf(at(track, "languageCode"), 40);
  if (url === "" || language === "") return undefined;
  const [simple, runs] = [at(track, "name", "simpleText"), at(track, "name", "runs", "0", "text")];
  const name = firstText(200, at(track, "languageName"), simple, runs, language);
  return { url, language, name, isGenerated: at(track, "kind") === "asr" };
}

const tracksOf = (tracks: unknown) => listOf(tracks).flatMap((track) => trackOf(track) ?? []);

/** A caption URL that returns nothing unless the player has added its proof-of-origin token (`pot`). */
const isGated = ({ url }: Track) => /[?&]exp=xpe(?:&|$)/.test(url) && !/[?&]pot=/.test(url);
const isUsable = (tracks: readonly Track[]) => tracks.length > 0 && !tracks.every(isGated);

/** The page's initial data stays that of its first video: use it only if it is about this one. */
function responseOf(player: Player, videoId: string): unknown {
  const { ytInitialPlayerResponse: initial } = globalThis as { ytInitialPlayerResponse?: unknown };
  return [player.getPlayerResponse?.(), initial].find((each) => at(each, "videoDetails", "videoId") === videoId);
}

function chapterOf(marker: unknown): PlayerFacts["chapters"][number] | undefined {
  const title = textOf(at(marker, "chapterRenderer", "title", "simpleText"), 200);
  const startMs = at(marker, "chapterRenderer", "timeRangeStartMillis");
  return title !== "" && typeof startMs === "number" && startMs >= 0
    ? { startMs: Math.round(startMs), title }
    : undefined;
}

function chaptersOf(videoId: string): PlayerFacts["chapters"] {
  const { ytInitialData: data } = globalThis as { ytInitialData?: unknown };
  if (at(data, "currentVideoEndpoint", "watchEndpoint", "videoId") !== videoId) return [];
  const bar = at(data, "playerOverlays", "playerOverlayRenderer", "decoratedPlayerBarRenderer");
  const markers = at(bar, "decoratedPlayerBarRenderer", "playerBar", "multiMarkersPlayerBarRenderer", "markersMap");
  const marked = listOf(markers).map((map) => listOf(at(map, "value", "chapters")).flatMap((m) => chapterOf(m) ?? []));
  return marked.find((chapters) => chapters.length > 0)?.slice(0, 500) ?? [];
}

/** The player requests its captions with a delay; its own URLs carry the proof-of-origin token. */
async function tracksWithProof(player: Player, held: Track[]): Promise<Track[]> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until;) {
    const own = tracksOf(at(player.getAudioTrack?.(), "captionTracks"));
    const usable = [own, held].find(isUsable);
    if (usable) return usable;
    // Neither the player nor the page names any track.
    if (held.length === 0 && own.length === 0 && player.getAudioTrack) return [];
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return held;
}

/** Facts about the current video from the player; null if there is no player. */
export async function readPlayer(): Promise<PlayerFacts | null> {
  const player: (HTMLElement & Player) | null = document.getElementById("movie_player");
  const data = player?.getVideoData?.();
  const videoId = textOf(at(data, "video_id"), 40);
  if (!player || videoId === "") return null;
  const response = responseOf(player, videoId);
  const details = at(response, "videoDetails");
  const held = tracksOf(at(response, "captions", "playerCaptionsTracklistRenderer", "captionTracks"));
  const isLive = at(data, "isLive") === true || at(details, "isLive") === true;
  return {
    videoId,
    title: firstText(500, at(data, "title"), at(details, "title")),
    author: firstText(300, at(data, "author"), at(details, "author")) || null,
    description: textOf(at(details, "shortDescription"), 20_000),
    isLive,
    status: textOf(at(response, "playabilityStatus", "status"), 60),
    statusReason: textOf(at(response, "playabilityStatus", "reason"), 500),
    tracks: isLive ? [] : (await tracksWithProof(player, held)).slice(0, 300),
    chapters: chaptersOf(videoId),
  };
}
