import type { Track } from "./video-shapes.ts";

const primaryTag = (tag: string) => tag.toLowerCase().split("-")[0] ?? "";

/**
 * Picks a track in the first preferred language that has one. An exact tag wins over the same primary language, and among
 * equals human captions win over automatic ones. If no language matches, any track is picked, human captions first.
 */
export function chooseTrack<T extends Pick<Track, "language" | "isGenerated">>(
  tracks: readonly T[],
  languages: readonly string[],
): T | undefined {
  const preferHuman = (candidates: readonly T[]) => candidates.find(({ isGenerated }) => !isGenerated) ?? candidates[0];
  for (const preferred of languages) {
    const exact = tracks.filter(({ language }) => language.toLowerCase() === preferred.toLowerCase());
    const sameLanguage = tracks.filter(({ language }) => primaryTag(language) === primaryTag(preferred));
    const found = preferHuman(exact) ?? preferHuman(sameLanguage);
    if (found) return found;
  }
  return preferHuman(tracks);
}
