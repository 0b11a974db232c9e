import type { UserCtx } from "#api/http/handler.ts";
import type { Job } from "#api/jobs/jobs-port.ts";
import { installedLanguages } from "#api/documents/ocr/languages.ts";
import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import type { ReadingState } from "#shared/pdf/schema.ts";
import { uploadMessages } from "#shared/pdf/upload-rules.ts";
import { findRecognition, type Pictured, picturePages } from "./recognition.ts";
import { faultMessage, readInTime } from "./service.ts";
import { findReading, listRecognisedPages } from "./store.ts";

/** Above this share of pages without text a document counts as a scan; below it they are drawings or blank pages. */
const SCAN_SHARE = 0.3;

type Base = Omit<ReadingState, "state">;

/** How far a file has been read; starts reading it if nobody has. */
export async function readingStateOf(ctx: UserCtx, file: { _id: string; blobKey: string }): Promise<ReadingState> {
  const kind = documentKindOf(file._id);
  const base = { pageCount: 1, textlessPages: 0, recognised: 0, message: null, languages: installedLanguages() };
  if (kind === "image") return pictureState(ctx, { blobKey: file.blobKey, kind }, base);
  const reading = kind && (await findReading(ctx.own, { blobKey: file.blobKey, kind }));
  const read: Base = { ...base, pageCount: reading?.pageCount ?? 0 };
  if (kind === undefined) return { ...read, state: "failed", message: uploadMessages.unreadable };
  if (reading?.fault && reading.sliceCount === 0)
    return { ...read, state: "failed", message: faultMessage(reading.fault, kind) };
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
  return { ...base, state, textlessPages: pages.length, recognised, message: state === "failed" ? FAILED : null };
}

function stateOfJob(job: Job | undefined, isAllRead: boolean, isScan: boolean): ReadingState["state"] {
  if (job?.status === "waiting" || job?.status === "running") return job.status;
  if (isAllRead || job?.status === "done") return "ready";
  if (job?.status === "failed") return "failed";
  return isScan ? "needs_ocr" : "ready";
}

const FAILED = "The text in this file could not be recognised. Please try a sharper picture or another file.";
