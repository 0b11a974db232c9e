import { mergeOrder } from "#shared/pages/rules.ts";
import { foldText } from "#shared/text/fold-text.ts";
import type { Folder, FolderItem } from "./schema.ts";

/** Deeper nesting is rejected, which limits recursion. */
export const MAX_FOLDER_DEPTH = 20;

type FolderTree = ReadonlyMap<string, Pick<Folder, "items">>;

const foldersIn = (items: readonly FolderItem[]) =>
  items.filter(({ item_type: type }) => type === "folder").map(({ item_id: id }) => id);

/** Levels of folders below the items; undefined if a folder would contain itself. */
function depthBelow(items: readonly FolderItem[], above: readonly string[], all: FolderTree): number | undefined {
  let deepest = 0;
  for (const id of foldersIn(items)) {
    if (above.includes(id)) return undefined;
    if (above.length > MAX_FOLDER_DEPTH) return MAX_FOLDER_DEPTH;
    const below = depthBelow(all.get(id)?.items ?? [], [...above, id], all);
    if (below === undefined) return undefined;
    deepest = Math.max(deepest, below + 1);
  }
  return deepest;
}

/** Whether a folder may contain these items. A folder must not contain itself or exceed the depth limit. */
export function canContainItems(folderId: string, items: readonly FolderItem[], all: FolderTree): boolean {
  const below = depthBelow(items, [folderId], all);
  return below !== undefined && below < MAX_FOLDER_DEPTH;
}

/** Whether `candidate` may be moved into `folderId`; checked before a drop is offered. */
export function canNestFolder(candidate: string, folderId: string, folders: readonly Folder[]): boolean {
  const all = new Map(folders.map((folder) => [folder._id, folder]));
  const items = all.get(folderId)?.items ?? [];
  return canContainItems(folderId, [...items, { item_id: candidate, item_type: "folder", created_at: 0 }], all);
}

const MAX_ITEMS = 20_000;

/** A folder's items after a change: sent items set the order and are added; only those in `removed` are removed. */
export function mergeItems(
  items: readonly FolderItem[],
  sent: readonly FolderItem[],
  removed: readonly string[],
): FolderItem[] {
  const all = new Map([...items, ...sent].map((item) => [item.item_id, item]));
  for (const id of removed) all.delete(id);
  const order = mergeOrder(
    items.map((i) => i.item_id),
    sent.map((i) => i.item_id),
  );
  return order.flatMap((id) => all.get(id) ?? []).slice(0, MAX_ITEMS);
}

/**
 * What `mergeItems` needs to put items back where they were in `earlier`: these items, each between its neighbours that are still there.
 */
export function returnedWithNeighbours(
  current: readonly FolderItem[],
  earlier: readonly FolderItem[],
  returnedIds: ReadonlySet<string>,
): FolderItem[] {
  const isReturned = (item: FolderItem | undefined) => item !== undefined && returnedIds.has(item.item_id);
  const currentIds = new Set(current.map((item) => item.item_id));
  const known = earlier.filter((item) => isReturned(item) || currentIds.has(item.item_id));
  const merged = mergeItems(known, current, []);
  return merged.filter((item, index) => [merged[index - 1], item, merged[index + 1]].some(isReturned));
}

type SearchableFolder = Pick<Folder, "_id" | "title" | "items" | "is_archived">;

/** Ids of everything in these folders, including nested folders and the folders themselves. */
function idsBelow(folders: readonly SearchableFolder[], all: readonly SearchableFolder[]): ReadonlySet<string> {
  const byId = new Map(all.filter((folder) => !folder.is_archived).map((folder) => [folder._id, folder]));
  const ids = new Set<string>();
  const addContents = (folder: SearchableFolder) => {
    if (ids.has(folder._id)) return;
    ids.add(folder._id);
    for (const { item_id: id } of folder.items) {
      const inner = byId.get(id);
      if (inner) addContents(inner);
      else ids.add(id);
    }
  };
  for (const folder of folders) addContents(folder);
  return ids;
}

/** Ids of everything in folders with that name, including nested folders. */
export function idsInFolders(folders: readonly SearchableFolder[], folderName: string): ReadonlySet<string> {
  const name = foldText(folderName).trim();
  const named = folders.filter(
    ({ _id, title, is_archived: isArchived }) => !isArchived && (_id === folderName || foldText(title).includes(name)),
  );
  return idsBelow(named, folders);
}

/** Ids of everything in one folder, including nested folders. */
export const idsInFolder = (folderId: string, folders: readonly SearchableFolder[]): ReadonlySet<string> =>
  idsBelow(
    folders.filter(({ _id }) => _id === folderId),
    folders,
  );
