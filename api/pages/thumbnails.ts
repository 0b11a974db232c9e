import { Readable } from "node:stream";
import { type FileRecord, findFile } from "#api/blobs/file-records.ts";
import type { FileAnswer, Handlers, ReceivedFile, UserCtx } from "#api/http/handler.ts";
import { findFfmpeg } from "#api/documents/ffmpeg.ts";
import { withFrame } from "#api/documents/film.ts";
import { makeThumbnail } from "#api/documents/thumbnails/make-thumbnail.ts";
import type { Own } from "#api/store/owned.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { uploads } from "#shared/pages/upload-contract.ts";
import { judgeFile } from "#shared/pdf/upload-rules.ts";
import { describeUploaded, filmPictureAddress, findUploaded } from "./uploaded-components.ts";

/** Thumbnail of a file; `blobKey` is null if none can be made. */
interface ThumbnailDoc extends OwnedDoc {
  blobKey: string | null;
  madeAt: number;
}

const thumbnails: CollectionSpec<ThumbnailDoc> = {
  name: "thumbnails",
  shardKey: "ownerId",
  indexes: [{ fields: ["blobKey"] }],
};

const MAX_BYTES = 2 * 1024 * 1024;

type ThumbnailHandlers = Pick<Handlers<typeof uploads>, "getPdfThumbnail" | "getVideoThumbnail" | "putVideoThumbnail">;

const noThumbnail = () => new Failure("not_found", "no_thumbnail");

export const thumbnailHandlers: ThumbnailHandlers = {
  async getPdfThumbnail(ctx, { componentId }) {
    const file = await fileOf(ctx, componentId, "image");
    return answerWith(ctx, (await keptOf(ctx, file._id)) ?? (await makeOnce(ctx, file)));
  },

  async getVideoThumbnail(ctx, { componentId }) {
    const file = await fileOf(ctx, componentId, "video");
    return answerWith(ctx, (await keptOf(ctx, file._id)) ?? (await makeOnce(ctx, file)));
  },

  /** A frame captured by the browser is untrusted input, so it is processed like any image. */
  async putVideoThumbnail(ctx, { componentId, durationMs }, files) {
    const video = await fileOf(ctx, componentId, "video");
    const [picture] = files;
    if (!picture && durationMs === undefined) throw new Failure("bad_input", "no_picture_or_length");
    if (picture) await keepFrame(ctx, video._id, picture);
    const told = {
      ...(picture && { thumbnail: filmPictureAddress(componentId) }),
      ...(durationMs !== undefined && { durationMs }),
    };
    return { component: await describeUploaded(ctx, componentId, told) };
  },
};

async function keepFrame(ctx: UserCtx, fileId: string, picture: ReceivedFile): Promise<void> {
  const verdict = judgeFile(picture);
  if (!verdict.ok) throw new Failure(verdict.code, verdict.why);
  const image = await makeThumbnail({ path: await picture.path(), isPdf: false });
  if (!image) throw new Failure("invalid_file", "picture_unreadable");
  await keep(ctx, fileId, image);
}

async function fileOf({ own }: UserCtx, componentId: string, type: "image" | "video"): Promise<FileRecord> {
  const component = await findUploaded(own, componentId);
  const file = component?.type === type ? await findFile(own, component.content.file.id) : undefined;
  if (!file) throw noThumbnail();
  return file;
}

const keptOf = ({ own }: UserCtx, fileId: string) => own.in(thumbnails).get(fileId);

/** Concurrent requests for the same thumbnail share one run. */
const making = new Map<string, Promise<ThumbnailDoc | undefined>>();

function makeOnce(ctx: UserCtx, file: FileRecord): Promise<ThumbnailDoc | undefined> {
  const already = making.get(file._id);
  if (already) return already;
  const work = make(ctx, file).finally(() => making.delete(file._id));
  making.set(file._id, work);
  return work;
}

async function make(ctx: UserCtx, { _id, blobKey, mime }: FileRecord): Promise<ThumbnailDoc | undefined> {
  const isPdf = mime === "application/pdf";
  const isFilm = mime.startsWith("video/");
  if (!isPdf && !isFilm && !mime.startsWith("image/")) return undefined;
  const local = await ctx.blobs.localPath(blobKey);
  try {
    if (!isFilm) return await keep(ctx, _id, await makeThumbnail({ path: local.path, isPdf }));
    // Not stored as failed: a browser may send a frame, or ffmpeg may be installed later.
    if ((await findFfmpeg()) === undefined) return undefined;
    return await keep(ctx, _id, await withFrame(local.path, (path) => makeThumbnail({ path, isPdf: false })));
  } finally {
    await local.release();
  }
}

async function keep({ own, blobs, clock }: UserCtx, fileId: string, image: Uint8Array | undefined) {
  const blob = image && (await blobs.receive(Readable.from([Buffer.from(image)]), MAX_BYTES));
  await blob?.keep();
  const made = { blobKey: blob?.key ?? null, madeAt: clock.now() };
  await own.in(thumbnails).insert({ _id: fileId, ...made });
  return own.in(thumbnails).patch({ _id: fileId }, { set: made });
}

async function answerWith({ blobs }: UserCtx, doc: ThumbnailDoc | undefined): Promise<FileAnswer> {
  const key = doc?.blobKey ?? null;
  const sizeBytes = key === null ? undefined : await blobs.size(key);
  if (key === null || sizeBytes === undefined) throw noThumbnail();
  return {
    type: "image/webp",
    sizeBytes,
    open: (range) => blobs.open(key, range),
    etag: key,
    cacheControl: "private, max-age=86400",
  };
}

export const removeThumbnail = (own: Own, fileId: string) => own.in(thumbnails).remove({ _id: fileId });

/** Those of the blobs that are thumbnails. */
export async function namedByThumbnails(store: DocumentStore, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const found = await store.collection(thumbnails).find({ blobKey: { in: keys } }, { fields: ["blobKey"] });
  return found.flatMap(({ blobKey }) => blobKey ?? []);
}
