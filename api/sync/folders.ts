import { Failure } from "#shared/contract/failure.ts";
import { mergeOrder } from "#shared/pages/rules.ts";
import type { SyncRequestOf } from "#shared/sync/schema.ts";
import type { Applier, Appliers } from "#api/kit/applier.ts";
import { changeOnce, type Change, type Remembering } from "#api/kit/change-once.ts";
import type { Own } from "#api/kit/store/owned.ts";
import type { CollectionSpec } from "#api/kit/store/port.ts";

interface FolderItem {
  item_id: string;
  item_type: string;
  created_at: number;
}

interface FolderDoc extends Remembering {
  title: string;
  color: string;
  created_at: number;
  updated_at: number;
  items: FolderItem[];
  is_archived: boolean;
  archived_at: number | null;
  is_expanded: boolean;
  deletedAt: number | null;
}

interface AnnotationDoc extends Remembering {
  annotation: Record<string, unknown>;
  updatedAt: number;
  deletedAt: number | null;
}

const folders: CollectionSpec<FolderDoc> = { name: "folders", shardKey: "ownerId", indexes: [{ fields: ["ownerId"] }] };
const annotations: CollectionSpec<AnnotationDoc> = {
  name: "annotations",
  shardKey: "ownerId",
  indexes: [{ fields: ["ownerId"] }],
};

const MAX_ITEMS = 20_000;

async function changeFolder(own: Own, id: string, requestId: string, change: (doc: FolderDoc) => Change<FolderDoc>) {
  if (!(await own.in(folders).get(id))) throw new Failure("not_found", "There is no such folder.");
  return changeOnce(own.in(folders), { id, requestId, change });
}

/** Items set order and join; only those named as removed go. */
function mergeItems(
  held: readonly FolderItem[],
  sent: readonly FolderItem[],
  removed: readonly string[],
): FolderItem[] {
  const all = new Map([...held, ...sent].map((item) => [item.item_id, item]));
  for (const id of removed) all.delete(id);
  const order = mergeOrder(
    held.map((i) => i.item_id),
    sent.map((i) => i.item_id),
  );
  return order.flatMap((id) => all.get(id) ?? []).slice(0, MAX_ITEMS);
}

const updateFolder: Applier<"folder_update"> = async ({ own, clock }, { id, resourceId, data }) => {
  const now = clock.now();
  await changeFolder(own, resourceId, id, (held) => {
    const { items, removedItemIds = [], is_archived: isArchived, archived_at: _theirClock, ...fields } = data;
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    const archived =
      isArchived === undefined || isArchived === held.is_archived
        ? {}
        : { is_archived: isArchived, archived_at: isArchived ? now : null };
    return {
      set: { ...given, ...archived, items: mergeItems(held.items, items ?? [], removedItemIds), updated_at: now },
    };
  });
  return {};
};

export const folderAppliers: Appliers<
  "folder_create" | "folder_update" | "folder_delete" | "annotation_put" | "annotation_delete"
> = {
  async folder_create({ own, clock }, { id, resourceId, data }) {
    const fresh = {
      _id: resourceId,
      title: data.title,
      color: data.color,
      created_at: data.createdAt,
      updated_at: clock.now(),
      items: [],
      is_archived: false,
      archived_at: null,
      is_expanded: true,
      deletedAt: null,
      rev: 1,
      applied: [{ id }],
    };
    if ((await own.in(folders).insert(fresh)) === "duplicate")
      await changeFolder(own, resourceId, id, () => ({ set: { deletedAt: null } }));
    return {};
  },
  folder_update: updateFolder,
  async folder_delete({ own, clock }, { id, resourceId }) {
    await changeFolder(own, resourceId, id, () => ({ set: { deletedAt: clock.now() } }));
    return {};
  },
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

/** What is archived or deleted leaves the folders it was in. */
export async function removeFromFolders(own: Own, itemId: string, requestId: string): Promise<void> {
  const holding = (await own.in(folders).find({})).filter(({ items }) => items.some((i) => i.item_id === itemId));
  for (const { _id } of holding)
    await changeFolder(own, _id, requestId, ({ items }) => ({
      set: { items: items.filter((i) => i.item_id !== itemId) },
    }));
}
