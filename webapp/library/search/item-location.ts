import type { Folder } from "#shared/library/schema.ts";
import type { LibraryItem } from "../library-items.ts";

/**
 * Where an item is: its page and its folder. The page is left out if it has the title of the item; an item without a
 * folder of its own has that of its page.
 */
export type FindPlace = (item: { id: string; pageId: string; title: string }) => string[];

export function createPlaceFinder(items: ReadonlyMap<string, LibraryItem>, folders: readonly Folder[]): FindPlace {
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
