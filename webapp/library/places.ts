import type { ComponentSummary, Page } from "#shared/pages/schema.ts";
import type { FolderItemType } from "#shared/library/schema.ts";
import { screenPath } from "#shared/screens.ts";
import type { Content } from "./content.ts";
import type { Pinned } from "./favorites.ts";

/** What folders, pins and recent lists can contain. */
export type PlaceKind = "page" | "deck" | "pdf" | "image" | "video";

/** How it is named: Word and slide files open like PDFs but are labelled differently. */
export type PlaceName = PlaceKind | "word" | "slides";

export interface Place {
  id: string;
  kind: PlaceKind;
  called: PlaceName;
  title: string;
  emoji: string | null;
  pageId: string;
  /** The path that opens it. */
  to: string;
  openedAt: number;
  changedAt: number;
}

/** Files that are read page by page; converted Word and slide files are included. */
const DOCUMENT = /\.(?:pdf|docx?|pptx?)$/i;

export function kindOfComponent({ type, fileId }: Pick<ComponentSummary, "type" | "fileId">): PlaceKind | undefined {
  if (type === "flash_cards") return "deck";
  if (type === "video") return "video";
  if (type === "image") return DOCUMENT.test(fileId ?? "") ? "pdf" : "image";
  return undefined;
}

export function calledOf(kind: PlaceKind, fileId: string | undefined): PlaceName {
  if (kind !== "pdf" || fileId === undefined) return kind;
  if (/\.docx?$/i.test(fileId)) return "word";
  return /\.pptx?$/i.test(fileId) ? "slides" : kind;
}

/** The path of an item: its own screen if it has one, otherwise its page. */
export function placeAddress({ id, kind, pageId }: Pick<Place, "id" | "kind" | "pageId">): string {
  if (kind === "pdf") return screenPath("pdf", { slug: id });
  if (kind === "video") return screenPath("video", { slug: id });
  if (kind === "deck") return screenPath("study", { id: pageId, flashcard: id });
  return screenPath("page", { id: pageId });
}

export const placeOfPage = (page: Page): Place => ({
  id: page._id,
  kind: "page",
  called: "page",
  title: page.title,
  emoji: page.emoji,
  pageId: page._id,
  to: screenPath("page", { id: page._id }),
  openedAt: page.lastOpened ?? 0,
  changedAt: page.lastUpdated,
});

export function placeOfComponent(component: ComponentSummary): Place | undefined {
  const kind = kindOfComponent(component);
  if (kind === undefined || component.isArchived) return undefined;
  const { _id: id, title, pageId, lastOpenedAt, modifiedAt: changedAt } = component;
  const to = placeAddress({ id, kind, pageId });
  const called = calledOf(kind, component.fileId);
  return { id, kind, called, title, emoji: null, pageId, to, openedAt: lastOpenedAt ?? 0, changedAt };
}

/** Every item that can be opened, by id, without those on deleted pages. */
export function placesOf(content: Content): Map<string, Place> {
  if (content.state !== "ready") return new Map();
  const pages = content.pages.filter((page) => !page.archived);
  const standing = new Set(pages.map(({ _id }) => _id));
  const parts = content.components
    .filter(({ pageId }) => standing.has(pageId))
    .flatMap((part) => placeOfComponent(part) ?? []);
  return new Map([...pages.map(placeOfPage), ...parts].map((place) => [place.id, place]));
}

const folderTypes = {
  page: "page",
  pdf: "component_pdf",
  image: "component_image",
  video: "component_video",
} as const satisfies Partial<Record<PlaceKind, FolderItemType>>;

/** The item's type in a folder; undefined for decks, which folders contain through their page. */
export const folderTypeOf = (kind: PlaceKind): FolderItemType | undefined =>
  kind === "deck" ? undefined : folderTypes[kind];

/** The pin of an item. */
export function pinOf(place: Omit<Place, "called" | "to" | "openedAt" | "changedAt">): Pinned {
  const { id, kind, title, emoji, pageId } = place;
  if (kind === "page") return { itemId: id, itemType: "page", data: { title, emoji } };
  const componentType = kind === "deck" ? "flash_cards" : kind === "video" ? "video" : "image";
  const named = componentType === "image" ? { name: title } : { title };
  return { itemId: id, itemType: "component", data: { componentType, pageId, ...named } };
}
