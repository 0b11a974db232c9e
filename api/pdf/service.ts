import { setTimeout as pause } from "node:timers/promises";
import { countCallsForFile } from "#api/ai/call-purpose.ts";
import type { Deps } from "#api/http/handler.ts";
import { type FileRecord, findFile } from "#api/blobs/file-records.ts";
import { DocumentUnreadableError, readDocument, recognisePages } from "#api/documents/document-reader.ts";
import { DEFAULT_LANGUAGE } from "#api/documents/ocr/ocr-languages.ts";
import type { ReadFault } from "#api/documents/process/parser-messages.ts";
import type { Own } from "#api/store/owned-store.ts";
import { Failure } from "#shared/contract/failure.ts";
import { type DocumentKind, documentKindOf } from "#shared/pdf/document-kinds.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { ANALYSIS_JOB, runAnalysis } from "./analysis-job.ts";
import { type ParsedKind, StartedReading } from "./started-reading.ts";
import { findOcrSource, listMissingPages, recogniseAndStore } from "./recognition.ts";
import { type Content, findReading, saveFault, listRecognised, listSlices, type ReadingDoc } from "./store.ts";

/** Dependencies for reading a file of an account. */
export type FileReadDeps = Pick<Deps, "blobs" | "clock" | "log"> & { own: Own };

export interface FilePassages {
  pageCount: number;
  passages: Passage[];
}

interface PageRange {
  from?: number | undefined;
  to?: number | undefined;
}

/** Readings in progress in this process, by file. */
const readingsInProgress = new Map<string, Promise<void>>();

/** Up to this many pages are read directly rather than waiting for a long file. */
const FEW_PAGES = 20;
const READ_TIMEOUT_MS = 1_500;
const POLL_INTERVAL_MS = 50;

/**
 * Returns the passages of a file, or of some of its pages: stored ones, or read now. Slides, and sections of a text
 * without pages, count as pages. Throws `not_found`, or `invalid_pdf`, `invalid_file`, `timed_out` or `too_large` if
 * nothing can be read.
 */
export async function readFilePassages(
  deps: FileReadDeps,
  fileId: string,
  range: PageRange = {},
): Promise<FilePassages> {
  const file = await findFile(deps.own, fileId);
  if (!file) throw new Failure("not_found", "no_file");
  const kind = documentKindOf(fileId);
  if (kind === undefined) throw new Failure("invalid_file", "file_unprocessable");
  const { from = 1, to = Number.MAX_SAFE_INTEGER } = range;
  const recognisedPages =
    kind === "image" || kind === "pdf" ? await listRecognised(deps.own, file.blobKey, from, to) : [];
  const found =
    kind === "image" ? { pageCount: 1, passages: [] } : await readTextPassages(deps, { file, kind, from, to });
  return mergeRecognised(found, recognisedPages);
}

interface TextRequest {
  file: FileRecord;
  kind: ParsedKind;
  from: number;
  to: number;
}

async function readTextPassages(deps: FileReadDeps, { file, kind, from, to }: TextRequest): Promise<FilePassages> {
  const fileId = file._id;
  const request: PageRequest = {
    fileId,
    content: { blobKey: file.blobKey, kind },
    kind,
    pages: { from, to },
  };
  // Only PDFs allow random access; other files are read completely.
  const isShortRange = kind === "pdf" && request.pages.to - request.pages.from < FEW_PAGES;
  const storedPassages = await waitForStored(
    deps.own,
    request,
    isShortRange ? READ_TIMEOUT_MS : Number.POSITIVE_INFINITY,
  );
  if (storedPassages) return storedPassages;
  if (isShortRange) return readRange(deps, request);
  await readWhole(deps, request);
  return (await findStored(deps.own, request)) ?? { pageCount: 0, passages: [] };
}

