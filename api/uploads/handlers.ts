import { ulid } from "ulid";
import { createFileAnswer } from "#api/http/file-answer.ts";
import { findFile } from "#api/blobs/file-records.ts";
import type { FileAnswer, Handlers, ReceivedFile, UserCtx } from "#api/http/handler.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { uploads } from "#shared/uploads/contract.ts";
import type { UploadFamily } from "#shared/uploads/rules.ts";
import { downloadImage } from "./image-download.ts";
import { resumableHandlers } from "./resumable-uploads.ts";
import { singleUploadCount, storeFile } from "./store-upload.ts";
import { thumbnailHandlers } from "./thumbnails.ts";
import { findFileComponent } from "#api/pages/uploaded-components.ts";

export const handlers: Handlers<typeof uploads> = {
  ...resumableHandlers,
  ...thumbnailHandlers,
  uploadImageComponent: (ctx, target, files) => uploadFile(ctx, "image", target, files),
  uploadVideoComponent: (ctx, target, files) => uploadFile(ctx, "video", target, files),
  downloadImage: (ctx, { url }) => downloadImage(ctx, url),
  getFile: (ctx, { fileId }) => answerWithFile(ctx, fileId),
};

interface UploadTarget {
  pageId?: string | undefined;
  componentId?: string | undefined;
}

async function uploadFile(ctx: UserCtx, family: UploadFamily, target: UploadTarget, files: readonly ReceivedFile[]) {
  const { pageId, componentId = ulid() } = target;
  const existing = await findFileComponent(ctx.own, componentId);
  if (existing) return { component: existing };
  const file = files.find(({ field }) => field === "file");
  if (!file) throw new Failure("bad_input", "choose_file");
  return { component: await storeFile(ctx, { family, file, pageId, componentId, day: singleUploadCount(ctx) }) };
}

async function answerWithFile({ own, blobs }: UserCtx, fileId: string): Promise<FileAnswer> {
  const file = await findFile(own, fileId);
  if (!file) throw new Failure("not_found", "no_file");
  return createFileAnswer(blobs, file);
}
