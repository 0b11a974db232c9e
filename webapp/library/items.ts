import type { Folder, FolderItem } from "#shared/library/schema.ts";
import type { ComponentSummary, Page } from "#shared/pages/schema.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import type { ResearchListItem } from "#shared/research/schema.ts";
import type { ReadyContent } from "./content.ts";
import { toFolderItemType, kindOfComponent, type LibraryItemKind } from "./library-items.ts";

/** Only deleted folders are listed as items. Other folders are in the sidebar. */
export type ItemKind = LibraryItemKind | "folder";
export type ItemFilter = "all" | "pages" | "decks" | "files" | "archived";
export type ItemSort = "edited" | "opened" | "created" | "title";

/** An item in the list of the library. */
export interface Item {
  id: string;
  kind: ItemKind;
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

/** All items of the library. The contents of a deleted page are left out. */
export function listItems(
  pages: readonly Page[],
  components: readonly ComponentSummary[],
  archivedFolders: readonly Folder[] = [],
  {
    podcasts = [],
    research_sessions: research = [],
  }: Partial<Pick<ReadyContent, "podcasts" | "research_sessions">> = {},
): Item[] {
  const byId = new Map(pages.map((page) => [page._id, page]));
  const componentItems = components.flatMap((component): Item[] => {
    const kind = kindOfComponent(component);
    const page = byId.get(component.pageId);
    if (kind === undefined || !page || page.archived) return [];
    return [toComponentItem(component, kind, page)];
  });
  return [
    ...pages.map(toPageItem),
    ...componentItems,
    ...podcasts.map(toPodcastItem),
    ...research.map(toResearchItem),
    ...archivedFolders.map(toDeletedFolderItem),
  ];
}

const toPageItem = (page: Page): Item => ({
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

const toComponentItem = (component: ComponentSummary, kind: ItemKind, page: Page): Item => ({
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

const toPodcastItem = (podcast: Podcast): Item => ({
  id: podcast._id,
  kind: "podcast",
  title: podcast.title,
  emoji: null,
  pageId: "",
  pageTitle: "",
  cardCount: undefined,
  fileId: undefined,
  createdAt: podcast.created_at,
  editedAt: podcast.updated_at,
  openedAt: null,
  isArchived: podcast.is_archived,
});

const toResearchItem = (session: ResearchListItem): Item => ({
  id: session._id,
  kind: "research",
  title: session.conversation_title,
  emoji: null,
  pageId: "",
  pageTitle: "",
  cardCount: undefined,
  fileId: undefined,
  createdAt: session.created_at,
  editedAt: session.last_opened,
  openedAt: session.last_opened,
  isArchived: session.is_archived,
});

const toDeletedFolderItem = (folder: Folder): Item => ({
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

/** The entry that adds the item to a folder. A deck is added as its page. Undefined for folders. */
export function toFolderItem({ id, kind, pageId }: Item): FolderItem | undefined {
  const created_at = Date.now();
  if (kind === "folder") return undefined;
  const type = toFolderItemType(kind);
  return type === undefined
    ? { item_id: pageId, item_type: "page", created_at }
    : { item_id: id, item_type: type, created_at };
}

const isFile = ({ kind }: Item) => kind === "pdf" || kind === "image" || kind === "video" || kind === "podcast";

const filters: Record<ItemFilter, (item: Item) => boolean> = {
  all: (item) => !item.isArchived,
  pages: (item) => !item.isArchived && item.kind === "page",
  decks: (item) => !item.isArchived && item.kind === "deck",
  files: (item) => !item.isArchived && isFile(item),
  archived: (item) => item.isArchived,
};

const compareNewest = (getTime: (item: Item) => number) => (a: Item, b: Item) => getTime(b) - getTime(a);

const sorts: Record<ItemSort, (a: Item, b: Item) => number> = {
  edited: compareNewest((item) => item.editedAt),
  opened: compareNewest((item) => item.openedAt ?? 0),
  created: compareNewest((item) => item.createdAt),
  title: (a, b) => a.title.localeCompare(b.title),
};

export interface ItemQuery {
  filter: ItemFilter;
  sort: ItemSort;
  words: string;
}

/** Filters and sorts the items. `words` must occur in the title. */
export function filterItems(items: readonly Item[], { filter, sort, words }: ItemQuery): Item[] {
  const needle = words.trim().toLocaleLowerCase();
  return items
    .filter((item) => filters[filter](item) && item.title.toLocaleLowerCase().includes(needle))
    .toSorted(sorts[sort]);
}
