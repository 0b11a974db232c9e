import { ulid } from "ulid";
import { removeFile, saveFile } from "#api/blobs/file-records.ts";
import type { ReceivedFile, UserCtx } from "#api/http/handler.ts";
import { lookAtFilm } from "#api/documents/film.ts";
import { keepReading, startReading } from "#api/pdf/service.ts";
import { type Counted, countUsage, giveBack } from "#api/user/service.ts";
import { fileTooLarge, imageTooLarge, planLimits, uploadsUsed } from "#shared/billing/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component } from "#shared/pages/schema.ts";
import {
  cleanFileName,
  judgeFile,
  judgeVideo,
  titleOfFile,
  type UploadFamily,
  type UploadType,
} from "#shared/pdf/upload-rules.ts";
import { planInForce } from "#shared/user/rules.ts";
import { officeTypeOf } from "./office-type.ts";
import { filmPictureAddress, findUploaded, placeComponent, requirePage, savePageFor } from "./uploaded-components.ts";

const MB = 1024 * 1024;

/** Counts an upload against the day's quota, once however often it is repeated. */
export interface DayCount {
  /** False if the day's quota is used up. */
  take(limit: number): Promise<boolean>;
  giveBack(): Promise<void>;
}

interface Wanted {
  family: UploadFamily;
  file: ReceivedFile;
  pageId: string | undefined;
  componentId: string;
  day: DayCount;
}

interface Upload extends Omit<Wanted, "family"> {
  fileId: string;
  type: UploadType;
}

/** Creates a component from a received file, or returns the existing one with that id. */
export async function storeFile(ctx: UserCtx, wanted: Wanted): Promise<Component> {
  const already = await findUploaded(ctx.own, wanted.componentId);
  if (already) return already;
  if (wanted.pageId !== undefined) await requirePage(ctx.own, wanted.pageId);
  const type = await typeOf(wanted.file, wanted.family);
  return countAndStore(ctx, { ...wanted, type, fileId: `${ulid()}.${type.extension}` });
}

async function typeOf(file: ReceivedFile, family: UploadFamily): Promise<UploadType> {
  const verdict = family === "video" ? judgeVideo(file) : judgeFile(file);
  if (!verdict.ok) throw new Failure(verdict.code, verdict.why);
  return family === "video" ? verdict.type : officeTypeOf(verdict.type, file);
}

/** Checks the size; the quota is checked only when everything else is valid. */
export function checkSize({ caller, clock }: UserCtx, family: UploadFamily, sizeBytes: number): void {
  const plan = planInForce(caller.plan, clock.now());
  const { fileSizeMb } = planLimits[plan];
  if (sizeBytes <= fileSizeMb * MB) return;
  const reasonOf = family === "video" ? fileTooLarge : imageTooLarge;
  throw new Failure("too_large", reasonOf(sizeBytes, plan), undefined, { limit: "file_size", fileSizeMb });
}

export function dayIsUsedUp(limit: number): Failure {
  return new Failure("limit_reached", uploadsUsed(limit), undefined, { limit: "fileUploads", allowed: limit });
}

/** Counts the upload before storing it, and refunds the quota if storing fails. */
async function countAndStore(ctx: UserCtx, upload: Upload): Promise<Component> {
  checkSize(ctx, upload.type.family, upload.file.sizeBytes);
  if (!upload.type.countsAgainstDay) return storeUpload(ctx, upload);
  const { fileUploads } = planLimits[planInForce(ctx.caller.plan, ctx.clock.now())];
  if (!(await upload.day.take(fileUploads))) throw dayIsUsedUp(fileUploads);
  let isKept = false;
  try {
    const component = await storeUpload(ctx, upload);
    isKept = holds(component, upload);
    return component;
  } finally {
    if (!isKept) await upload.day.giveBack();
  }
}

/** The quota count of an upload sent in one request. */
export function plainCount(ctx: UserCtx): DayCount {
  let counted: Counted | undefined;
  return {
    async take(limit) {
      const outcome = await countUsage(ctx, "fileUploads", 1, limit);
      if (outcome.outcome === "counted") counted = outcome.counted;
      return counted !== undefined;
    },
    async giveBack() {
      if (counted) await giveBack(ctx.own, counted);
    },
  };
}

/** Whether this attempt filled the component; of two concurrent attempts only one does. */
function holds(component: Component, { fileId }: Upload): boolean {
  return (component.type === "image" || component.type === "video") && component.content.file.id === fileId;
}

async function storeUpload(ctx: UserCtx, upload: Upload): Promise<Component> {
  const { file, fileId } = upload;
  const reading = await startReading(await file.path(), fileId);
  if (!reading) return keepUpload(ctx, upload);
  try {
    const component = await keepUpload(ctx, upload);
    if (!holds(component, upload)) {
      await reading.abandon();
      return component;
    }
    // The rest is read after the response; requests for its text wait or read what they need.
    keepReading(ctx, fileId, reading).catch((error: unknown) =>
      ctx.log.error({ requestId: ctx.requestId, err: error }, "a file could not be read completely"),
    );
    return component;
  } catch (error) {
    await reading.abandon();
    throw error;
  }
}

/** Fallback metadata: a browser that can play the video sends better ones later. */
async function filmContent(file: ReceivedFile, componentId: string) {
  const { durationMs, hasPicture } = await lookAtFilm(await file.path());
  return {
    videoType: "file" as const,
    ...(durationMs !== undefined && { durationMs }),
    ...(hasPicture && { thumbnail: filmPictureAddress(componentId) }),
  };
}

async function keepUpload(ctx: UserCtx, upload: Upload): Promise<Component> {
  const { own, clock } = ctx;
  const { file, type, componentId, fileId } = upload;
  const now = clock.now();
  const name = cleanFileName(file.name, type);
  const film = type.family === "video" ? await filmContent(file, componentId) : {};
  await file.keep();
  const { key: blobKey, sizeBytes } = file;
  await saveFile(own, { _id: fileId, blobKey, name, mime: type.mime, sizeBytes, createdAt: now });
  const title = titleOfFile(name);
  const pageId = upload.pageId ?? (await savePageFor(own, title, now));
  const component = await placeComponent(own, {
    _id: componentId,
    pageId,
    type: type.family,
    content: {
      file: { id: fileId, name },
      url: `/v1/files/${fileId}`,
      isArchived: false,
      archivedAt: null,
      thumbnail: null,
      ...film,
      title,
    },
    createdAt: now,
    modifiedAt: now,
    createdBy: own.ownerId,
    lastOpenedAt: null,
    version: 1,
  });
  if (!holds(component, upload)) await removeFile(own, fileId);
  return component;
}
