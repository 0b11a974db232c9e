import { mergeItems } from "#shared/library/rules.ts";
import type { Folder } from "#shared/library/schema.ts";
import type { SyncRequest, SyncRequestOf } from "./schema.ts";

type FolderMap = Map<string, Folder>;

function createdFolder({ resourceId, data }: SyncRequestOf<"folder_create">, accountId: string): Folder {
  return {
    _id: resourceId,
    title: data.title,
    user_id: accountId,
    color: data.color,
    created_at: data.createdAt,
    updated_at: data.createdAt,
    items: [],
    is_archived: false,
    archived_at: null,
    is_expanded: true,
  };
}

function updatedFolder(current: Folder, { data, createdAt }: SyncRequestOf<"folder_update">): Folder {
  const { items, removedItemIds, title, color, is_expanded, is_archived } = data;
  return {
    ...current,
    title: title ?? current.title,
    color: color ?? current.color,
    is_expanded: is_expanded ?? current.is_expanded,
    items: mergeItems(current.items, items ?? [], removedItemIds ?? []),
    ...(is_archived === undefined ? {} : { is_archived, archived_at: is_archived ? createdAt : null }),
    updated_at: createdAt,
  };
}

function removeFromAllFolders(folders: FolderMap, itemId: string): void {
  for (const folder of folders.values())
    if (folder.items.some((item) => item.item_id === itemId))
      folders.set(folder._id, { ...folder, items: folder.items.filter((item) => item.item_id !== itemId) });
}

/** Whether the change removes or archives the item, and so takes it out of every folder. */
function removesItem({ type, data }: SyncRequest): boolean {
  if (type === "page_delete" || type === "component_delete" || type === "folder_delete") return true;
  if (type === "page_update") return data.archived === true;
  return type === "folder_update" && data.is_archived === true;
}

function apply(folders: FolderMap, request: SyncRequest, accountId: string): void {
  const { type, resourceId } = request;
  const current = folders.get(resourceId);
  if (type === "folder_create" && !current) folders.set(resourceId, createdFolder(request, accountId));
  if (type === "folder_update" && current) folders.set(resourceId, updatedFolder(current, request));
  if (type === "folder_delete") folders.delete(resourceId);
  if (removesItem(request)) removeFromAllFolders(folders, resourceId);
}

/** Folders with the unsaved changes applied to the server's version. */
export function applyToFolders(
  requests: readonly SyncRequest[],
  accountId: string,
  folders: readonly Folder[],
): Folder[] {
  const current: FolderMap = new Map(folders.map((folder) => [folder._id, folder]));
  for (const request of requests) apply(current, request, accountId);
  return [...current.values()];
}
