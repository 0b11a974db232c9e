// Injected into the isolated world: reads the captions of the page's video.
import { chooseTrack } from "./choose-track.ts";
import { findMainVideo } from "./read-moment.ts";
import type { NoCaptions, PlayerFacts, ReadCaptions } from "./video-shapes.ts";
import { readYoutube } from "./youtube-captions.ts";

export interface VideoQuery {
  /** Facts from YouTube's player; null on any other page. */
  player: PlayerFacts | null;
  /** In order of preference. */
  languages: string[];
}

const CUE_TIMEOUT_MS = 5_000;

const noCaptions = (reason: NoCaptions): ReadCaptions => ({
  language: "und",
  name: "",
  isGenerated: false,
  body: null,
  lines: null,
  reason,
  offered: [],
  chapters: [],
});

/** Loads a track's cues, which arrive with a delay, and restores its mode. */
async function loadCues(track: TextTrack): Promise<VTTCue[]> {
  const previousMode = track.mode;
  if (previousMode === "disabled") track.mode = "hidden";
  for (const deadline = Date.now() + CUE_TIMEOUT_MS; Date.now() < deadline && (track.cues?.length ?? 0) === 0;)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const cues = [...(track.cues ?? [])].flatMap((cue) => (cue instanceof VTTCue ? cue : []));
  track.mode = previousMode;
  return cues;
}

const lineOf = ({ startTime, endTime, text }: VTTCue) => ({
  startMs: startTime * 1000,
  endMs: endTime * 1000,
  text: text.slice(0, 4000),
});

/** Reads the caption tracks of a video on any site. */
async function readTracks(video: HTMLVideoElement, languages: readonly string[]): Promise<ReadCaptions> {
  const all = [...video.textTracks];
  const captionTracks = all
    .filter(({ kind }) => kind === "captions" || kind === "subtitles")
    .map((track) => ({
      track,
      language: (track.language || "und").slice(0, 40),
      name: track.label.slice(0, 200),
      isGenerated: false,
    }));
  const chosen = chooseTrack(captionTracks, languages);
  if (!chosen) return noCaptions("no_captions");
  const offered = captionTracks.map(({ language, name, isGenerated }) => ({ language, name, isGenerated }));
  const lines = (await loadCues(chosen.track)).map(lineOf);
  const chapterTrack = all.find(({ kind }) => kind === "chapters");
  const chapters = (chapterTrack ? await loadCues(chapterTrack) : []).slice(0, 500).map(({ startTime, text }) => ({
    startMs: Math.max(0, Math.round(startTime * 1000)),
    title: text.slice(0, 200),
  }));
  const { language, name } = chosen;
  const captions = { ...noCaptions("empty_answer"), language, name, offered, chapters };
  return lines.length === 0 ? captions : { ...captions, lines, reason: null };
}

export async function readVideo({ player, languages }: VideoQuery): Promise<ReadCaptions> {
  if (player)
    return { ...noCaptions("unreachable"), ...(await readYoutube(player, chooseTrack(player.tracks, languages))) };
  const video = findMainVideo();
  return video ? readTracks(video, languages) : noCaptions("unavailable");
}
