import type { Podcast, PodcastChapter } from "#shared/podcasts/schema.ts";
import type { TimedLine } from "#shared/podcasts/script/fit-length.ts";
import type { ScriptLine } from "#shared/podcasts/script/script-line.ts";
import type { Counted } from "#api/user/service.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";

export interface PodcastDoc extends OwnedDoc, Omit<Podcast, "thumbnail_file"> {
  may_fall_back: boolean;
  /** Number of the current attempt; the job of an earlier attempt may no longer write. */
  attempt: number;
  /** The usage that this attempt counted; null once it is refunded. */
  chargedUsage: Counted | null;
  audioFileId: string | null;
  coverFileId: string | null;
  /** When the lines of a failed attempt were removed; missing or null while they are stored for a retry. */
  linesRemovedAt?: number | null;
  /** When the listener was at `position_ms`; missing before the first time. */
  positionAt?: number;
}

/** Which attempt at making which episode. */
export type EpisodeAttempt = Pick<PodcastDoc, "_id" | "attempt">;

/** The script of an episode; times are added while it is spoken. */
export interface ScriptDoc extends OwnedDoc {
  lines: TimedLine[];
  /** True while only the opening was spoken, and the other lines are not written yet. */
  isOpening?: boolean;
  /** Sentences that can still be added while the episode is spoken; missing in scripts of earlier versions. */
  unusedSentences?: ScriptLine[];
  chapters: Pick<PodcastChapter, "title">[];
}

/** One encoded part of an unfinished episode. */
export interface PartDoc extends OwnedDoc {
  podcastId: string;
  /** The attempt that encoded it; missing in parts of earlier versions. */
  attempt?: number;
  index: number;
  blobKey: string;
  sizeBytes: number;
}

/**
 * A stored line, so that the same words are not spoken twice; `_id` contains the owner and the hash of the words and
 * the voice.
 */
interface SegmentDoc extends OwnedDoc {
  podcastId: string;
  /** The attempt that spoke the line; missing in segments of earlier versions. */
  attempt?: number;
  blobKey: string;
  sampleRate: number;
  /** The engine that spoke the line. */
  engine: Podcast["engine"];
}

const podcasts: CollectionSpec<PodcastDoc> = {
  name: "podcasts",
  shardKey: "ownerId",
  indexes: [
    { fields: ["ownerId", "created_at"] },
    { fields: ["is_archived", "archived_at"] },
    { fields: ["status", "updated_at"] },
  ],
};
const scripts: CollectionSpec<ScriptDoc> = { name: "podcast_scripts", shardKey: "ownerId", indexes: [] };
const parts: CollectionSpec<PartDoc> = {
  name: "podcast_parts",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "podcastId", "index"] }, { fields: ["blobKey"] }],
};
export const segments: CollectionSpec<SegmentDoc> = {
  name: "podcast_segments",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "podcastId"] }, { fields: ["blobKey"] }],
};

export const findPodcast = (own: Own, id: string) => own.in(podcasts).get(id);

export const listPodcasts = (own: Own) => own.in(podcasts).find({}, { order: [["created_at", "desc"]] });

export const insertPodcast = (own: Own, podcast: Omit<PodcastDoc, "ownerId">) => own.in(podcasts).insert(podcast);

export const patchPodcast = (own: Own, id: string, set: Partial<PodcastDoc>) =>
  own.in(podcasts).patch({ _id: id }, { set });

/** Saves a position unless a later one is stored. */
export async function savePosition(own: Own, id: string, set: { position_ms: number; positionAt: number }) {
  for (const earlier of [null, { lte: set.positionAt }])
    if (await own.in(podcasts).patch({ _id: id, positionAt: earlier }, { set })) return;
}

const IN_PROGRESS = { in: ["pending", "generating_transcript", "generating_audio"] };

/**
 * Changes an episode that this attempt is still making; undefined once the attempt has ended or the episode was
 * deleted.
 */
export const patchInProgress = (own: Own, { _id, attempt }: EpisodeAttempt, set: Partial<PodcastDoc>) =>
  own.in(podcasts).patch({ _id, attempt, status: IN_PROGRESS }, { set });

/** Starts a failed episode again; of two concurrent calls, one succeeds. */
export const restartFailed = (own: Own, { _id, attempt }: EpisodeAttempt, set: Partial<PodcastDoc>) =>
  own
    .in(podcasts)
    .patch({ _id, attempt, status: "failed" }, { set: { ...set, attempt: attempt + 1, linesRemovedAt: null } });

export const removePodcastDoc = (own: Own, id: string) => own.in(podcasts).remove({ _id: id });

