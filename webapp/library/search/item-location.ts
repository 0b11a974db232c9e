import type { Folder } from "#shared/library/schema.ts";
import type { LibraryItem } from "../library-items.ts";

/**
 * Finds the titles of an item's page and folder. The page is left out if its title is the item's. If the item is in no
 * folder, its page's folder is listed.
 */
export type FindLocation = (item: { id: string; pageId: string; title: string }) => string[];

export function createLocationFinder(
  items: ReadonlyMap<string, LibraryItem>,
  folders: readonly Folder[],
): FindLocation {
  const folderOf = new Map(
    folders
      .filter(({ is_archived: isArchived }) => !isArchived)
      .flatMap(({ title, items: inside }) => inside.map(({ item_id: id }) => [id, title] as const)),
  );
  return ({ id, pageId, title }) => {
    const page = id === pageId ? undefined : items.get(pageId)?.title;
    const folder = folderOf.get(id) ?? folderOf.get(pageId);
    return [page === title ? undefined : page, folder].filter((part) => part !== undefined && part !== "") as string[];
  };
}
