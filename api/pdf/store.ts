import type { ReadFault } from "#api/documents/process/parser-messages.ts";
import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import type { DocumentKind } from "#shared/pdf/document-kinds.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** Raised when files are read differently: what an older reader kept is read anew. */
const READER_VERSION = 5;
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
  /** Pages without a letter that can be read: pictures of text, drawings, or blank. */
  textlessPages: number[];
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
    textlessPages: [],
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

type Outcome = Pick<NewReading, "pageCount" | "fault" | "sliceCount" | "textlessPages">;

export const finishReading = (own: Own, content: Content, outcome: Outcome) =>
  own.in(readings).patch({ _id: readingId(own, content) }, { set: { ...outcome, isComplete: true } });

/** Nobody runs into a file that cannot be read a second time. */
export async function keepFault(
  own: Own,
  content: Content,
  { fault, now }: { fault: ReadFault; now: number },
): Promise<void> {
  await startReading(own, content, 0, now);
  await own
    .in(readings)
    .patch({ _id: readingId(own, content), isComplete: false }, { set: { fault, isComplete: true } });
}

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

/** What was recognised on one page that is a picture. */
interface RecognisedDoc extends OwnedDoc {
  blobKey: string;
  page: number;
  language: string;
  passages: Passage[];
  readAt: number;
}

/** Raised when pictures are read differently. */
const RECOGNISER_VERSION = 1;
/** Some 100 MB; the oldest make room. */
const MAX_RECOGNISED = 20_000;
const ROOM_TO_MAKE = 500;

const recognised: CollectionSpec<RecognisedDoc> = {
  name: "recognised_pages",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "blobKey", "page"] }, { fields: ["ownerId", "readAt"] }],
};

type NewRecognised = Omit<RecognisedDoc, "_id" | "ownerId">;

/** A page that is read again, in another language perhaps, takes the place of what was there. */
export async function saveRecognised(own: Own, doc: NewRecognised): Promise<void> {
  const pages = own.in(recognised);
  const _id = `${own.ownerId}.${doc.blobKey}.${doc.page}.${RECOGNISER_VERSION}`;
  const kept = await pages.patch({ _id }, { set: doc });
  if (!kept) await pages.insert({ _id, ...doc });
  if (kept || (await pages.count({})) <= MAX_RECOGNISED) return;
  const oldest = await pages.find({}, { order: [["readAt", "asc"]], limit: ROOM_TO_MAKE, fields: ["page"] });
  for (const old of oldest) await pages.remove({ _id: old._id });
}

/** Recognised pages of some content, in order. */
export async function listRecognised(own: Own, blobKey: string, from: number, to: number): Promise<RecognisedDoc[]> {
  const filter = { blobKey, page: { gte: from, lte: to } };
  const found = await own.in(recognised).find(filter, { order: [["page", "asc"]] });
  return found.filter(({ _id }) => _id.endsWith(`.${RECOGNISER_VERSION}`));
}

/** Nothing that was read of some content stays, as whatever kind it was read. */
export async function forgetContent(own: Own, blobKey: string): Promise<void> {
  await own.in(recognised).remove({ blobKey });
  for (const { _id } of await own.in(readings).find({ blobKey }, { fields: ["_id"] })) {
    await own.in(slices).remove({ readingId: _id });
    await own.in(readings).remove({ _id });
  }
}

/** Which pages of some content were recognised in a language. */
export async function listRecognisedPages(own: Own, blobKey: string, language: string | undefined): Promise<number[]> {
  const filter = { blobKey, ...(language === undefined ? {} : { language }) };
  const found = await own.in(recognised).find(filter, { fields: ["page"] });
  return found.filter(({ _id }) => _id.endsWith(`.${RECOGNISER_VERSION}`)).map(({ page }) => page);
}
