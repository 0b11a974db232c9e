import { Failure } from "#shared/contract/failure.ts";
import { Annotation, sortByPosition } from "#shared/pdf/annotations.ts";
import type { SyncRequestOf } from "#shared/sync/schema.ts";
import type { SyncTable } from "#api/sync/sync-table.ts";
import { changeOnce, type DocumentChange, type Versioned } from "#api/store/change-once.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, DocumentStore } from "#api/store/port.ts";

interface AnnotationDoc extends Versioned {
  annotation: Annotation;
  componentId: string;
  updatedAt: number;
  deletedAt: number | null;
}

const annotations: CollectionSpec<AnnotationDoc> = {
  name: "annotations",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId", "componentId"] }, { fields: ["deletedAt"] }],
};

const MAX_CHARS = 100_000;

function readAnnotation({ resourceId, data }: SyncRequestOf<"annotation_put">): Annotation {
  if (JSON.stringify(data.annotation).length > MAX_CHARS) throw new Failure("too_large", "annotation_too_long");
  const parsed = Annotation.safeParse(data.annotation);
  if (!parsed.success || parsed.data._id !== resourceId) throw new Failure("bad_input", "not_an_annotation");
  return parsed.data;
}

async function updateAnnotation(
  own: Own,
  { id, resourceId }: { id: string; resourceId: string },
  change: (doc: AnnotationDoc) => DocumentChange<AnnotationDoc>,
): Promise<void> {
  if (!(await own.in(annotations).get(resourceId))) throw new Failure("not_found", "no_annotation");
  await changeOnce(own.in(annotations), { id: resourceId, requestId: id, change });
}

/**
 * Annotations from two devices are merged by id. If two devices change the same annotation, the change that reaches the
 * server last wins, including a deletion.
 */
export const annotationTable: SyncTable<"annotation_put" | "annotation_delete"> = {
  annotation_put: {
    async apply({ own, clock }, request) {
      const { id, resourceId } = request;
      const annotation = readAnnotation(request);
      const set = { annotation, componentId: annotation.componentId, updatedAt: clock.now(), deletedAt: null };
      const newAnnotation = { _id: resourceId, ...set, rev: 1, applied: [{ id }] };
      if ((await own.in(annotations).insert(newAnnotation)) === "duplicate")
        await updateAnnotation(own, request, () => ({ set }));
      return {};
    },
  },
  annotation_delete: {
    async apply({ own, clock }, request) {
      await updateAnnotation(own, request, () => ({ set: { deletedAt: clock.now() } }));
      return {};
    },
  },
};

/** Annotations of a document, in reading order. */
export async function listAnnotations(own: Own, componentId: string): Promise<Annotation[]> {
  const docs = await own.in(annotations).find({ componentId, deletedAt: null });
  return sortByPosition(docs.map(({ annotation }) => annotation));
}

interface AnnotationCounts {
  annotationCount: number;
  noteCount: number;
}

/** The number of annotations of each document, and how many have a note. */
export async function countAnnotations(own: Own): Promise<ReadonlyMap<string, AnnotationCounts>> {
  const counts = new Map<string, AnnotationCounts>();
  for (const { annotation } of await own.in(annotations).find({ deletedAt: null }, { fields: ["annotation"] })) {
    const count = counts.get(annotation.componentId) ?? { annotationCount: 0, noteCount: 0 };
    count.annotationCount += 1;
    if (annotation.note.trim() !== "") count.noteCount += 1;
    counts.set(annotation.componentId, count);
  }
  return counts;
}

/** Erases annotations that were deleted before a time. */
export const eraseAnnotations = (store: DocumentStore, before: number): Promise<number> =>
  store.collection(annotations).remove({ deletedAt: { lt: before } });

export const removeAnnotations = (own: Own, componentId: string) => own.in(annotations).remove({ componentId });
