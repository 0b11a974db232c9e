import { monotonicFactory } from "ulid";
import { DeckContent, type Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { Content } from "#webapp/library/content.ts";
import { editDeck } from "./deck/deck-edit.ts";
import { openPagePortAtom } from "#webapp/pages/page-port.tsx";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";

const newId = monotonicFactory();

/** Where to add cards: an existing deck, or a new deck on a page. */
export type CardTarget = { pageId: string; componentId: string } | { pageId: string; newDeck: string };

export interface DeckChoice {
  id: string;
  pageId: string;
  title: string;
}

/** The decks to which cards can be added. Decks on the current page come first. */
export function listDeckChoices(content: Content, pageId: string): DeckChoice[] {
  if (content.state !== "ready") return [];
  const titles = new Map(content.pages.filter((page) => !page.archived).map((page) => [page._id, page.title]));
  return content.components
    .filter((component) => component.type === "flash_cards" && !component.isArchived && titles.has(component.pageId))
    .map((component) => ({
      id: component._id,
      pageId: component.pageId,
      title: `${component.title} (${titles.get(component.pageId) || t("common.untitled")})`,
    }))
    .toSorted((a, b) => Number(b.pageId === pageId) - Number(a.pageId === pageId) || a.title.localeCompare(b.title));
}

/** Adds cards to a deck. Resolves once they are stored on this device. They are synced later. */
export async function addCards(target: CardTarget, cards: readonly Flashcard[]): Promise<void> {
  if ("componentId" in target) {
    await editDeck(target, (current) => [...current, ...cards]);
    return;
  }
  const { pageId, newDeck } = target;
  const content = DeckContent.parse({ title: newDeck, cards });
  const pagePort = store.get(openPagePortAtom);
  if (pagePort?.pageId === pageId) {
    // An open page manages its own blocks.
    pagePort.addBlocks([{ _id: newId(), type: "flash_cards", content }]);
    return;
  }
  const now = Date.now();
  const metadata = { pageId, createdAt: now, modifiedAt: now, createdBy: queue().accountId, lastOpenedAt: null };
  const component: Component = { _id: newId(), type: "flash_cards", content, ...metadata, version: 1 };
  await queue().enqueue("component_create", component._id, { component, parentId: pageId });
}
