import type { Folder } from "#shared/library/schema.ts";
import type { LibraryItem } from "../library-items.ts";

/** Where an item is: the page it is on, unless both have one name, and the folder of either. */
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
