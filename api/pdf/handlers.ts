import { findFile } from "#api/kit/blobs/file-records.ts";
import type { Handlers, UserCtx } from "#api/kit/handler.ts";
import { findUploaded } from "#api/pages/service.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { pdf } from "#shared/pdf/contract.ts";
import { passagesOf } from "./service.ts";

export const handlers: Handlers<typeof pdf> = {
  async getPdfData(ctx, { componentId, id }) {
    const wanted = componentId ?? id;
    if (wanted === undefined) throw new Failure("bad_input", "componentId: Which PDF?");
    const file = await requirePdf(ctx, wanted);
    return {
      type: file.mime,
      sizeBytes: file.sizeBytes,
      open: (range) => ctx.blobs.open(file.blobKey, range),
      disposition: { kind: "inline", name: file.name },
      etag: file.blobKey,
    };
  },

  async getPassages(ctx, { id, from, to }) {
    if (from !== undefined && to !== undefined && from > to)
      throw new Failure("bad_input", "from: Must not be after to.");
    const file = await requirePdf(ctx, id);
    return passagesOf(ctx, file._id, { from, to });
  },
};

/** The file behind a PDF component of the caller. */
async function requirePdf({ own }: UserCtx, componentId: string) {
  const component = await findUploaded(own, componentId);
  const fileId = component?.type === "image" ? component.content.file.id : "";
  const file = fileId.endsWith(".pdf") ? await findFile(own, fileId) : undefined;
  if (!file) throw new Failure("not_found", "There is no such PDF.");
  return file;
}
