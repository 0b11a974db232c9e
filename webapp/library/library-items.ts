import type { ComponentSummary, Page } from "#shared/pages/schema.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import type { ResearchListItem } from "#shared/research/schema.ts";
import { foldText } from "#shared/text/fold-text.ts";
import type { FolderItemType } from "#shared/library/schema.ts";
import { screenPath } from "#shared/screens.ts";
import type { Content } from "./content.ts";
import type { PinInput } from "./pins.ts";

/** The kinds of items in folders, pins and recent lists. */
export type LibraryItemKind = "page" | "deck" | "pdf" | "image" | "video" | "podcast" | "research";

/** The kind that is shown to students: Word and slide files open like PDFs but have their own labels. */
export type LibraryItemLabel = LibraryItemKind | "word" | "slides";

export interface LibraryItem {
  id: string;
  kind: LibraryItemKind;
  label: LibraryItemLabel;
  title: string;
  emoji: string | null;
  pageId: string;
  /** The path that opens the item. */
  to: string;
  openedAt: number;
  changedAt: number;
}

/** Files that open as documents with pages. Word and slide files are converted to PDF. */
const DOCUMENT_EXTENSION = /\.(?:pdf|docx?|pptx?)$/i;

export function kindOfComponent({
  type,
  fileId,
}: Pick<ComponentSummary, "type" | "fileId">): LibraryItemKind | undefined {
  if (type === "flash_cards") return "deck";
  if (type === "video") return "video";
  if (type === "image") return DOCUMENT_EXTENSION.test(fileId ?? "") ? "pdf" : "image";
  return undefined;
}

export function labelOfFile(kind: LibraryItemKind, fileId: string | undefined): LibraryItemLabel {
  if (kind !== "pdf" || fileId === undefined) return kind;
  if (/\.docx?$/i.test(fileId)) return "word";
  return /\.pptx?$/i.test(fileId) ? "slides" : kind;
}

/** The path of an item's screen, or of its page if the item has no screen. */
export function libraryItemPath({ id, kind, pageId }: Pick<LibraryItem, "id" | "kind" | "pageId">): string {
  if (kind === "pdf") return screenPath("pdf", { slug: id });
  if (kind === "video") return screenPath("video", { slug: id });
  if (kind === "podcast") return screenPath("podcast", { id });
  if (kind === "research") return screenPath("researchSession", { id });
  if (kind === "deck") return screenPath("study", { id: pageId, flashcard: id });
  return screenPath("page", { id: pageId });
}

export const pageToLibraryItem = (page: Page): LibraryItem => ({
  id: page._id,
  kind: "page",
  label: "page",
  title: page.title,
  emoji: page.emoji,
  pageId: page._id,
  to: screenPath("page", { id: page._id }),
  openedAt: page.lastOpened ?? 0,
  changedAt: page.lastUpdated,
});

export function componentToLibraryItem(component: ComponentSummary): LibraryItem | undefined {
  const kind = kindOfComponent(component);
  if (kind === undefined || component.isArchived) return undefined;
  const { _id: id, title, pageId, lastOpenedAt, modifiedAt: changedAt } = component;
  const to = libraryItemPath({ id, kind, pageId });
  const label = labelOfFile(kind, component.fileId);
  return { id, kind, label, title, emoji: null, pageId, to, openedAt: lastOpenedAt ?? 0, changedAt };
}

export const podcastToLibraryItem = (podcast: Podcast): LibraryItem => ({
  id: podcast._id,
  kind: "podcast",
  label: "podcast",
  title: podcast.title,
  emoji: null,
  pageId: "",
  to: screenPath("podcast", { id: podcast._id }),
  openedAt: 0,
  changedAt: podcast.updated_at,
});

export const researchToLibraryItem = (session: ResearchListItem): LibraryItem => ({
  id: session._id,
  kind: "research",
  label: "research",
  title: session.conversation_title,
  emoji: null,
  pageId: "",
  to: screenPath("researchSession", { id: session._id }),
  openedAt: session.last_opened,
  changedAt: session.last_opened,
});

/** All items that can be opened, by id. Items on deleted pages are left out. */
export function indexLibraryItems(content: Content): Map<string, LibraryItem> {
  if (content.state !== "ready") return new Map();
  const pages = content.pages.filter((page) => !page.archived);
  const livePageIds = new Set(pages.map(({ _id }) => _id));
  const componentItems = content.components
    .filter(({ pageId }) => livePageIds.has(pageId))
    .flatMap((part) => componentToLibraryItem(part) ?? []);
  const podcasts = (content.podcasts ?? []).filter((podcast) => !podcast.is_archived).map(podcastToLibraryItem);
  const research = (content.research_sessions ?? [])
    .filter((session) => !session.is_archived)
    .map(researchToLibraryItem);
  const items = [...pages.map(pageToLibraryItem), ...componentItems, ...podcasts, ...research];
  return new Map(items.map((item) => [item.id, item]));
}

/** Items of some kinds whose title contains the text, without the excluded item; the last opened come first. */
export function findItemsByTitle(
  content: Content,
  text: string,
  { kinds, excludedId, most }: { kinds: readonly LibraryItemKind[]; excludedId: string; most: number },
): LibraryItem[] {
  const query = foldText(text.trim());
  return [...indexLibraryItems(content).values()]
    .filter(({ id, kind, title }) => kinds.includes(kind) && id !== excludedId && foldText(title).includes(query))
    .toSorted((a, b) => b.openedAt - a.openedAt)
    .slice(0, most);
}

const folderTypes = {
  page: "page",
  pdf: "component_pdf",
  image: "component_image",
  video: "component_video",
  podcast: "podcast",
  research: "research_session",
} as const satisfies Partial<Record<LibraryItemKind, FolderItemType>>;

/** The item's type in a folder; undefined for decks, because a folder contains the deck's page instead. */
export const toFolderItemType = (kind: LibraryItemKind): FolderItemType | undefined =>
  kind === "deck" ? undefined : folderTypes[kind];

/** Whether an item can be pinned. Research sessions cannot. */
export const canPin = (kind: LibraryItemKind) => kind !== "research";

/** The pin of an item. */
export function toPinInput(item: Omit<LibraryItem, "label" | "to" | "openedAt" | "changedAt">): PinInput {
  const { id, kind, title, emoji, pageId } = item;
  if (kind === "page") return { itemId: id, itemType: "page", data: { title, emoji } };
  const componentType =
    kind === "deck" ? "flash_cards" : kind === "video" || kind === "podcast" ? kind : ("image" as const);
  const named = componentType === "image" ? { name: title } : { title };
  return { itemId: id, itemType: "component", data: { componentType, pageId, ...named } };
}
