import { Failure } from "#shared/contract/failure.ts";
import type { SyncRequestOf } from "#shared/sync/schema.ts";
import { requireFreeDisk } from "#api/blobs/storage-quota.ts";
import type { AppliedChange, SyncTable } from "#api/sync/sync-table.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { answerRepeat } from "#api/pages/sync/apply-component.ts";
import { handlers } from "./handlers.ts";

/** Stores a queued file like any upload, under the component id that the client chose. */
async function applyUpload(
  ctx: UserCtx,
  { type: requestType, resourceId, data }: SyncRequestOf<"component_image_upload" | "component_video_upload">,
): Promise<AppliedChange> {
  const { name, type, base64 } = data.file;
  await requireFreeDisk(ctx.blobs, ctx.settings);
  const bytes = Buffer.from(base64, "base64");
  const received = await ctx.blobs.receive(toStream(bytes), bytes.length);
  try {
    const file = Object.assign(received, { field: "file", name, type });
    const input = { pageId: data.pageId, componentId: resourceId };
    const handlerName = requestType === "component_video_upload" ? "uploadVideoComponent" : "uploadImageComponent";
    const { component } = await handlers[handlerName](ctx, input, [file]);
    if (component.type !== "image" && component.type !== "video") throw new Failure("not_found", "no_component");
    const { version, content } = component;
    return { version, conflict: false, parcel: { location: content.url, content } };
  } finally {
    await received.discard();
  }
}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

type UploadRequest = SyncRequestOf<"component_image_upload" | "component_video_upload">;

const row = {
  apply: applyUpload,
  answerRepeat,
  change: ({ resourceId, data }: UploadRequest) => ({ kind: "page", ids: [data.pageId, resourceId] }) as const,
};

export const uploadTable: SyncTable<"component_image_upload" | "component_video_upload"> = {
  component_image_upload: row,
  component_video_upload: row,
};
