import { markUnindexed } from "#api/store/account-changes.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import type {
  Chapter,
  NoTranscriptReason,
  OfferedTrack,
  TranscriptSegment,
  TranscriptSource,
} from "#shared/video/schema.ts";

/** A transcript without its text, or the reason why there is none. */
export interface TranscriptDoc extends OwnedDoc {
  componentId: string;
  source: TranscriptSource;
  language: string;
  /** YouTube only: the requested language, or "" for any. */
  requestedLanguage: string;
  name: string;
  isGenerated: boolean;
  segmentCount: number;
  madeAt: number;
  /** After this time, the transcript is requested from YouTube again. */
  expiresAt: number | null;
  reason: NoTranscriptReason | null;
  offered: OfferedTrack[];
  chapters: Chapter[];
  durationMs: number | null;
  /** Identifies the slices of one version of the text, so that readers never mix two versions. */
  revision: string;
  sliceCount: number;
}

/** Start, end and text of some of a transcript's lines. */
interface SliceDoc extends OwnedDoc {
  transcriptId: string;
  revision: string;
  seq: number;
  lines: [number, number, string][];
}

const transcripts: CollectionSpec<TranscriptDoc> = {
  name: "transcripts",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "componentId"] }],
};
const slices: CollectionSpec<SliceDoc> = {
  name: "transcript_slices",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "transcriptId", "revision", "seq"] }],
};

/** Keeps a slice far below any store's document size limit, even with long lines. */
const SLICE_LINES = 1_500;

export const listTranscripts = (own: Own, componentId: string) => own.in(transcripts).find({ componentId });

/** A version string for each video that changes with its transcripts. */
export async function readTranscriptRevisions(own: Own): Promise<Map<string, string>> {
  const stored = await own.in(transcripts).find({ reason: null }, { fields: ["componentId", "revision"] });
  const revisions = new Map<string, string>();
  for (const { componentId, revision } of stored.toSorted((a, b) => (a.revision < b.revision ? -1 : 1)))
    revisions.set(componentId, `${revisions.get(componentId) ?? ""}.${revision}`);
  return revisions;
}

/** Unexpired refusals by video. */
export async function readTranscriptRefusals(own: Own, now: number): Promise<Map<string, NoTranscriptReason>> {
  const docs = await own.in(transcripts).find({}, { fields: ["componentId", "reason", "expiresAt"] });
  return new Map(
    docs.flatMap(({ componentId, reason, expiresAt }) =>
      reason !== null && (expiresAt ?? now) >= now ? [[componentId, reason] as const] : [],
    ),
  );
}

export type NewTranscript = Omit<TranscriptDoc, "_id" | "ownerId" | "revision" | "sliceCount" | "segmentCount">;

const transcriptIdOf = ({ componentId, source, language, requestedLanguage }: NewTranscript) =>
  `${componentId}.${source}.${source === "youtube" ? requestedLanguage : language}`.toLowerCase();

/** Replaces the transcript of the same source and language. `revision` must be new for every text. */
export async function saveTranscript(
  own: Own,
  transcript: NewTranscript,
  segments: readonly TranscriptSegment[],
  revision: string,
): Promise<TranscriptDoc> {
  const transcriptId = transcriptIdOf(transcript);
  const sliceCount = Math.ceil(segments.length / SLICE_LINES);
  for (let seq = 0; seq < sliceCount; seq += 1) {
    const sliceSegments = segments.slice(seq * SLICE_LINES, (seq + 1) * SLICE_LINES);
    const lines = sliceSegments.map(({ startMs, endMs, text }): [number, number, string] => [startMs, endMs, text]);
    await own.in(slices).insert({ _id: `${transcriptId}.${revision}.${seq}`, transcriptId, revision, seq, lines });
  }
  const fields = { ...transcript, segmentCount: segments.length, revision, sliceCount };
  const previous = await own.in(transcripts).get(transcriptId);
  if ((await own.in(transcripts).insert({ _id: transcriptId, ...fields })) === "duplicate")
    await own.in(transcripts).patch({ _id: transcriptId }, { set: fields });
  if (previous && previous.revision !== revision)
    await own.in(slices).remove({ transcriptId, revision: previous.revision });
  if (transcript.reason === null) await markUnindexed(own);
  return { _id: transcriptId, ownerId: own.ownerId, ...fields };
}

export async function readSegments(own: Own, { _id, revision }: TranscriptDoc): Promise<TranscriptSegment[]> {
  const stored = await own.in(slices).find({ transcriptId: _id, revision }, { order: [["seq", "asc"]] });
  return stored.flatMap(({ lines }) => lines.map(([startMs, endMs, text]) => ({ startMs, endMs, text })));
}

export async function removeTranscript(own: Own, { _id }: TranscriptDoc): Promise<void> {
  await own.in(transcripts).remove({ _id });
  await own.in(slices).remove({ transcriptId: _id });
}

export async function removeTranscripts(own: Own, componentId: string): Promise<void> {
  for (const transcript of await listTranscripts(own, componentId)) await removeTranscript(own, transcript);
}
