import { ulid } from "ulid";
import { removeFile, saveFile, sumStoredBytes } from "#api/blobs/file-records.ts";
import { recordStep } from "#api/store/figures/activity.ts";
import { requireStorage } from "#api/blobs/storage-quota.ts";
import type { ReceivedFile, UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { probeVideo } from "#api/documents/video-metadata.ts";
import { continueReading, startReading } from "#api/pdf/service.ts";
import { type Counted, countUsage, refundUsage } from "#api/user/service.ts";
import { fileTooLarge, imageTooLarge, planLimits, uploadsUsed } from "#shared/billing/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component, FileContent } from "#shared/pages/schema.ts";
import {
  cleanFileName,
  classifyFile,
  classifyVideo,
  titleOfFile,
  type UploadFamily,
  type UploadType,
} from "#shared/uploads/rules.ts";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import { detectOfficeType } from "./office-type.ts";
import { refuseForeignComponentId } from "#api/pages/store.ts";
import {
  videoThumbnailUrl,
  findFileComponent,
  storeFileComponent,
  requirePage,
  createPageForFile,
} from "#api/pages/uploaded-components.ts";

const BYTES_PER_MB = 1024 * 1024;

/** Counts an upload against the day's quota, once even if the upload is repeated. */
export interface DayCount {
  /** False if the day's quota is used up. */
  tryCount(limit: number): Promise<boolean>;
  refund(): Promise<void>;
}

interface UploadRequest {
  family: UploadFamily;
  file: ReceivedFile;
  pageId: string | undefined;
  componentId: string;
  day: DayCount;
}

interface Upload extends Omit<UploadRequest, "family"> {
  fileId: string;
  type: UploadType;
}

/** Creates a component from a received file, or returns the existing one with that id. */
export async function storeFile(ctx: UserCtx, request: UploadRequest): Promise<Component> {
  const existing = await findFileComponent(ctx.own, request.componentId);
  if (existing) return existing;
  if (request.pageId !== undefined) await requirePage(ctx.own, request.pageId);
  await refuseForeignComponentId(ctx.own, request.componentId);
  const type = await requireUploadType(request.file, request.family);
  return countAndStore(ctx, { ...request, type, fileId: `${ulid()}.${type.extension}` });
}

async function requireUploadType(file: ReceivedFile, family: UploadFamily): Promise<UploadType> {
  const verdict = family === "video" ? classifyVideo(file) : classifyFile(file);
  if (!verdict.ok) throw new Failure(verdict.code, verdict.why);
  return family === "video" ? verdict.type : detectOfficeType(verdict.type, file);
}

/** Checks the size; the quota is checked only when everything else is valid. */
export function checkSize({ caller, clock }: UserCtx, family: UploadFamily, sizeBytes: number): void {
  const plan = effectivePlan(caller.plan, clock.now());
  const { fileSizeMb } = planLimits[plan];
  if (sizeBytes <= fileSizeMb * BYTES_PER_MB) return;
  const reasonOf = family === "video" ? fileTooLarge : imageTooLarge;
  throw new Failure("too_large", reasonOf(sizeBytes, plan), undefined, { limit: "file_size", fileSizeMb });
}

export function dailyQuotaUsed(limit: number): Failure {
  return new Failure("limit_reached", uploadsUsed(limit), undefined, { limit: "fileUploads", allowed: limit });
}

/** Counts the upload before storing it, and refunds the quota if storing fails. */
async function countAndStore(ctx: UserCtx, upload: Upload): Promise<Component> {
  checkSize(ctx, upload.type.family, upload.file.sizeBytes);
  await requireStorage(ctx, upload.file.sizeBytes, sumStoredBytes);
  if (!upload.type.countsAgainstDay) return storeUpload(ctx, upload);
  const { fileUploads } = planLimits[effectivePlan(ctx.caller.plan, ctx.clock.now())];
  if (!(await upload.day.tryCount(fileUploads))) throw dailyQuotaUsed(fileUploads);
  let isStored = false;
  try {
    const component = await storeUpload(ctx, upload);
    isStored = isStoredUnder(component, upload);
    return component;
  } finally {
    if (!isStored) await upload.day.refund();
  }
}

/** The quota count of an upload sent in one request. */
export function singleUploadCount(ctx: UserCtx): DayCount {
  let counted: Counted | undefined;
  return {
    async tryCount(limit) {
      const outcome = await countUsage(ctx, "fileUploads", 1, limit);
      if (outcome.outcome === "counted") counted = outcome.counted;
      return counted !== undefined;
    },
    async refund() {
      if (counted) await refundUsage(ctx.own, counted);
    },
  };
}

/** Whether this attempt filled the component; of two concurrent attempts only one does. */
function isStoredUnder(component: Component, { fileId }: Upload): boolean {
  return (component.type === "image" || component.type === "video") && component.content.file.id === fileId;
}

async function storeUpload(ctx: UserCtx, upload: Upload): Promise<Component> {
  const { file, fileId } = upload;
  const reading = await startReading(await file.path(), fileId);
  if (!reading) return saveUploadComponent(ctx, upload);
  try {
    const component = await saveUploadComponent(ctx, upload, reading.title);
    if (!isStoredUnder(component, upload)) {
      await reading.cancel();
      return component;
    }
    // The remaining pages are read after the response. Requests for the text wait, or read the pages that they need.
    continueReading(ctx, fileId, reading).catch((error: unknown) =>
      ctx.log.error({ requestId: ctx.requestId, err: error }, "a file could not be read completely"),
    );
    return component;
  } catch (error) {
    await reading.cancel();
    throw error;
  }
}

/** Fallback metadata: a browser that can play the video sends better metadata later. */
async function readVideoMetadata(file: ReceivedFile, componentId: string) {
  const { durationMs, hasPicture } = await probeVideo(await file.path());
  return {
    videoType: "file" as const,
    ...(durationMs !== undefined && { durationMs }),
    ...(hasPicture && { thumbnail: videoThumbnailUrl(componentId) }),
  };
}

/** `ownTitle` is the title in the document; without it, the title is the file name. */
async function saveUploadComponent(ctx: UserCtx, upload: Upload, ownTitle?: string): Promise<Component> {
  const { own, clock } = ctx;
  const { file, type, componentId, fileId } = upload;
  const now = clock.now();
  const name = cleanFileName(file.name, type);
  const videoFields = type.family === "video" ? await readVideoMetadata(file, componentId) : {};
  await file.commit();
  const { key: blobKey, sizeBytes } = file;
  await saveFile(ctx, { _id: fileId, blobKey, name, mime: type.mime, sizeBytes, createdAt: now });
  await recordStep(ctx.own, "source");
  try {
    return await saveComponentOf(own, upload, { name, title: ownTitle ?? titleOfFile(name), now, videoFields });
  } finally {
    // Another attempt may have filled the component. This attempt may also have stored it although it could not be
    // added to the page.
    const component = await findFileComponent(own, componentId);
    if (!component || !isStoredUnder(component, upload)) await removeFile(own, fileId);
  }
}

interface ComponentFields {
  name: string;
  title: string;
  now: number;
  videoFields: Partial<FileContent>;
}

async function saveComponentOf(own: Own, upload: Upload, { name, title, now, videoFields }: ComponentFields) {
  const { type, componentId, fileId } = upload;
  const pageId = upload.pageId ?? (await createPageForFile(own, { componentId, title, now }));
  return storeFileComponent(own, {
    _id: componentId,
    pageId,
    type: type.family,
    content: {
      file: { id: fileId, name },
      url: `/v1/files/${fileId}`,
      isArchived: false,
      archivedAt: null,
      thumbnail: null,
      ...videoFields,
      title,
    },
    createdAt: now,
    modifiedAt: now,
    createdBy: own.ownerId,
    lastOpenedAt: null,
    version: 1,
  });
}
