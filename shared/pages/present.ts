import { DeckContent } from "#shared/flashcards/schema.ts";
import type { SyncRequestOf } from "#shared/sync/schema.ts";
import { FileContent, type Component, type ComponentSummary, type Page } from "./schema.ts";

/** A component for lists, without its text and cards. */
export function summariseComponent(component: Omit<Component, "content"> & { content: unknown }): ComponentSummary {
  const { _id, type, pageId, createdAt, modifiedAt, lastOpenedAt } = component;
  const base = { _id, type, pageId, createdAt, modifiedAt, lastOpenedAt, title: "", isArchived: false };
  if (type === "flash_cards") {
    const deck = DeckContent.safeParse(component.content).data;
    return { ...base, title: deck?.title ?? "", cardCount: deck?.cards.length ?? 0 };
  }
  if (type === "image" || type === "video") {
    const file = FileContent.safeParse(component.content).data;
    if (!file) return base;
    return { ...base, title: file.title || file.file.name, fileId: file.file.id, isArchived: file.isArchived };
  }
  return base;
}

/** A newly created page. */
export function buildPage({ resourceId, data }: SyncRequestOf<"page_create">, ownedBy: string): Page {
  const { title, emoji, parent, order, isFlashcardPage, createdAt } = data;
  return {
    _id: resourceId,
    ownedBy,
    title,
    emoji,
    createdAt,
    lastUpdated: createdAt,
    archived: false,
    archivedAt: null,
    lastOpened: createdAt,
    order,
    parent,
    components: [],
    children: [],
    relationshipCategories: [],
    aiDescription: null,
    isFlashcardPage,
    flashcardTitle: null,
    flashcardLastOpenedAt: null,
  };
}

/** The page with the fields of an update applied; `archived` also sets `archivedAt`. */
export function applyPageUpdate<T extends Page>(page: T, { data, createdAt }: SyncRequestOf<"page_update">): T {
  const { title, emoji, archived, order, lastOpened } = data;
  return {
    ...page,
    ...(title === undefined ? {} : { title }),
    ...(emoji === undefined ? {} : { emoji }),
    ...(order === undefined ? {} : { order }),
    ...(lastOpened === undefined ? {} : { lastOpened }),
    ...(archived === undefined || archived === page.archived
      ? {}
      : { archived, archivedAt: archived ? createdAt : null }),
  };
}
