import { Failure } from "#shared/contract/failure.ts";
import { canContainItems, mergeItems } from "#shared/library/rules.ts";
import type { FolderItem } from "#shared/library/schema.ts";
import type { Applier, SyncTable } from "#api/sync/sync-table.ts";
import type { Own } from "#api/store/owned-store.ts";
import { removeFromLists } from "./remove-from-lists.ts";
import { changeFolder, foldersOf, listFolders, type FolderDoc } from "./store.ts";

const folderCycleFailure = () => new Failure("bad_input", "folder_in_itself");
const isFolder = ({ item_type: type }: FolderItem) => type === "folder";

async function requireNoCycle(own: Own, folderId: string, incoming: readonly FolderItem[]): Promise<void> {
  if (!incoming.some(isFolder)) return;
  const all = new Map((await listFolders(own)).map((folder) => [folder._id, folder]));
  if (!canContainItems(folderId, incoming, all)) throw folderCycleFailure();
}

/** Two devices may nest two folders into each other at the same time: check again after writing and undo the change. */
async function undoCycle(
  own: Own,
  folderId: string,
  requestId: string,
  incoming: readonly FolderItem[],
): Promise<void> {
  if (!incoming.some(isFolder)) return;
  const all = new Map((await listFolders(own)).map((folder) => [folder._id, folder]));
  if (canContainItems(folderId, all.get(folderId)?.items ?? [], all)) return;
  const addedFolderIds = incoming.filter(isFolder).map(({ item_id: id }) => id);
  await changeFolder(own, folderId, `${requestId}:back`, ({ items }) => ({
    set: { items: mergeItems(items, [], addedFolderIds) },
  }));
  throw folderCycleFailure();
}

const updateFolder: Applier<"folder_update"> = async ({ own, clock }, { id, resourceId, data }) => {
  const now = clock.now();
  const { items = [], removedItemIds = [], is_archived: isArchived, archived_at: _theirClock, ...fields } = data;
  await requireNoCycle(own, resourceId, items);
  const definedFields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  await changeFolder(own, resourceId, id, (folder) => {
    const archived =
      isArchived === undefined || isArchived === folder.is_archived
        ? {}
        : { is_archived: isArchived, archived_at: isArchived ? now : null };
    return {
      set: { ...definedFields, ...archived, items: mergeItems(folder.items, items, removedItemIds), updated_at: now },
    };
  });
  await undoCycle(own, resourceId, id, items);
  if (isArchived === true) await removeFromLists(own, resourceId, id);
  return {};
};

const newFolderFields = (
  folder: Pick<FolderDoc, "_id" | "title" | "color" | "items" | "created_at" | "updated_at">,
): Omit<FolderDoc, "ownerId"> => ({
  ...folder,
  is_archived: false,
  archived_at: null,
  is_expanded: true,
  deletedAt: null,
  namedAt: null,
  rev: 1,
  applied: [],
});

const change = ({ resourceId }: { resourceId: string }) => ({ kind: "folders", ids: [resourceId] }) as const;

export const folderTable: SyncTable<"folder_create" | "folder_update" | "folder_delete"> = {
  folder_create: {
    async apply({ own, clock }, { id, resourceId, data }) {
      const { title, color, createdAt } = data;
      const fields = { _id: resourceId, title, color, items: [], created_at: createdAt, updated_at: clock.now() };
      const newFolder = { ...newFolderFields(fields), applied: [{ id }] };
      if ((await foldersOf(own).insert(newFolder)) === "duplicate")
        await changeFolder(own, resourceId, id, () => ({ set: { deletedAt: null } }));
      return {};
    },
    change,
  },
  folder_update: { apply: updateFolder, change },
  folder_delete: {
    async apply({ own, clock }, { id, resourceId }) {
      await changeFolder(own, resourceId, id, () => ({ set: { deletedAt: clock.now() } }));
      await removeFromLists(own, resourceId, id);
      return {};
    },
    change,
  },
};

interface FolderToPlace {
  _id: string;
  title: string;
  color: FolderDoc["color"];
  items: readonly FolderItem[];
}

/** Creates or restores a folder and merges these items into it. */
export async function createOrRestoreFolder(
  own: Own,
  { _id, title, color, items }: FolderToPlace,
  now: number,
): Promise<void> {
  const newFolder = newFolderFields({ _id, title, color, items: [...items], created_at: now, updated_at: now });
  if ((await foldersOf(own).insert(newFolder)) === "inserted") return;
  await changeFolder(own, _id, `placed:${now}`, (folder) => {
    const restored = { deletedAt: null, is_archived: false, archived_at: null };
    return { set: { ...restored, items: mergeItems(folder.items, items, []), updated_at: now } };
  });
}

/** Deletes the empty ones of these folders; `ids` must list the deepest folder first. */
export async function removeEmptyFolders(own: Own, ids: readonly string[], now: number): Promise<void> {
  for (const id of ids) {
    const folder = await foldersOf(own).get(id);
    if (!folder || folder.deletedAt !== null || folder.items.length > 0) continue;
    await changeFolder(own, id, `emptied:${now}`, () => ({ set: { deletedAt: now } }));
    await removeFromLists(own, id, `emptied:${id}:${now}`);
  }
}