/** Episodes of all accounts that were archived before a time. */
export const listArchivedBefore = (store: DocumentStore, before: number) =>
  store.collection(podcasts).find({ is_archived: true, archived_at: { lt: before } }, { limit: 200 });

/** Failed episodes of all accounts that have not changed since a time, and whose lines are still stored. */
export const listFailedBefore = (store: DocumentStore, before: number) =>
  store
    .collection(podcasts)
    .find({ status: "failed", linesRemovedAt: null, updated_at: { lt: before } }, { limit: 200 });

const withLines = ({ _id, attempt }: EpisodeAttempt) => ({
  _id,
  attempt,
  status: "failed" as const,
  linesRemovedAt: null,
});

/** Records that the lines of a failed attempt were removed, unless the episode was started again. */
export const recordLinesRemoved = (own: Own, podcast: EpisodeAttempt, now: number) =>
  own.in(podcasts).patch(withLines(podcast), { set: { linesRemovedAt: now } });

export async function findScript(own: Own, podcastId: string) {
  const script = await own.in(scripts).get(podcastId);
  return script && { ...script, unusedSentences: script.unusedSentences ?? [] };
}

/** The script of an episode for its listener; undefined for a failed episode, whose audio cannot be played. */
export const findShownScript = (own: Own, { _id, status }: Pick<PodcastDoc, "_id" | "status">) =>
  status === "failed" ? undefined : findScript(own, _id);

export const listScripts = (own: Own, podcastIds: readonly string[]) =>
  own.in(scripts).find({ _id: { in: podcastIds } }, {});

export async function saveScript(own: Own, { _id, ...script }: Omit<ScriptDoc, "ownerId">): Promise<void> {
  if (!(await own.in(scripts).patch({ _id }, { set: script }))) await own.in(scripts).insert({ _id, ...script });
}

/** Saves the first lines, which are spoken before the script is written. */
export const saveOpening = (own: Own, podcastId: string, lines: TimedLine[]) =>
  saveScript(own, { _id: podcastId, lines, chapters: [], isOpening: true });

/** Saves the lines, those already spoken with their times, and the sentences not used yet. */
export const saveLines = (
  own: Own,
  podcastId: string,
  { lines, unusedSentences }: Required<Pick<ScriptDoc, "lines" | "unusedSentences">>,
) => own.in(scripts).patch({ _id: podcastId }, { set: { lines, unusedSentences } });

export const removeScript = (own: Own, podcastId: string) => own.in(scripts).remove({ _id: podcastId });

export const listParts = (own: Own, { _id, attempt }: EpisodeAttempt) =>
  own.in(parts).find({ podcastId: _id, attempt }, { order: [["index", "asc"]] });

export const insertPart = (own: Own, part: Required<Omit<PartDoc, "_id" | "ownerId">>) =>
  own.in(parts).insert({ ...part, _id: `${part.podcastId}:${part.attempt}:${part.index}` });

/** The parts and segments of an attempt and of all before it. Those of a later attempt are never removed. */
const upTo = ({ _id, attempt }: EpisodeAttempt) =>
  [null, { lte: attempt }].map((earlier) => ({ podcastId: _id, attempt: earlier }));

export async function removePartsUpTo(own: Own, podcast: EpisodeAttempt): Promise<void> {
  for (const filter of upTo(podcast)) await own.in(parts).remove(filter);
}

/** Removes the spoken lines and the encoded parts of an attempt and of all before it. */
export async function removeSoundUpTo(own: Own, podcast: EpisodeAttempt): Promise<void> {
  for (const filter of upTo(podcast)) await own.in(segments).remove(filter);
  await removePartsUpTo(own, podcast);
}

export const findSegment = (own: Own, key: string) => own.in(segments).get(`${own.ownerId}:${key}`);

export const insertSegment = (own: Own, key: string, segment: Required<Omit<SegmentDoc, "_id" | "ownerId">>) =>
  own.in(segments).insert({ ...segment, _id: `${own.ownerId}:${key}` });

export const removeSegment = (own: Own, key: string) => own.in(segments).remove({ _id: `${own.ownerId}:${key}` });

/** Removes the spoken lines and the encoded parts of all attempts. */
export async function removeSound(own: Own, podcastId: string): Promise<void> {
  await own.in(segments).remove({ podcastId });
  await own.in(parts).remove({ podcastId });
}

/** The blobs among `keys` that unfinished episodes refer to. */
export async function listPodcastBlobs(store: DocumentStore, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const [ofParts, ofSegments] = await Promise.all([
    store.collection(parts).find({ blobKey: { in: keys } }, { fields: ["blobKey"] }),
    store.collection(segments).find({ blobKey: { in: keys } }, { fields: ["blobKey"] }),
  ]);
  return [...ofParts, ...ofSegments].map(({ blobKey }) => blobKey);
}
