import { findChapter, type Loaded } from "./episode.ts";

/** The actions of the system's own controls: media keys, lock screen, headphones. */
export interface MediaControls {
  play: () => void;
  pause: () => void;
  skip: (direction: 1 | -1) => void;
  stepChapter: (step: 1 | -1) => void;
  seek: (ms: number) => void;
}

let artworkUrl: string | undefined;

function releaseArtwork(): void {
  if (artworkUrl !== undefined) URL.revokeObjectURL(artworkUrl);
  artworkUrl = undefined;
}

export function connectMediaSession({ play, pause, skip, stepChapter, seek }: MediaControls): void {
  if (!("mediaSession" in navigator)) return;
  const actions: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play,
    pause,
    seekbackward: () => skip(-1),
    seekforward: () => skip(1),
    previoustrack: () => stepChapter(-1),
    nexttrack: () => stepChapter(1),
    seekto: ({ seekTime }) => seekTime !== undefined && seek(seekTime * 1000),
  };
  for (const [action, handler] of Object.entries(actions))
    navigator.mediaSession.setActionHandler(action as MediaSessionAction, handler);
}

/** Shows an episode with its chapter at a time in the system's controls. */
export function announceEpisode(episode: Loaded, ms: number): void {
  if (!("mediaSession" in navigator)) return;
  const { title, host, guest } = episode.podcast;
  const chapter = episode.transcript.chapters[Math.max(0, findChapter(episode, ms))]?.title ?? "";
  const artist = `${host.name}, ${guest.name}`;
  const shown = navigator.mediaSession.metadata;
  if (shown?.title === title && shown.artist === artist && shown.album === chapter) return;
  const artwork = artworkUrl === undefined ? [] : [{ src: artworkUrl, type: "image/png" }];
  navigator.mediaSession.metadata = new MediaMetadata({ title, artist, album: chapter, artwork });
}

/** Adds the cover to the episode in the system's controls. */
export function announceCover(cover: Blob): void {
  if (!("mediaSession" in navigator) || !navigator.mediaSession.metadata) return;
  releaseArtwork();
  artworkUrl = URL.createObjectURL(cover);
  navigator.mediaSession.metadata.artwork = [{ src: artworkUrl, type: "image/png" }];
}

/** Lets the system's controls show how far playback is. */
export function announcePosition(element: HTMLMediaElement): void {
  if (!("mediaSession" in navigator) || !("setPositionState" in navigator.mediaSession)) return;
  const { duration, currentTime, playbackRate, paused } = element;
  navigator.mediaSession.playbackState = paused ? "paused" : "playing";
  if (!Number.isFinite(duration)) return;
  navigator.mediaSession.setPositionState({ duration, position: Math.min(currentTime, duration), playbackRate });
}

export function clearMediaSession(): void {
  releaseArtwork();
  if (!("mediaSession" in navigator)) return;
  navigator.mediaSession.metadata = null;
  navigator.mediaSession.playbackState = "none";
}
