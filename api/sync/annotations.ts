import { Failure } from "#shared/contract/failure.ts";
import type { SyncRequestOf } from "#shared/sync/schema.ts";
import type { Appliers } from "#api/kit/applier.ts";
import { changeOnce, type Change, type Remembering } from "#api/kit/change-once.ts";
import type { Own } from "#api/kit/store/owned.ts";
import type { CollectionSpec } from "#api/kit/store/port.ts";

interface AnnotationDoc extends Remembering {
  annotation: Record<string, unknown>;
  updatedAt: number;
  deletedAt: number | null;
}

const annotations: CollectionSpec<AnnotationDoc> = {
  name: "annotations",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId"] }],
};

export const annotationAppliers: Appliers<"annotation_put" | "annotation_delete"> = {
  async annotation_put({ own, clock }, request) {
    const { id, resourceId } = request;
    const set = { annotation: readAnnotation(request), updatedAt: clock.now(), deletedAt: null };
    const fresh = { _id: resourceId, ...set, rev: 1, applied: [{ id }] };
    if ((await own.in(annotations).insert(fresh)) === "duplicate")
      await changeAnnotation(own, request, () => ({ set }));
    return {};
  },
  async annotation_delete({ own, clock }, request) {
    await changeAnnotation(own, request, () => ({ set: { deletedAt: clock.now() } }));
    return {};
  },
};

const MAX_ANNOTATION_CHARS = 100_000;

function readAnnotation({ data }: SyncRequestOf<"annotation_put">): Record<string, unknown> {
  if (JSON.stringify(data.annotation).length > MAX_ANNOTATION_CHARS)
    throw new Failure("too_large", "This annotation is too long.");
  return data.annotation;
}

async function changeAnnotation(
  own: Own,
  { id, resourceId }: { id: string; resourceId: string },
  change: (doc: AnnotationDoc) => Change<AnnotationDoc>,
): Promise<void> {
  if (!(await own.in(annotations).get(resourceId))) throw new Failure("not_found", "There is no such annotation.");
  await changeOnce(own.in(annotations), { id: resourceId, requestId: id, change });
}
