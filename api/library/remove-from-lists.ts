import type { FolderItem } from "#shared/library/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import { changeFolder, foldersOf, removeFavorite } from "./store.ts";

/** Removes an archived or deleted item from its folders and from the pins. */
export const removeFromLists = (own: Own, itemId: string, requestId: string) =>
  removeAllFromLists(own, [itemId], requestId);

export async function removeAllFromLists(own: Own, itemIds: readonly string[], requestId: string): Promise<void> {
  const itemIdSet = new Set(itemIds);
  for (const id of itemIdSet) await removeFavorite(own, id);
  const isRemoved = ({ item_id: id }: FolderItem) => itemIdSet.has(id);
  const affectedFolders = (await foldersOf(own).find({})).filter(({ items }) => items.some(isRemoved));
  for (const { _id } of affectedFolders)
    await changeFolder(own, _id, requestId, ({ items }) => ({
      set: { items: items.filter((item) => !isRemoved(item)) },
    }));
}
