import type { ReadFault } from "#api/documents/process/parser-messages.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import type { DocumentKind } from "#shared/pdf/document-kinds.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** Raise when files are read differently: stored readings are then replaced. */
const READER_VERSION = 5;
/** Readings stored per account; the oldest are removed and read again on demand. */
const MAX_READINGS = 500;

/** Identifies a reading: the same bytes as the same kind of document are read once, however often they are uploaded. */
export interface Content {
  blobKey: string;
  kind: DocumentKind;
}

/** How far a file was read, and with what outcome. */
export interface ReadingDoc extends OwnedDoc, Content {
  pageCount: number;
  /** Pages up to this one are stored. */
  readTo: number;
  isComplete: boolean;
  /** Set if reading failed; the pages before that are stored. */
  fault: ReadFault | null;
  sliceCount: number;
  /** Pages without readable letters: images of text, drawings, or blank. */
  textlessPages: number[];
  readAt: number;
}

/** The passages of some pages, small enough for one document. */
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

/** Inserts a reading without pages; a reading that an interrupted attempt has stored is left unchanged. */
export async function insertReading(own: Own, content: Content, pageCount: number, now: number): Promise<void> {
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

export const saveProgress = (own: Own, content: Content, { readTo, sliceCount }: Progress) =>
  own.in(readings).patch({ _id: readingId(own, content), readTo: { lt: readTo } }, { set: { readTo, sliceCount } });

type Outcome = Pick<NewReading, "pageCount" | "fault" | "sliceCount" | "textlessPages">;

export const finishReading = (own: Own, content: Content, outcome: Outcome) =>
  own.in(readings).patch({ _id: readingId(own, content) }, { set: { ...outcome, isComplete: true } });

/** Records that a file is unreadable, so that it is not read again. */
export async function saveFault(
  own: Own,
  content: Content,
  { fault, now }: { fault: ReadFault; now: number },
): Promise<void> {
  await insertReading(own, content, 0, now);
  await own
    .in(readings)
    .patch({ _id: readingId(own, content), isComplete: false }, { set: { fault, isComplete: true } });
}

type NewSlice = Omit<SliceDoc, "_id" | "ownerId" | "readingId">;

export function saveSlice(own: Own, content: Content, slice: NewSlice): Promise<"inserted" | "duplicate"> {
  const id = readingId(own, content);
  return own.in(slices).insert({ _id: `${id}.${slice.seq}`, readingId: id, ...slice });
}

/** Slices that contain any of the pages, in order. */
export function listSlices(own: Own, reading: ReadingDoc, from: number, to: number): Promise<SliceDoc[]> {
  const filter = {
    readingId: reading._id,
    seq: { lt: reading.sliceCount },
    firstPage: { lte: to },
    lastPage: { gte: from },
  };
  return own.in(slices).find(filter, { order: [["seq", "asc"]] });
}

/** OCR result of one page. */
interface RecognisedPageDoc extends OwnedDoc {
  blobKey: string;
  page: number;
  language: string;
  passages: Passage[];
  readAt: number;
}

/** Raise when OCR works differently. */
const RECOGNISER_VERSION = 1;
/** Recognised pages stored per account, about 100 MB; the oldest are removed. */
const MAX_RECOGNISED = 20_000;
const EVICTION_BATCH = 500;

const recognised: CollectionSpec<RecognisedPageDoc> = {
  name: "recognised_pages",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "blobKey", "page"] }, { fields: ["ownerId", "readAt"] }],
};

type NewRecognised = Omit<RecognisedPageDoc, "_id" | "ownerId">;

/** Replaces an earlier result for the page, for example in another language. */
export async function saveRecognised(own: Own, doc: NewRecognised): Promise<void> {
  const pages = own.in(recognised);
  const _id = `${own.ownerId}.${doc.blobKey}.${doc.page}.${RECOGNISER_VERSION}`;
  const updated = await pages.patch({ _id }, { set: doc });
  if (!updated) await pages.insert({ _id, ...doc });
  if (updated || (await pages.count({})) <= MAX_RECOGNISED) return;
  const oldest = await pages.find({}, { order: [["readAt", "asc"]], limit: EVICTION_BATCH, fields: ["page"] });
  for (const old of oldest) await pages.remove({ _id: old._id });
}

/** OCR results for some content, in page order. */
export async function listRecognised(
  own: Own,
  blobKey: string,
  from: number,
  to: number,
): Promise<RecognisedPageDoc[]> {
  const filter = { blobKey, page: { gte: from, lte: to } };
  const found = await own.in(recognised).find(filter, { order: [["page", "asc"]] });
  return found.filter(({ _id }) => _id.endsWith(`.${RECOGNISER_VERSION}`));
}

/** Removes everything extracted from some content. */
export async function removeExtractedContent(own: Own, blobKey: string): Promise<void> {
  await own.in(recognised).remove({ blobKey });
  for (const { _id } of await own.in(readings).find({ blobKey }, { fields: ["_id"] })) {
    await own.in(slices).remove({ readingId: _id });
    await own.in(readings).remove({ _id });
  }
}

/** Pages of some content that were recognised, optionally in one language. */
export async function listRecognisedPages(own: Own, blobKey: string, language: string | undefined): Promise<number[]> {
  const filter = { blobKey, ...(language === undefined ? {} : { language }) };
  const found = await own.in(recognised).find(filter, { fields: ["page"] });
  return found.filter(({ _id }) => _id.endsWith(`.${RECOGNISER_VERSION}`)).map(({ page }) => page);
}
