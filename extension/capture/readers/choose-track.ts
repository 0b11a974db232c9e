import type { Track } from "./video-shapes.ts";

const main = (tag: string) => tag.toLowerCase().split("-")[0] ?? "";

/**
 * Picks the first track in the order of the preferred languages, human captions before automatic ones; otherwise any
 * human track.
 */
export function chooseTrack<T extends Pick<Track, "language" | "isGenerated">>(
  tracks: readonly T[],
  languages: readonly string[],
): T | undefined {
  const byPeople = (some: readonly T[]) => some.find(({ isGenerated }) => !isGenerated) ?? some[0];
  for (const wanted of languages) {
    const exact = tracks.filter(({ language }) => language.toLowerCase() === wanted.toLowerCase());
    const near = tracks.filter(({ language }) => main(language) === main(wanted));
    const found = byPeople(exact) ?? byPeople(near);
    if (found) return found;
  }
  return byPeople(tracks);
}
