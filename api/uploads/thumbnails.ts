import { Readable } from "node:stream";
import { type FileRecord, findFile } from "#api/blobs/file-records.ts";
import type { FileAnswer, Handlers, ReceivedFile, UserCtx } from "#api/http/handler.ts";
import { findFfmpeg } from "#api/documents/ffmpeg.ts";
import { withVideoFrame } from "#api/documents/video-metadata.ts";
import { makeThumbnail } from "#api/documents/thumbnails/make-thumbnail.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore, OwnedDoc } from "#api/store/port.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { uploads } from "#shared/uploads/contract.ts";
import { classifyFile } from "#shared/uploads/rules.ts";
import { updateFileMetadata, videoThumbnailUrl, findFileComponent } from "#api/pages/uploaded-components.ts";

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

const thumbnailNotFound = () => new Failure("not_found", "no_thumbnail");

export const thumbnailHandlers: ThumbnailHandlers = {
  async getPdfThumbnail(ctx, { componentId }) {
    const file = await requireFile(ctx, componentId, "image");
    return toFileAnswer(ctx, (await findThumbnail(ctx, file._id)) ?? (await createOnce(ctx, file)));
  },

  async getVideoThumbnail(ctx, { componentId }) {
    const file = await requireFile(ctx, componentId, "video");
    return toFileAnswer(ctx, (await findThumbnail(ctx, file._id)) ?? (await createOnce(ctx, file)));
  },

  /** A frame captured by the browser is untrusted input, so it is processed like any image. */
  async putVideoThumbnail(ctx, { componentId, durationMs }, files) {
    const video = await requireFile(ctx, componentId, "video");
    const [picture] = files;
    if (!picture && durationMs === undefined) throw new Failure("bad_input", "no_picture_or_length");
    if (picture) await saveFrame(ctx, video._id, picture);
    const metadata = {
      ...(picture && { thumbnail: videoThumbnailUrl(componentId) }),
      ...(durationMs !== undefined && { durationMs }),
    };
    return { component: await updateFileMetadata(ctx, componentId, metadata) };
  },
};

async function saveFrame(ctx: UserCtx, fileId: string, picture: ReceivedFile): Promise<void> {
  const verdict = classifyFile(picture);
  if (!verdict.ok) throw new Failure(verdict.code, verdict.why);
  const image = await makeThumbnail({ path: await picture.path(), isPdf: false });
  if (!image) throw new Failure("invalid_file", "picture_unreadable");
  await saveThumbnail(ctx, fileId, image);
}

async function requireFile({ own }: UserCtx, componentId: string, type: "image" | "video"): Promise<FileRecord> {
  const component = await findFileComponent(own, componentId);
  const file = component?.type === type ? await findFile(own, component.content.file.id) : undefined;
  if (!file) throw thumbnailNotFound();
  return file;
}

const findThumbnail = ({ own }: UserCtx, fileId: string) => own.in(thumbnails).get(fileId);

/** Concurrent requests for the same thumbnail share one run. */
const inProgress = new Map<string, Promise<ThumbnailDoc | undefined>>();

function createOnce(ctx: UserCtx, file: FileRecord): Promise<ThumbnailDoc | undefined> {
  const existing = inProgress.get(file._id);
  if (existing) return existing;
  const work = createThumbnail(ctx, file).finally(() => inProgress.delete(file._id));
  inProgress.set(file._id, work);
  return work;
}

async function createThumbnail(ctx: UserCtx, { _id, blobKey, mime }: FileRecord): Promise<ThumbnailDoc | undefined> {
  const isPdf = mime === "application/pdf";
  const isVideo = mime.startsWith("video/");
  if (!isPdf && !isVideo && !mime.startsWith("image/")) return undefined;
  const local = await ctx.blobs.localPath(blobKey);
  try {
    if (!isVideo) return await saveThumbnail(ctx, _id, await makeThumbnail({ path: local.path, isPdf }));
    // Not stored as failed: a browser may send a frame, or ffmpeg may be installed later.
    if ((await findFfmpeg()) === undefined) return undefined;
    return await saveThumbnail(
      ctx,
      _id,
      await withVideoFrame(local.path, (path) => makeThumbnail({ path, isPdf: false })),
    );
  } finally {
    await local.release();
  }
}

async function saveThumbnail({ own, blobs, clock }: UserCtx, fileId: string, image: Uint8Array | undefined) {
  const blob = image && (await blobs.receive(Readable.from([Buffer.from(image)]), MAX_BYTES));
  await blob?.commit();
  const fields = { blobKey: blob?.key ?? null, madeAt: clock.now() };
  await own.in(thumbnails).insert({ _id: fileId, ...fields });
  return own.in(thumbnails).patch({ _id: fileId }, { set: fields });
}

async function toFileAnswer({ blobs }: UserCtx, doc: ThumbnailDoc | undefined): Promise<FileAnswer> {
  const key = doc?.blobKey ?? null;
  const sizeBytes = key === null ? undefined : await blobs.size(key);
  if (key === null || sizeBytes === undefined) throw thumbnailNotFound();
  return {
    type: "image/webp",
    sizeBytes,
    open: (range) => blobs.open(key, range),
    etag: key,
    cacheControl: "private, max-age=86400",
  };
}

export const removeThumbnail = (own: Own, fileId: string) => own.in(thumbnails).remove({ _id: fileId });

/** The blobs among `keys` that are thumbnails. */
export async function findReferencedThumbnailBlobs(store: DocumentStore, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const found = await store.collection(thumbnails).find({ blobKey: { in: keys } }, { fields: ["blobKey"] });
  return found.flatMap(({ blobKey }) => blobKey ?? []);
}
