import { ulid } from "ulid";
import { fileAnswer } from "#api/blobs/file-answer.ts";
import { findFile } from "#api/blobs/file-records.ts";
import type { FileAnswer, Handlers, ReceivedFile, UserCtx } from "#api/http/handler.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { uploads } from "#shared/pages/upload-contract.ts";
import type { UploadFamily } from "#shared/pdf/upload-rules.ts";
import { downloadImage } from "./image-download.ts";
import { resumableHandlers } from "./resumable.ts";
import { plainCount, storeFile } from "./store-upload.ts";
import { thumbnailHandlers } from "./thumbnails.ts";
import { findUploaded } from "./uploaded-components.ts";

export const uploadHandlers: Handlers<typeof uploads> = {
  ...resumableHandlers,
  ...thumbnailHandlers,
  uploadImageComponent: (ctx, place, files) => storeOne(ctx, "image", place, files),
  uploadVideoComponent: (ctx, place, files) => storeOne(ctx, "video", place, files),
  downloadImage: (ctx, { url }) => downloadImage(ctx, url),
  getFile: (ctx, { fileId }) => answerWithFile(ctx, fileId),
};

interface Place {
  pageId?: string | undefined;
  componentId?: string | undefined;
}

async function storeOne(ctx: UserCtx, family: UploadFamily, place: Place, files: readonly ReceivedFile[]) {
  const { pageId, componentId = ulid() } = place;
  const already = await findUploaded(ctx.own, componentId);
  if (already) return { component: already };
  const file = files.find(({ field }) => field === "file");
  if (!file) throw new Failure("bad_input", "choose_file");
  return { component: await storeFile(ctx, { family, file, pageId, componentId, day: plainCount(ctx) }) };
}

async function answerWithFile({ own, blobs }: UserCtx, fileId: string): Promise<FileAnswer> {
  const file = await findFile(own, fileId);
  if (!file) throw new Failure("not_found", "no_file");
  return fileAnswer(blobs, file);
}
