import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { Failure } from "#shared/contract/failure.ts";
import { classifyFile } from "#shared/uploads/rules.ts";
import type { user } from "#shared/user/contract.ts";
import { findFile, removeFile, saveFile } from "#api/blobs/file-records.ts";
import { presentUser } from "#api/http/authenticate.ts";
import type { Handlers } from "#api/http/handler.ts";
import { makeThumbnail } from "#api/documents/thumbnails/make-thumbnail.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { findUser, saveUser } from "./store.ts";

const MAX_PICTURE_BYTES = 2 * 1024 * 1024;

const pictureUrl = (ownerId: string, pictureId: string) => `/v1/user/profile_picture/${ownerId}/${pictureId}`;

/** The file id in a profile picture URL; undefined if there is none. */
const pictureIdOf = (location: string | null) => location?.split("/").at(-1);

async function removePicture(own: Own, location: string | null): Promise<void> {
  const id = pictureIdOf(location);
  if (id !== undefined) await removeFile(own, id);
}

export const pictureHandlers: Pick<
  Handlers<typeof user>,
  "uploadProfilePicture" | "removeProfilePicture" | "getProfilePicture"
> = {
  async uploadProfilePicture(ctx, _input, [picture]) {
    const { own, blobs, clock } = ctx;
    if (!picture) throw new Failure("bad_input", "no_picture_sent");
    const verdict = classifyFile(picture);
    if (!verdict.ok) throw new Failure(verdict.code, verdict.why);
    const image = await makeThumbnail({ path: await picture.path(), isPdf: false });
    if (!image) throw new Failure("invalid_file", "picture_type");
    const previous = await findUser(own);
    const blob = await blobs.receive(Readable.from([Buffer.from(image)]), MAX_PICTURE_BYTES);
    await blob.commit();
    const id = `${randomBytes(18).toString("base64url")}.webp`;
    const file = { blobKey: blob.key, name: "profile.webp", mime: "image/webp", sizeBytes: blob.sizeBytes };
    await saveFile(ctx, { _id: id, ...file, createdAt: clock.now() });
    const location = pictureUrl(own.ownerId, id);
    await saveUser(own, { profilePictureUrl: location });
    await removePicture(own, previous?.profilePictureUrl ?? null);
    return { location };
  },

  async removeProfilePicture({ own, settings }) {
    const previous = await findUser(own);
    const updated = await saveUser(own, { profilePictureUrl: null });
    if (!previous || !updated) throw new Failure("signed_out", "sign_in");
    await removePicture(own, previous.profilePictureUrl);
    return { user: presentUser(settings, updated) };
  },

  // An `<img>` sends no token: the URL itself is unguessable and opens only this picture.
  async getProfilePicture({ store, blobs }, { ownerId, pictureId }) {
    const own = ownedBy(store, ownerId);
    const isCurrent = (await findUser(own))?.profilePictureUrl === pictureUrl(ownerId, pictureId);
    const file = isCurrent ? await findFile(own, pictureId) : undefined;
    if (!file) throw new Failure("not_found", "no_picture");
    return {
      type: file.mime,
      sizeBytes: file.sizeBytes,
      open: (range) => blobs.open(file.blobKey, range),
      etag: file.blobKey,
      cacheControl: "private, max-age=86400",
    };
  },
};
