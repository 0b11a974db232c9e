import type { ReadFault } from "#api/kit/parsing/parser-messages.ts";
import type { Own } from "#api/kit/store/owned.ts";
import type { CollectionSpec, OwnedDoc } from "#api/kit/store/port.ts";
import type { DocumentKind } from "#shared/pdf/document-kinds.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** Raised when files are read differently: what an older reader kept is read anew. */
const READER_VERSION = 2;
/** Readings that one account keeps; the oldest make room, and are read again when they are asked for. */
const MAX_READINGS = 500;

/** What a reading is of: the same bytes as the same kind of document are read once, however often they are uploaded. */
export interface Content {
  blobKey: string;
  kind: DocumentKind;
}

/** How far a file was read, and how it went. */
export interface ReadingDoc extends OwnedDoc, Content {
  pageCount: number;
  /** What stands up to this page is kept. */
  readTo: number;
  isComplete: boolean;
  /** Set where the reader gave up; the pages before it were kept. */
  fault: ReadFault | null;
  sliceCount: number;
  readAt: number;
}

/** Some pages' passages, small enough for one document. */
interface SliceDoc extends OwnedDoc {
  readingId: string;
  seq: number;
  firstPage: number;
  lastPage: number;
  passages: Passage[];
}

const readings: CollectionSpec<ReadingDoc> = {
  name: "document_readings",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "readAt"] }],
};

const slices: CollectionSpec<SliceDoc> = {
  name: "document_passages",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "readingId", "seq"] }],
};

const readingId = (own: Own, { blobKey, kind }: Content): string =>
  `${own.ownerId}.${blobKey}.${kind}.${READER_VERSION}`;

export const findReading = (own: Own, content: Content) => own.in(readings).get(readingId(own, content));

type NewReading = Omit<ReadingDoc, "_id" | "ownerId">;

/** Content that is read again, since the first reading was cut short, goes over what is kept without changing it. */
export async function startReading(own: Own, content: Content, pageCount: number, now: number): Promise<void> {
  const { blobKey, kind } = content;
  await own.in(readings).insert({
    _id: readingId(own, content),
    blobKey,
    kind,
    pageCount,
    readTo: 0,
    isComplete: false,
    fault: null,
    sliceCount: 0,
    readAt: now,
  });
  await removeOldest(own);
}

async function removeOldest(own: Own): Promise<void> {
  const excess = (await own.in(readings).count({})) - MAX_READINGS;
  if (excess <= 0) return;
  const oldest = await own.in(readings).find({}, { order: [["readAt", "asc"]], limit: excess, fields: ["blobKey"] });
  for (const { _id } of oldest) {
    await own.in(readings).remove({ _id });
    await own.in(slices).remove({ readingId: _id });
  }
}

type Progress = Pick<NewReading, "readTo" | "sliceCount">;

export const noteProgress = (own: Own, content: Content, { readTo, sliceCount }: Progress) =>
  own.in(readings).patch({ _id: readingId(own, content), readTo: { lt: readTo } }, { set: { readTo, sliceCount } });

type Outcome = Pick<NewReading, "pageCount" | "fault" | "sliceCount">;

export const finishReading = (own: Own, content: Content, outcome: Outcome) =>
  own.in(readings).patch({ _id: readingId(own, content) }, { set: { ...outcome, isComplete: true } });

type NewSlice = Omit<SliceDoc, "_id" | "ownerId" | "readingId">;

export function saveSlice(own: Own, content: Content, slice: NewSlice): Promise<"inserted" | "duplicate"> {
  const id = readingId(own, content);
  return own.in(slices).insert({ _id: `${id}.${slice.seq}`, readingId: id, ...slice });
}

/** Slices that hold any of the pages, in order. */
export function listSlices(own: Own, reading: ReadingDoc, from: number, to: number): Promise<SliceDoc[]> {
  const filter = {
    readingId: reading._id,
    seq: { lt: reading.sliceCount },
    firstPage: { lte: to },
    lastPage: { gte: from },
  };
  return own.in(slices).find(filter, { order: [["seq", "asc"]] });
}
