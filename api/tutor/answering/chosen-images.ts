import { documentKindOf } from "#shared/pdf/document-kinds.ts";
import type { AnswerScope as Chosen } from "#shared/tutor/schema.ts";
import type { ChatImage } from "#api/ai/port.ts";
import { findFile } from "#api/blobs/file-records.ts";
import type { Deps } from "#api/http/handler.ts";
import { makeThumbnail } from "#api/documents/thumbnails/make-thumbnail.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findComponent } from "#api/pages/find-component.ts";

/** Images per question. */
const MAX_IMAGES = 4;

/** Images among the chosen sources, converted for a model; unreadable ones are skipped. */
export async function readChosenImages({ blobs }: Deps, own: Own, scope: Chosen): Promise<ChatImage[]> {
  if (scope.kind !== "chosen") return [];
  const images: ChatImage[] = [];
  for (const id of scope.componentIds) {
    if (images.length >= MAX_IMAGES) break;
    const component = await findComponent(own, id);
    const fileId = component?.type === "image" ? component.content.file?.id : undefined;
    if (fileId === undefined || documentKindOf(fileId) !== "image") continue;
    const bytes = await renderForModel(blobs, (await findFile(own, fileId))?.blobKey);
    if (bytes) images.push({ type: "image/jpeg", bytes });
  }
  return images;
}

async function renderForModel(blobs: Deps["blobs"], blobKey: string | undefined): Promise<Uint8Array | undefined> {
  if (blobKey === undefined) return undefined;
  const local = await blobs.localPath(blobKey);
  try {
    return await makeThumbnail({ path: local.path, isPdf: false, isForModel: true });
  } finally {
    await local.release();
  }
}
