import { createHash } from "node:crypto";
import { Failure } from "#shared/contract/failure.ts";
import type { flashcards } from "#shared/flashcards/contract.ts";
import { saveFile } from "#api/blobs/file-records.ts";
import type { Handlers } from "#api/http/handler.ts";

/** Image types that every browser shows without running code. */
const PICTURE = /^image\/(?:png|jpeg|gif|webp|bmp|avif)$/;

type PictureHandlers = Pick<Handlers<typeof flashcards>, "addCardPicture">;

export const pictureHandlers: PictureHandlers = {
  async addCardPicture(ctx, _input, files) {
    const { own, clock } = ctx;
    const [file] = files;
    if (!file) throw new Failure("bad_input", "choose_picture");
    if (file.sizeBytes === 0) throw new Failure("invalid_file", "file_empty");
    const { fileTypeFromBuffer } = await import("file-type");
    const found = await fileTypeFromBuffer(file.head);
    if (!found || !PICTURE.test(found.mime)) throw new Failure("unsupported_file_type", "card_picture_type");
    await file.commit();
    const { key: blobKey, sizeBytes } = file;
    // The id is derived from the content, so an account stores the same picture only once.
    const digest = createHash("sha256").update([own.ownerId, blobKey].join("\u0000")).digest("hex").slice(0, 26);
    const _id = `${digest}.${found.ext}`;
    const name = file.name.slice(0, 300);
    await saveFile(ctx, { _id, blobKey, name, mime: found.mime, sizeBytes, createdAt: clock.now() });
    return { url: `/v1/files/${_id}` };
  },
};