/** OCR text replaces the text layer of its page. */
function mergeRecognised(
  { pageCount, passages }: FilePassages,
  recognisedPages: readonly RecognisedPage[],
): FilePassages {
  const pages = new Map(
    recognisedPages.filter((page) => page.passages.length > 0).map((page) => [page.page, page.passages]),
  );
  if (pages.size === 0) return { pageCount, passages };
  const storedPassages = passages.filter(({ locator: { page = 0 } }) => !pages.has(page));
  const all = [...storedPassages, ...[...pages.values()].flat()];
  return { pageCount, passages: all.toSorted((a, b) => (a.locator.page ?? 0) - (b.locator.page ?? 0)) };
}

type RecognisedPage = Awaited<ReturnType<typeof listRecognised>>[number];

/**
 * Returns the passages of a file after OCR of its pages without text. This takes seconds per page, so only jobs call
 * it, never a request. Throws like `readFilePassages`.
 */
export async function readPassagesWithOcr(
  deps: FileReadDeps,
  fileId: string,
  range: PageRange & { signal?: AbortSignal },
): Promise<FilePassages> {
  const { signal, ...pages } = range;
  const ocrSource = await findOcrSource(deps.own, fileId);
  // The pages that need OCR are known only after the whole file was read.
  if (ocrSource?.kind === "pdf") await readFilePassages(deps, fileId);
  const missing = ocrSource ? await listMissingPages(deps.own, ocrSource, pages) : [];
  if (ocrSource && missing.length > 0) {
    const request = { ...ocrSource, language: DEFAULT_LANGUAGE, pages: missing, signal };
    await recogniseAndStore(deps, request).catch((error: unknown) => {
      throw error instanceof DocumentUnreadableError ? toFailure(error, ocrSource.kind) : error;
    });
  }
  return readFilePassages(deps, fileId, pages);
}

/**
 * Recognises the text of an image that belongs to no component, without storing it. Throws `Failure` if the file is not
 * an image.
 */
export async function recognisePicture(path: string, signal: AbortSignal): Promise<Passage[]> {
  const found: Passage[] = [];
  try {
    for await (const { passages } of recognisePages("image", path, [1], { language: DEFAULT_LANGUAGE, signal }))
      found.push(...passages);
    return found;
  } catch (error) {
    throw error instanceof DocumentUnreadableError ? toFailure(error, "image") : error;
  }
}

/** Starts reading an unread file in the background. */
export function readInBackground(deps: FileReadDeps, fileId: string): void {
  if (readingsInProgress.has(fileId)) return;
  readFilePassages(deps, fileId).catch((error: unknown) => {
    if (!(error instanceof Failure)) deps.log.error({ err: error }, "a file could not be read");
  });
}

interface Pages {
  from: number;
  to: number;
}

interface PageRequest {
  fileId: string;
  content: Content;
  kind: ParsedKind;
  pages: Pages;
}

/** Waits while this process is reading the file, until the pages are stored or the time is over. */
async function waitForStored(own: Own, request: PageRequest, waitMs: number): Promise<FilePassages | undefined> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const work = readingsInProgress.get(request.fileId);
    const storedPassages = await findStored(own, request);
    if (storedPassages || !work || performance.now() > deadlineMs) return storedPassages;
    await Promise.race([work.catch(() => undefined), pause(POLL_INTERVAL_MS)]);
  }
}

async function findStored(
  own: Own,
  { content, kind, pages: { from, to } }: PageRequest,
): Promise<FilePassages | undefined> {
  const reading = await findReading(own, content);
  if (!reading || !hasPages(reading, to)) return undefined;
  if (reading.fault && reading.sliceCount === 0) throw toFailure(new DocumentUnreadableError(reading.fault), kind);
  const slices = await listSlices(own, reading, from, to);
  const passages = slices.flatMap((slice) => slice.passages);
  const isInRange = ({ locator: { page = 1 } }: Passage): boolean => page >= from && page <= to;
  return { pageCount: reading.pageCount, passages: passages.filter(isInRange) };
}

function hasPages(reading: ReadingDoc, to: number): boolean {
  return reading.isComplete || to <= reading.readTo;
}

