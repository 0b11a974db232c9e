import type { FileAnswer } from "./handler.ts";
import type { FileRecord } from "#api/blobs/file-records.ts";
import type { Blobs } from "#api/blobs/port.ts";

/** Serves a file inline; the blob key is its ETag, so a cached file is not sent again. */
export const createFileAnswer = (blobs: Blobs, { blobKey, mime, sizeBytes, name }: FileRecord): FileAnswer => ({
  type: mime,
  sizeBytes,
  open: (range) => blobs.open(blobKey, range),
  disposition: { kind: "inline", name },
  etag: blobKey,
});
