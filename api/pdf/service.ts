import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "#api/kit/handler.ts";
import { findFile } from "#api/kit/blobs/file-records.ts";
import { PdfUnreadable, readPdf } from "#api/kit/parsing/pdf-reader.ts";
import type { Own } from "#api/kit/store/owned.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { uploadMessages } from "#shared/pdf/upload-rules.ts";
import { StartedReading } from "./reading.ts";
import { findReading, listSlices, type ReadingDoc } from "./store.ts";

/** What reading a file of an account takes. */
export type Reader = Pick<Deps, "blobs" | "clock" | "log"> & { own: Own };

export interface FilePassages {
  pageCount: number;
  passages: Passage[];
}

interface PageRange {
  from?: number | undefined;
  to?: number | undefined;
}

/** Readings that this process is at work on, by file. */
const running = new Map<string, Promise<void>>();

/** Some pages are sooner read by themselves than a long file is waited for. */
const FEW_PAGES = 20;
const PATIENCE_MS = 1_500;
const GLANCE_MS = 50;

/**
 * The passages of a PDF file, of all its pages or some: from what was kept, else read now.
 * Fails with `not_found`, or `invalid_pdf` where nothing of it can be read.
 */
export async function passagesOf(reader: Reader, fileId: string, range: PageRange = {}): Promise<FilePassages> {
  const file = await findFile(reader.own, fileId);
  if (!file) throw new Failure("not_found", "There is no such file.");
  if (!fileId.endsWith(".pdf")) throw new Failure("invalid_pdf", "Only PDF files have passages.");
  const pages = { from: range.from ?? 1, to: range.to ?? Number.MAX_SAFE_INTEGER };
  const isFew = pages.to - pages.from < FEW_PAGES;
  const kept = await waitForKept(reader.own, fileId, pages, isFew ? PATIENCE_MS : Number.POSITIVE_INFINITY);
  if (kept) return kept;
  if (isFew) return readRange(reader, file.blobKey, pages);
  await readWhole(reader, fileId, file.blobKey);
  return (await findKept(reader.own, fileId, pages)) ?? { pageCount: 0, passages: [] };
}

interface Pages {
  from: number;
  to: number;
}

/** While the file is being read here, its pages may come any moment. */
async function waitForKept(own: Own, fileId: string, pages: Pages, waitMs: number): Promise<FilePassages | undefined> {
  const until = performance.now() + waitMs;
  for (;;) {
    const work = running.get(fileId);
    const kept = await findKept(own, fileId, pages);
    if (kept || !work || performance.now() > until) return kept;
    await Promise.race([work.catch(() => undefined), pause(GLANCE_MS)]);
  }
}

async function findKept(own: Own, fileId: string, { from, to }: Pages): Promise<FilePassages | undefined> {
  const reading = await findReading(own, fileId);
  if (!reading || !hasPages(reading, to)) return undefined;
  if (reading.fault && reading.sliceCount === 0) throw invalidPdf(new PdfUnreadable(reading.fault));
  const slices = await listSlices(own, reading, from, to);
  const passages = slices.flatMap((slice) => slice.passages);
  const isWanted = ({ locator: { page = 1 } }: Passage): boolean => page >= from && page <= to;
  return { pageCount: reading.pageCount, passages: passages.filter(isWanted) };
}

function hasPages(reading: ReadingDoc, to: number): boolean {
  return reading.isComplete || to <= reading.readTo;
}

async function readRange(reader: Reader, blobKey: string, { from, to }: Pages): Promise<FilePassages> {
  const local = await reader.blobs.localPath(blobKey);
  const found: FilePassages = { pageCount: 0, passages: [] };
  try {
    for await (const page of readPdf(local.path, { pages: [from, to] })) {
      found.pageCount = page.pageCount;
      found.passages.push(...page.passages);
    }
    return found;
  } catch (error) {
    throw error instanceof PdfUnreadable ? invalidPdf(error) : error;
  } finally {
    await local.release();
  }
}

async function readWhole(reader: Reader, fileId: string, blobKey: string): Promise<void> {
  const already = running.get(fileId);
  if (already) return already;
  const local = await reader.blobs.localPath(blobKey);
  try {
    const reading = await StartedReading.start(local.path);
    await keepReading(reader, fileId, reading);
  } catch (error) {
    throw error instanceof PdfUnreadable ? invalidPdf(error) : error;
  } finally {
    await local.release();
  }
}

/** Reads a new file's first page, to know that it is a PDF. Fails with `invalid_pdf`. */
export async function startReading(path: string): Promise<StartedReading> {
  try {
    return await StartedReading.start(path);
  } catch (error) {
    throw error instanceof PdfUnreadable ? invalidPdf(error) : error;
  }
}

/** Reads on and keeps what is read; who asks for the file's passages meanwhile waits for this. */
export function keepReading(reader: Reader, fileId: string, reading: StartedReading): Promise<void> {
  const work = reading.keep(reader.own, fileId, reader.clock.now()).finally(() => running.delete(fileId));
  running.set(fileId, work);
  return work;
}

function invalidPdf({ fault }: PdfUnreadable): Failure {
  const message = fault === "encrypted" ? uploadMessages.encryptedPdf : uploadMessages.damagedPdf;
  return new Failure("invalid_pdf", message, { reason: fault });
}
