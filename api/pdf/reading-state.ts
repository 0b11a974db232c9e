import type { UserCtx } from "#api/http/handler.ts";
import type { Job } from "#api/jobs/jobs-port.ts";
import { installedLanguages } from "#api/documents/ocr/languages.ts";
import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import type { ReadingState } from "#shared/pdf/schema.ts";
import type { ReasonKey } from "#shared/messages/reasons.ts";
import { englishReason } from "#shared/messages/translate.ts";
import { findRecognition, type Pictured, picturePages } from "./recognition.ts";
import { faultReason, readInTime } from "./service.ts";
import { findReading, listRecognisedPages } from "./store.ts";

/** Above this share of pages without text a document counts as a scan; below it they are drawings or blank pages. */
const SCAN_SHARE = 0.3;

type Base = Omit<ReadingState, "state">;

const failedFor = (reason: ReasonKey) => ({ state: "failed" as const, message: englishReason(reason), reason });

/** How far a file of the caller was read; one that nobody has read yet begins to be. */
export async function readingStateOf(ctx: UserCtx, file: { _id: string; blobKey: string }): Promise<ReadingState> {
  const kind = documentKindOf(file._id);
  const base = { pageCount: 1, textlessPages: 0, recognised: 0, message: null, languages: installedLanguages() };
  if (kind === "image") return pictureState(ctx, { blobKey: file.blobKey, kind }, base);
  const reading = kind && (await findReading(ctx.own, { blobKey: file.blobKey, kind }));
  const read: Base = { ...base, pageCount: reading?.pageCount ?? 0 };
  if (kind === undefined) return { ...read, ...failedFor("file_unprocessable") };
  if (reading?.fault && reading.sliceCount === 0) return { ...read, ...failedFor(faultReason(reading.fault, kind)) };
  if (!reading?.isComplete) {
    readInTime(ctx, file._id);
    return { ...read, state: "reading" };
  }
  return kind === "pdf" ? pictureState(ctx, { blobKey: file.blobKey, kind }, read) : { ...read, state: "ready" };
}

async function pictureState(ctx: UserCtx, pictured: Pictured, base: Base): Promise<ReadingState> {
  const pages = (await picturePages(ctx.own, pictured)) ?? [];
  const known = new Set(await listRecognisedPages(ctx.own, pictured.blobKey, undefined));
  const recognised = pages.filter((page) => known.has(page)).length;
  const job = await findRecognition(ctx, pictured.blobKey);
  const state = stateOfJob(job, recognised === pages.length, pages.length >= SCAN_SHARE * Math.max(1, base.pageCount));
  const failed = state === "failed" ? failedFor("text_not_recognised") : {};
  return { ...base, state, textlessPages: pages.length, recognised, ...failed };
}

function stateOfJob(job: Job | undefined, isAllRead: boolean, isScan: boolean): ReadingState["state"] {
  if (job?.status === "waiting" || job?.status === "running") return job.status;
  if (isAllRead || job?.status === "done") return "ready";
  if (job?.status === "failed") return "failed";
  return isScan ? "needs_ocr" : "ready";
}
