import { ulid } from "ulid";
import { findFile, removeFile, saveFile } from "#api/kit/blobs/file-records.ts";
import type { FileAnswer, Handlers, ReceivedFile, UserCtx } from "#api/kit/handler.ts";
import { keepReading, startReading } from "#api/pdf/service.ts";
import { countUsage, giveBack } from "#api/user/service.ts";
import { imageTooLargeMessage, planLimits, uploadsUsedMessage } from "#shared/billing/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { pages } from "#shared/pages/contract.ts";
import type { Component } from "#shared/pages/schema.ts";
import { cleanFileName, judgeFile, titleOfFile, type UploadType } from "#shared/pdf/upload-rules.ts";
import { planInForce } from "#shared/user/rules.ts";
import { downloadImage } from "./image-download.ts";
import { findUploaded, placeComponent, requirePage, savePageFor } from "./uploaded-components.ts";

const MB = 1024 * 1024;

type UploadHandlers = Pick<Handlers<typeof pages>, "uploadImageComponent" | "downloadImage" | "getFile">;

export const uploadHandlers: UploadHandlers = {
  async uploadImageComponent(ctx, { pageId, componentId = ulid() }, files) {
    const already = await findUploaded(ctx.own, componentId);
    if (already) return { component: already };
    if (pageId !== undefined) await requirePage(ctx.own, pageId);
    const file = files.find(({ field }) => field === "file");
    if (!file) throw new Failure("bad_input", "Please choose a file to upload.");
    const verdict = judgeFile(file);
    if (!verdict.ok) throw new Failure(verdict.code, verdict.message);
    const fileId = `${ulid()}.${verdict.type.extension}`;
    return { component: await countAndStore(ctx, { fileId, componentId, pageId, file, type: verdict.type }) };
  },

  downloadImage: (ctx, { url }) => downloadImage(ctx, url),

  async getFile(ctx, { fileId }) {
    return answerWithFile(ctx, fileId);
  },
};

interface Upload {
  fileId: string;
  componentId: string;
  pageId: string | undefined;
  file: ReceivedFile;
  type: UploadType;
}

/** Size first, then the day's uploads; what is refused after it was counted is given back. */
async function countAndStore(ctx: UserCtx, upload: Upload): Promise<Component> {
  const plan = planInForce(ctx.caller.plan, ctx.clock.now());
  const { fileSizeMb, fileUploads } = planLimits[plan];
  const { sizeBytes } = upload.file;
  if (sizeBytes > fileSizeMb * MB)
    throw new Failure("too_large", imageTooLargeMessage(sizeBytes, plan), { fileSizeMb });
  if (!upload.type.countsAgainstDay) return storeUpload(ctx, upload);
  const counted = await countUsage(ctx, "fileUploads", 1, fileUploads);
  if (counted.outcome === "limit_reached") {
    const data = { limit: "fileUploads", allowed: fileUploads };
    throw new Failure("limit_reached", uploadsUsedMessage(fileUploads), data);
  }
  let isKept = false;
  try {
    const component = await storeUpload(ctx, upload);
    isKept = holds(component, upload);
    return component;
  } finally {
    if (!isKept) await giveBack(ctx.own, counted.counted);
  }
}

/** Of two tries of one upload at once, one fills the component, and the other is answered with it. */
function holds(component: Component, { fileId }: Upload): boolean {
  return component.type === "image" && component.content.file.id === fileId;
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
    // The rest is read after the answer; whoever asks for it before it is there waits or reads what they need.
    keepReading(ctx, fileId, reading).catch((error: unknown) =>
      ctx.log.error({ requestId: ctx.requestId, err: error }, "a file could not be read to its end"),
    );
    return component;
  } catch (error) {
    await reading.abandon();
    throw error;
  }
}

async function keepUpload(ctx: UserCtx, upload: Upload): Promise<Component> {
  const { own, clock } = ctx;
  const { file, type, componentId, fileId } = upload;
  const now = clock.now();
  const name = cleanFileName(file.name, type);
  await file.keep();
  const { key: blobKey, sizeBytes } = file;
  await saveFile(own, { _id: fileId, blobKey, name, mime: type.mime, sizeBytes, createdAt: now });
  const title = titleOfFile(name);
  const pageId = upload.pageId ?? (await savePageFor(own, title, now));
  const component = await placeComponent(own, {
    _id: componentId,
    pageId,
    type: "image",
    content: {
      file: { id: fileId, name },
      url: `/v1/files/${fileId}`,
      isArchived: false,
      archivedAt: null,
      thumbnail: null,
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

async function answerWithFile({ own, blobs }: UserCtx, fileId: string): Promise<FileAnswer> {
  const file = await findFile(own, fileId);
  if (!file) throw new Failure("not_found", "There is no such file.");
  const { blobKey, mime, sizeBytes, name } = file;
  return {
    type: mime,
    sizeBytes,
    open: (range) => blobs.open(blobKey, range),
    disposition: { kind: "inline", name },
    etag: blobKey,
  };
}