async function readRange(deps: FileReadDeps, { content, kind, pages }: PageRequest): Promise<FilePassages> {
  const local = await deps.blobs.localPath(content.blobKey);
  const found: FilePassages = { pageCount: 0, passages: [] };
  try {
    for await (const page of readDocument(kind, local.path, { pages: [pages.from, pages.to] })) {
      found.pageCount = page.pageCount;
      found.passages.push(...page.passages);
    }
    return found;
  } catch (error) {
    throw error instanceof DocumentUnreadableError ? toFailure(error, kind) : error;
  } finally {
    await local.release();
  }
}

async function readWhole(deps: FileReadDeps, { fileId, content, kind }: PageRequest): Promise<void> {
  const existing = readingsInProgress.get(fileId);
  if (existing) return existing;
  const local = await deps.blobs.localPath(content.blobKey);
  try {
    const reading = await StartedReading.start(kind, local.path);
    await trackReading(fileId, reading.storeAll(deps.own, content, deps.clock.now()));
  } catch (error) {
    if (!(error instanceof DocumentUnreadableError)) throw error;
    await saveFault(deps.own, content, { fault: error.fault, now: deps.clock.now() });
    throw toFailure(error, kind);
  } finally {
    await local.release();
  }
}

/**
 * Reads the first page of a new file to validate it; undefined for files without a parser. Throws `invalid_pdf`, or
 * `invalid_file` for other kinds, `timed_out` or `too_large`.
 */
export async function startReading(path: string, fileId: string): Promise<StartedReading | undefined> {
  const kind = documentKindOf(fileId);
  if (kind === undefined || kind === "image") return undefined;
  try {
    return await StartedReading.start(kind, path);
  } catch (error) {
    throw error instanceof DocumentUnreadableError ? toFailure(error, kind) : error;
  }
}

/** Reads the remaining pages and stores them; requests for the passages of the file wait for this. */
export function continueReading(deps: FileReadDeps, fileId: string, reading: StartedReading): Promise<void> {
  return trackReading(fileId, storeReading(deps, fileId, reading));
}

async function storeReading(deps: FileReadDeps, fileId: string, reading: StartedReading): Promise<void> {
  const kind = documentKindOf(fileId);
  const file = await findFile(deps.own, fileId);
  if (!file || kind === undefined) return reading.cancel();
  await reading.storeAll(deps.own, { blobKey: file.blobKey, kind }, deps.clock.now());
}

function trackReading(fileId: string, reading: Promise<void>): Promise<void> {
  const work = reading.finally(() => readingsInProgress.delete(fileId));
  readingsInProgress.set(fileId, work);
  return work;
}

function toFailure({ fault }: DocumentUnreadableError, kind: DocumentKind): Failure {
  const data = { reason: fault };
  if (fault === "timeout") return new Failure("timed_out", "request_took_too_long", {}, data);
  if (fault === "too_large") return new Failure("too_large", "reading_took_memory", {}, data);
  const isEncrypted = fault === "encrypted";
  if (kind === "pdf") return new Failure("invalid_pdf", isEncrypted ? "pdf_encrypted" : "pdf_damaged", {}, data);
  return new Failure("invalid_file", isEncrypted ? "file_encrypted" : "file_unprocessable", {}, data);
}

/** The notice for a stored file that could not be read. */
export function faultReason(fault: ReadFault, kind: DocumentKind) {
  switch (fault) {
    case "timeout":
      return "reading_took_too_long";
    case "too_large":
      return "reading_took_memory";
    case "encrypted":
      return kind === "pdf" ? "pdf_encrypted" : "file_encrypted";
    case "corrupt":
    case "crashed":
      return "file_unprocessable";
    default:
      return fault satisfies never;
  }
}

/** Lets this process run analyses. */
export function registerAnalysis(deps: Deps): void {
  deps.jobs.register(ANALYSIS_JOB, (run) =>
    runAnalysis(deps, run, (own, fileId, pages) => {
      countCallsForFile(fileId);
      return readFilePassages({ ...deps, own }, fileId, pages);
    }),
  );
}
