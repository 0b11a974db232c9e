import { ulid } from "ulid";
import type { Deps, UserCtx } from "#api/http/handler.ts";
import { findFile, recordRecognisedText } from "#api/blobs/file-records.ts";
import { isActive, type Job, type JobRun } from "#api/jobs/jobs-port.ts";
import { recognisePages } from "#api/documents/document-reader.ts";
import { listInstalledLanguages } from "#api/documents/ocr/ocr-languages.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { Failure } from "#shared/contract/failure.ts";
import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import { findReading, listRecognisedPages, saveRecognised } from "./store.ts";

const RECOGNITION_JOB = "recognition";
const LIST_WINDOW_MS = 86_400_000;
const MAX_ACTIVE_JOBS = 3;
/** Pages per batch; another file can be recognised between two batches. */
const BATCH_PAGES = 4;

/** A file whose images can be recognised. */
export interface OcrSource {
  blobKey: string;
  kind: "pdf" | "image";
}

interface RecognitionInput extends OcrSource {
  language: string;
  pages: number[];
}

/** Undefined for files that need no OCR. */
export async function findOcrSource(own: Own, fileId: string): Promise<OcrSource | undefined> {
  const kind = documentKindOf(fileId);
  if (kind !== "pdf" && kind !== "image") return undefined;
  const file = await findFile(own, fileId);
  return file && { blobKey: file.blobKey, kind };
}

/** Pages without a text layer, in order; undefined until the whole file was read. */
export async function listTextlessPages(own: Own, ocrSource: OcrSource): Promise<number[] | undefined> {
  if (ocrSource.kind === "image") return [1];
  const reading = await findReading(own, { blobKey: ocrSource.blobKey, kind: "pdf" });
  return reading?.isComplete ? reading.textlessPages : undefined;
}

interface PageRange {
  from?: number | undefined;
  to?: number | undefined;
}

/** Pages in a range that need OCR and have not had it in any language. */
export async function listMissingPages(own: Own, ocrSource: OcrSource, range: PageRange): Promise<number[]> {
  const { from = 1, to = Number.MAX_SAFE_INTEGER } = range;
  const alreadyRecognised = new Set(await listRecognisedPages(own, ocrSource.blobKey, undefined));
  const pages = (await listTextlessPages(own, ocrSource)) ?? [];
  return pages.filter((page) => page >= from && page <= to && !alreadyRecognised.has(page));
}

/** The latest OCR job for some content, within the last day. */
export async function findRecognition(
  { jobs, own, clock }: RecognitionDeps,
  blobKey: string,
): Promise<Job | undefined> {
  const recent = await jobs.list(own.ownerId, RECOGNITION_JOB, clock.now() - LIST_WINDOW_MS);
  return recent.findLast(({ input }) => (input as RecognitionInput).blobKey === blobKey);
}

type RecognitionDeps = Pick<Deps, "jobs" | "clock"> & { own: Own };

/** Starts OCR unless it is running; pages already recognised in that language are skipped. */
export async function startRecognition(ctx: UserCtx, ocrSource: OcrSource, language: string): Promise<void> {
  if (!listInstalledLanguages().includes(language))
    throw new Failure("bad_input", "language_not_recognised", { languages: listInstalledLanguages().join(", ") });
  const { jobs, own, clock } = ctx;
  const last = await findRecognition(ctx, ocrSource.blobKey);
  if (last && isActive(last)) return;
  const recent = await jobs.list(own.ownerId, RECOGNITION_JOB, clock.now() - LIST_WINDOW_MS);
  if (recent.filter(isActive).length >= MAX_ACTIVE_JOBS) throw new Failure("too_many_requests", "recognition_busy");
  const alreadyRecognised = new Set(await listRecognisedPages(own, ocrSource.blobKey, language));
  const pages = ((await listTextlessPages(own, ocrSource)) ?? []).filter((page) => !alreadyRecognised.has(page));
  if (pages.length === 0) return;
  const input: RecognitionInput = { ...ocrSource, language, pages };
  await jobs.enqueue({ _id: ulid(), ownerId: own.ownerId, kind: RECOGNITION_JOB, input });
}

export async function cancelRecognition(ctx: UserCtx, ocrSource: OcrSource): Promise<void> {
  const last = await findRecognition(ctx, ocrSource.blobKey);
  if (last && isActive(last)) await ctx.jobs.cancel(ctx.own.ownerId, last._id);
}

type RecogniserDeps = Pick<Deps, "blobs" | "clock"> & { own: Own };

interface RecognitionRequest extends OcrSource {
  language: string;
  pages: readonly number[];
  signal?: AbortSignal | undefined;
}

/** Runs OCR on pages and stores each result, reporting it through `onPage`. Throws `Unreadable`. */
export async function recogniseAndStore(
  { blobs, own, clock }: RecogniserDeps,
  { blobKey, kind, language, pages, signal }: RecognitionRequest,
  onPage: (page: number) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const local = await blobs.localPath(blobKey);
  let isNew = false;
  try {
    for (let from = 0; from < pages.length; from += BATCH_PAGES) {
      const batch = pages.slice(from, from + BATCH_PAGES);
      const options = signal ? { language, signal } : { language };
      for await (const { page, passages } of recognisePages(kind, local.path, batch, options)) {
        await saveRecognised(own, { blobKey, page, language, passages, readAt: clock.now() });
        isNew = true;
        await onPage(page);
      }
    }
  } finally {
    await local.release();
    // Runs after an interruption too, so that search finds the recognised pages.
    if (isNew) await recordRecognisedText(own, blobKey, clock.now());
  }
}

/** Lets this process run OCR, one file at a time, so that a book does not block card generation. */
export function registerRecognition(deps: Deps): void {
  deps.jobs.register(RECOGNITION_JOB, (run) => runRecognition(deps, run), 1);
}

async function runRecognition(deps: Deps, run: JobRun): Promise<void> {
  const own = ownedBy(deps.store, run.job.ownerId);
  const { blobKey, kind, language, pages } = run.job.input as RecognitionInput;
  // After a crash, continue with the pages that are not stored yet.
  const alreadyRecognised = new Set(await listRecognisedPages(own, blobKey, language));
  const remaining = pages.filter((page) => !alreadyRecognised.has(page));
  const request = { blobKey, kind, language, pages: remaining, signal: run.signal };
  await recogniseAndStore({ ...deps, own }, request, (page) => run.emit([{ type: "page", page }]));
}
