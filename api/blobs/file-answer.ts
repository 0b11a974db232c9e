import type { FileAnswer } from "#api/http/handler.ts";
import type { FileRecord } from "./file-records.ts";
import type { Blobs } from "./port.ts";

/** A file shown in its place, named by its content: who has it already is not sent it again. */
export const fileAnswer = (blobs: Blobs, { blobKey, mime, sizeBytes, name }: FileRecord): FileAnswer => ({
  type: mime,
  sizeBytes,
  open: (range) => blobs.open(blobKey, range),
  disposition: { kind: "inline", name },
  etag: blobKey,
});
