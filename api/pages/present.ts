import { DeckContent } from "#shared/flashcards/schema.ts";
import { logDeck } from "#shared/pages/deck-merge.ts";
import { withOwnAddresses } from "#shared/pages/file-address.ts";
import { summariseComponent } from "#shared/pages/present.ts";
import type { Component, ComponentSummary, ComponentType, FileContent, Page } from "#shared/pages/schema.ts";
import type { ComponentDoc, listSummaries, PageDoc } from "./store.ts";

export function presentComponent(doc: ComponentDoc): Component {
  const { _id, pageId, type, createdAt, modifiedAt, createdBy, lastOpenedAt, version } = doc;
  // Older versions stored any address that a client sent.
  const content = type === "image" || type === "video" ? withOwnAddresses(doc.content as FileContent) : doc.content;
  const sent = { _id, pageId, type, content, createdAt, modifiedAt, createdBy, lastOpenedAt, version };
  // Content was validated for its type when it was stored.
  return sent as unknown as Component;
}

type Listed = Pick<ComponentDoc, "_id" | "type" | "title" | "lastOpenedAt">;

/** A page with its live components, in order. Its flashcard fields are derived from the components. */
export function presentPage(doc: PageDoc, components: readonly Listed[], children: readonly string[]): Page {
  const { ownerId, rev: _rev, applied: _applied, deletedAt: _deletedAt, ...rest } = doc;
  const [deck] = components.filter(({ type }) => type === "flash_cards");
  return {
    ...rest,
    ownedBy: ownerId,
    components: components.map(({ _id }) => _id),
    children: [...children],
    isFlashcardPage: rest.isFlashcardPage || (deck !== undefined && components.every(({ type }) => type === deck.type)),
    flashcardTitle: deck?.title ?? null,
    flashcardLastOpenedAt: deck?.lastOpenedAt ?? null,
  };
}

export function presentSummary(doc: Awaited<ReturnType<typeof listSummaries>>[number]): ComponentSummary {
  const { cardCount, fileId, ...rest } = doc;
  return { ...rest, ...(cardCount === null ? {} : { cardCount }), ...(fileId === null ? {} : { fileId }) };
}

type SummaryFields = Pick<ComponentDoc, "title" | "cardCount" | "fileId" | "isArchived">;

/** The fields of a component that lists show, stored beside its content. */
export function summaryFieldsOf(type: ComponentType, content: Record<string, unknown>): SummaryFields {
  const placeholder = {
    _id: "",
    pageId: "",
    createdAt: 0,
    modifiedAt: 0,
    createdBy: "",
    lastOpenedAt: null,
    version: 1,
  };
  const { title, cardCount, fileId, isArchived } = summariseComponent({ ...placeholder, type, content });
  return { title, cardCount: cardCount ?? null, fileId: fileId ?? null, isArchived };
}

/** The change log of a newly created deck. */
export const createDeckLog = (type: ComponentType, content: Record<string, unknown>, version: number) =>
  type === "flash_cards" ? logDeck([], DeckContent.parse(content), version) : null;
