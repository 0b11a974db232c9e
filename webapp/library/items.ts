import type { Folder, FolderItem } from "#shared/library/schema.ts";
import type { ComponentSummary, Page } from "#shared/pages/schema.ts";
import { folderTypeOf, kindOfComponent, type PlaceKind } from "./places.ts";

/** Folders are listed here only when deleted; otherwise they are in the sidebar. */
export type Kind = PlaceKind | "folder";
export type Filter = "all" | "pages" | "decks" | "files" | "archived";
export type Sort = "edited" | "opened" | "created" | "title";

/** A row of the list, of any kind. */
export interface Item {
  id: string;
  kind: Kind;
  title: string;
  emoji: string | null;
  pageId: string;
  /** Title of the page that a deck or file is on. */
  pageTitle: string;
  cardCount: number | undefined;
  fileId: string | undefined;
  createdAt: number;
  editedAt: number;
  openedAt: number | null;
  isArchived: boolean;
}

/** Pages with their decks and files; the contents of a deleted page are hidden with it. */
export function itemsOf(
  pages: readonly Page[],
  components: readonly ComponentSummary[],
  archivedFolders: readonly Folder[] = [],
): Item[] {
  const byId = new Map(pages.map((page) => [page._id, page]));
  const parts = components.flatMap((component): Item[] => {
    const kind = kindOfComponent(component);
    const page = byId.get(component.pageId);
    if (kind === undefined || !page || page.archived) return [];
    return [partItem(component, kind, page)];
  });
  return [...pages.map(pageItem), ...parts, ...archivedFolders.map(folderItem)];
}

const pageItem = (page: Page): Item => ({
  id: page._id,
  kind: "page",
  title: page.title,
  emoji: page.emoji,
  pageId: page._id,
  pageTitle: page.title,
  cardCount: undefined,
  fileId: undefined,
  createdAt: page.createdAt,
  editedAt: page.lastUpdated,
  openedAt: page.lastOpened,
  isArchived: page.archived,
});

const partItem = (component: ComponentSummary, kind: Kind, page: Page): Item => ({
  id: component._id,
  kind,
  title: component.title,
  emoji: null,
  pageId: page._id,
  pageTitle: page.title,
  cardCount: component.cardCount,
  fileId: component.fileId,
  createdAt: component.createdAt,
  editedAt: component.modifiedAt,
  openedAt: component.lastOpenedAt,
  isArchived: component.isArchived,
});

const folderItem = (folder: Folder): Item => ({
  id: folder._id,
  kind: "folder",
  title: folder.title,
  emoji: null,
  pageId: "",
  pageTitle: "",
  cardCount: undefined,
  fileId: undefined,
  createdAt: folder.created_at,
  editedAt: folder.archived_at ?? folder.updated_at,
  openedAt: null,
  isArchived: true,
});

/** The item as added to a folder; a deck is added with its page. Undefined for folders. */
export function asFolderItem({ id, kind, pageId }: Item): FolderItem | undefined {
  const created_at = Date.now();
  if (kind === "folder") return undefined;
  const type = folderTypeOf(kind);
  return type === undefined
    ? { item_id: pageId, item_type: "page", created_at }
    : { item_id: id, item_type: type, created_at };
}

const isFile = ({ kind }: Item) => kind === "pdf" || kind === "image" || kind === "video";

const filters: Record<Filter, (item: Item) => boolean> = {
  all: (item) => !item.isArchived,
  pages: (item) => !item.isArchived && item.kind === "page",
  decks: (item) => !item.isArchived && item.kind === "deck",
  files: (item) => !item.isArchived && isFile(item),
  archived: (item) => item.isArchived,
};

const newestFirst = (at: (item: Item) => number) => (a: Item, b: Item) => at(b) - at(a);

const sorts: Record<Sort, (a: Item, b: Item) => number> = {
  edited: newestFirst((item) => item.editedAt),
  opened: newestFirst((item) => item.openedAt ?? 0),
  created: newestFirst((item) => item.createdAt),
  title: (a, b) => a.title.localeCompare(b.title),
};

export interface Choice {
  filter: Filter;
  sort: Sort;
  words: string;
}

/** Filters and sorts the items; `words` must occur in the title. */
export function chosenItems(items: readonly Item[], { filter, sort, words }: Choice): Item[] {
  const wanted = words.trim().toLocaleLowerCase();
  return items
    .filter((item) => filters[filter](item) && item.title.toLocaleLowerCase().includes(wanted))
    .toSorted(sorts[sort]);
}
