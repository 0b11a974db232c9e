import type { PdfFault } from "#api/kit/parsing/pdf-messages.ts";
import type { Own } from "#api/kit/store/owned.ts";
import type { CollectionSpec, OwnedDoc } from "#api/kit/store/port.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** Raised when files are read differently: what an older reader kept is read anew. */
const READER_VERSION = 1;

/** How far a file was read, and how it went. */
export interface ReadingDoc extends OwnedDoc {
  fileId: string;
  pageCount: number;
  /** What stands up to this page is kept. */
  readTo: number;
  isComplete: boolean;
  /** Set where the reader gave up; the pages before it were kept. */
  fault: PdfFault | null;
  sliceCount: number;
  readAt: number;
}

/** Some pages' passages, small enough for one document. */
interface SliceDoc extends OwnedDoc {
  fileId: string;
  seq: number;
  firstPage: number;
  lastPage: number;
  passages: Passage[];
}

const readings: CollectionSpec<ReadingDoc> = {
  name: "readings",
  shardKey: "ownerId",
  indexes: [{ fields: ["fileId"] }],
};

const slices: CollectionSpec<SliceDoc> = {
  name: "passages",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "fileId", "seq"] }],
};

const readingId = (fileId: string): string => `${fileId}.${READER_VERSION}`;

export const findReading = (own: Own, fileId: string) => own.in(readings).get(readingId(fileId));

type NewReading = Omit<ReadingDoc, "_id" | "ownerId">;

/** A file that is read again, since the first reading was cut short, goes over what is kept without changing it. */
export const startReading = (own: Own, fileId: string, pageCount: number, now: number) =>
  own.in(readings).insert({
    _id: readingId(fileId),
    fileId,
    pageCount,
    readTo: 0,
    isComplete: false,
    fault: null,
    sliceCount: 0,
    readAt: now,
  });

type Progress = Pick<NewReading, "readTo" | "sliceCount">;

export const noteProgress = (own: Own, fileId: string, { readTo, sliceCount }: Progress) =>
  own.in(readings).patch({ _id: readingId(fileId), readTo: { lt: readTo } }, { set: { readTo, sliceCount } });

type Outcome = Pick<NewReading, "pageCount" | "fault" | "sliceCount">;

export const finishReading = (own: Own, fileId: string, outcome: Outcome) =>
  own.in(readings).patch({ _id: readingId(fileId) }, { set: { ...outcome, isComplete: true } });

type NewSlice = Omit<SliceDoc, "_id" | "ownerId">;

export const saveSlice = (own: Own, slice: NewSlice) =>
  own.in(slices).insert({ _id: `${readingId(slice.fileId)}.${slice.seq}`, ...slice });

/** Slices that hold any of the pages, in order. */
export function listSlices(own: Own, reading: ReadingDoc, from: number, to: number): Promise<SliceDoc[]> {
  const { fileId, sliceCount } = reading;
  const filter = { fileId, seq: { lt: sliceCount }, firstPage: { lte: to }, lastPage: { gte: from } };
  return own.in(slices).find(filter, { order: [["seq", "asc"]] });
}
