import type { Track } from "./video-shapes.ts";

const primaryTag = (tag: string) => tag.toLowerCase().split("-")[0] ?? "";

/**
 * Picks the first track in the order of the preferred languages, human captions before automatic ones; otherwise any
 * human track.
 */
export function chooseTrack<T extends Pick<Track, "language" | "isGenerated">>(
  tracks: readonly T[],
  languages: readonly string[],
): T | undefined {
  const preferHuman = (some: readonly T[]) => some.find(({ isGenerated }) => !isGenerated) ?? some[0];
  for (const preferred of languages) {
    const exact = tracks.filter(({ language }) => language.toLowerCase() === preferred.toLowerCase());
    const near = tracks.filter(({ language }) => primaryTag(language) === primaryTag(preferred));
    const found = preferHuman(exact) ?? preferHuman(near);
    if (found) return found;
  }
  return preferHuman(tracks);
}
