import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import type { Ground as Chosen } from "#shared/tutor/schema.ts";
import type { TalkImage } from "#api/ai/port.ts";
import { findFile } from "#api/blobs/file-records.ts";
import type { Deps } from "#api/http/handler.ts";
import { makeThumbnail } from "#api/documents/thumbnails/make-thumbnail.ts";
import type { Own } from "#api/store/owned.ts";
import { findComponent } from "#api/pages/service.ts";

/** Images per question. */
const MAX_PICTURES = 4;

/** Images among the chosen sources, converted for a model; unreadable ones are skipped. */
export async function picturesOf({ blobs }: Deps, own: Own, ground: Chosen): Promise<TalkImage[]> {
  if (ground.kind !== "chosen") return [];
  const images: TalkImage[] = [];
  for (const id of ground.componentIds) {
    if (images.length >= MAX_PICTURES) break;
    const component = await findComponent(own, id);
    const fileId = component?.type === "image" ? component.content.file?.id : undefined;
    if (fileId === undefined || documentKindOf(fileId) !== "image") continue;
    const bytes = await draw(blobs, (await findFile(own, fileId))?.blobKey);
    if (bytes) images.push({ type: "image/jpeg", bytes });
  }
  return images;
}

async function draw(blobs: Deps["blobs"], blobKey: string | undefined): Promise<Uint8Array | undefined> {
  if (blobKey === undefined) return undefined;
  const local = await blobs.localPath(blobKey);
  try {
    return await makeThumbnail({ path: local.path, isPdf: false, isForModel: true });
  } finally {
    await local.release();
  }
}
