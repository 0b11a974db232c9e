import { ulid } from "ulid";
import type { Deps, UserCtx } from "#api/kit/handler.ts";
import { findFile, noteText } from "#api/kit/blobs/file-records.ts";
import { isActive, type Job, type JobRun } from "#api/kit/jobs-port.ts";
import { recognisePages } from "#api/kit/parsing/document-reader.ts";
import { installedLanguages } from "#api/kit/parsing/ocr/languages.ts";
import { type Own, ownedBy } from "#api/kit/store/owned.ts";
import { Failure } from "#shared/contract/failure.ts";
import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import { findReading, listRecognisedPages, saveRecognised } from "./store.ts";

const RECOGNITION = "recognition";
const LISTED_MS = 86_400_000;
const MAX_ACTIVE = 3;
/** Between so many pages another file may have its turn. */
const BATCH_PAGES = 4;

/** A file whose pictures can be read. */
export interface Pictured {
  blobKey: string;
  kind: "pdf" | "image";
}

interface RecognitionInput extends Pictured {
  language: string;
  pages: number[];
}

/** Undefined for files whose text needs no recognising. */
export async function findPictured(own: Own, fileId: string): Promise<Pictured | undefined> {
  const kind = documentKindOf(fileId);
  if (kind !== "pdf" && kind !== "image") return undefined;
  const file = await findFile(own, fileId);
  return file && { blobKey: file.blobKey, kind };
}

/** The pages that are pictures, in order; undefined while that is not known yet. */
export async function picturePages(own: Own, pictured: Pictured): Promise<number[] | undefined> {
  if (pictured.kind === "image") return [1];
  const reading = await findReading(own, { blobKey: pictured.blobKey, kind: "pdf" });
  return reading?.isComplete ? reading.textlessPages : undefined;
}

interface PageRange {
  from?: number | undefined;
  to?: number | undefined;
}

/** The pages in a range that are pictures and were recognised in no language yet. */
export async function listMissingPages(own: Own, pictured: Pictured, range: PageRange): Promise<number[]> {
  const { from = 1, to = Number.MAX_SAFE_INTEGER } = range;
  const known = new Set(await listRecognisedPages(own, pictured.blobKey, undefined));
  const pages = (await picturePages(own, pictured)) ?? [];
  return pages.filter((page) => page >= from && page <= to && !known.has(page));
}

/** The last recognition of some content that was asked for, while it is remembered. */
export async function findRecognition(
  { jobs, own, clock }: RecognitionParts,
  blobKey: string,
): Promise<Job | undefined> {
  const recent = await jobs.list(own.ownerId, RECOGNITION, clock.now() - LISTED_MS);
  return recent.findLast(({ input }) => (input as RecognitionInput).blobKey === blobKey);
}

type RecognitionParts = Pick<Deps, "jobs" | "clock"> & { own: Own };

/** Begins to recognise, unless it is being done; `pages` that were recognised in that language are left out. */
export async function startRecognition(ctx: UserCtx, pictured: Pictured, language: string): Promise<void> {
  if (!installedLanguages().includes(language))
    throw new Failure("bad_input", "language_not_recognised", { languages: installedLanguages().join(", ") });
  const { jobs, own, clock } = ctx;
  const last = await findRecognition(ctx, pictured.blobKey);
  if (last && isActive(last)) return;
  const recent = await jobs.list(own.ownerId, RECOGNITION, clock.now() - LISTED_MS);
  if (recent.filter(isActive).length >= MAX_ACTIVE) throw new Failure("too_many_requests", "recognition_busy");
  const known = new Set(await listRecognisedPages(own, pictured.blobKey, language));
  const pages = ((await picturePages(own, pictured)) ?? []).filter((page) => !known.has(page));
  if (pages.length === 0) return;
  const input: RecognitionInput = { ...pictured, language, pages };
  await jobs.enqueue({ _id: ulid(), ownerId: own.ownerId, kind: RECOGNITION, input });
}

export async function cancelRecognition(ctx: UserCtx, pictured: Pictured): Promise<void> {
  const last = await findRecognition(ctx, pictured.blobKey);
  if (last && isActive(last)) await ctx.jobs.cancel(ctx.own.ownerId, last._id);
}

type Recogniser = Pick<Deps, "blobs" | "clock"> & { own: Own };

interface Wanted extends Pictured {
  language: string;
  pages: readonly number[];
  signal?: AbortSignal | undefined;
}

/** Recognises pages and keeps each as it comes, told by `onPage`. Throws Unreadable. */
export async function recogniseAndKeep(
  { blobs, own, clock }: Recogniser,
  { blobKey, kind, language, pages, signal }: Wanted,
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
    // Also where it was stopped in the middle: who searches finds the pages that were recognised.
    if (isNew) await noteText(own, blobKey, clock.now());
  }
}

/** Lets this process recognise, one file at a time: whoever waits for cards is not held up by a book. */
export function registerRecognition(deps: Deps): void {
  deps.jobs.register(RECOGNITION, (run) => work(deps, run), 1);
}

async function work(deps: Deps, run: JobRun): Promise<void> {
  const own = ownedBy(deps.store, run.job.ownerId);
  const { blobKey, kind, language, pages } = run.job.input as RecognitionInput;
  // A run after a crash goes on behind what was kept.
  const known = new Set(await listRecognisedPages(own, blobKey, language));
  const left = pages.filter((page) => !known.has(page));
  const wanted = { blobKey, kind, language, pages: left, signal: run.signal };
  await recogniseAndKeep({ ...deps, own }, wanted, (page) => run.emit([{ type: "page", page }]));
}
