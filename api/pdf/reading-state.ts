import type { UserCtx } from "#api/http/handler.ts";
import type { Job } from "#api/jobs/jobs-port.ts";
import { listInstalledLanguages } from "#api/documents/ocr/ocr-languages.ts";
import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import type { ReadingState } from "#shared/pdf/schema.ts";
import type { ReasonKey } from "#shared/messages/reasons.ts";
import { englishReason } from "#shared/messages/translate.ts";
import { findRecognition, type OcrSource, listTextlessPages } from "./recognition.ts";
import { faultReason, readInBackground } from "./service.ts";
import { findReading, listRecognisedPages } from "./store.ts";

/**
 * A document with at least this share of pages without text counts as a scan. With a smaller share, these pages are
 * taken for drawings or blank pages.
 */
const SCAN_SHARE = 0.3;

type BaseState = Omit<ReadingState, "state">;

const failedFor = (reason: ReasonKey) => ({ state: "failed" as const, message: englishReason(reason), reason });

/** How far a file of the caller was read. Starts reading a file that was never read. */
export async function getReadingState(ctx: UserCtx, file: { _id: string; blobKey: string }): Promise<ReadingState> {
  const kind = documentKindOf(file._id);
  const baseState = {
    pageCount: 1,
    textlessPages: 0,
    recognised: 0,
    message: null,
    languages: listInstalledLanguages(),
  };
  if (kind === "image") return ocrState(ctx, { blobKey: file.blobKey, kind }, baseState);
  const reading = kind && (await findReading(ctx.own, { blobKey: file.blobKey, kind }));
  const progress: BaseState = { ...baseState, pageCount: reading?.pageCount ?? 0 };
  if (kind === undefined) return { ...progress, ...failedFor("file_unprocessable") };
  if (reading?.fault && reading.sliceCount === 0)
    return { ...progress, ...failedFor(faultReason(reading.fault, kind)) };
  if (!reading?.isComplete) {
    readInBackground(ctx, file._id);
    return { ...progress, state: "reading" };
  }
  return kind === "pdf" ? ocrState(ctx, { blobKey: file.blobKey, kind }, progress) : { ...progress, state: "ready" };
}

async function ocrState(ctx: UserCtx, ocrSource: OcrSource, baseState: BaseState): Promise<ReadingState> {
  const pages = (await listTextlessPages(ctx.own, ocrSource)) ?? [];
  const recognisedPages = new Set(await listRecognisedPages(ctx.own, ocrSource.blobKey, undefined));
  const recognised = pages.filter((page) => recognisedPages.has(page)).length;
  const job = await findRecognition(ctx, ocrSource.blobKey);
  const state = stateOfJob(
    job,
    recognised === pages.length,
    pages.length >= SCAN_SHARE * Math.max(1, baseState.pageCount),
  );
  const failed = state === "failed" ? failedFor("text_not_recognised") : {};
  return { ...baseState, state, textlessPages: pages.length, recognised, ...failed };
}

function stateOfJob(job: Job | undefined, isAllRecognised: boolean, isScan: boolean): ReadingState["state"] {
  if (job?.status === "waiting" || job?.status === "running") return job.status;
  if (isAllRecognised || job?.status === "done") return "ready";
  if (job?.status === "failed") return "failed";
  return isScan ? "needs_ocr" : "ready";
}
