import { Failure } from "#shared/contract/failure.ts";
import { type Flashcard, MAX_DECK_CARDS } from "#shared/flashcards/schema.ts";
import { logDeck } from "#shared/pages/deck-merge.ts";
import { pageDigest, groupBy, sortByIds } from "#shared/pages/rules.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { PageDigest } from "#shared/sync/schema.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import { changeOnce } from "#api/store/change-once.ts";
import type { Own } from "#api/store/owned-store.ts";
import { readInSlices } from "#api/store/read-in-slices.ts";
import { componentAppliers } from "./apply-component.ts";
import { applyCardStatus } from "./apply-card-status.ts";
import { uploadAppliers } from "./apply-upload.ts";
import { pageAppliers } from "./apply-page.ts";
import { listFieldsOf, presentComponent, presentSummary } from "./present.ts";
import {
  bumpPage,
  componentsOf,
  type ComponentDoc,
  findLiveComponent,
  findPage,
  listDeckHeadsOf,
  listIdsOnPage,
  listPages,
  pagesOf,
  listSummaries,
  listVersions,
  listVersionsOnPage,
} from "./store.ts";

export { answerRepeat, createComponents, targetPageOf } from "./apply-component.ts";
export {
  eraseComponent,
  eraseEmptyPages,
  type ErasableComponent,
  isFileShown,
  DELETED_RETENTION_MS,
  listDeletedFiles,
  listErasableComponents,
} from "./erase-components.ts";
export { removeThumbnail } from "./thumbnails.ts";
export { readPageTexts } from "./page-texts.ts";
export { startUploadSweep, sweepUploads } from "./sweep-uploads.ts";
export { FILE_ADDRESS, listFileIds, savePageCopy } from "./copy-page.ts";
export { checkSize, singleUploadCount, storeFile } from "./store-upload.ts";
export { findPageTitle, createOrRestoreDeck, createOrRestorePage } from "./create-deck.ts";
export { archivePages, isComponentMissing, createNotePage } from "./create-note-page.ts";
export { findFileComponent, storeFileComponent, requirePage, createPageForFile } from "./uploaded-components.ts";
export { isDeck } from "./store.ts";
export { listComponents, listDecks, listFileComponents, listSourcePages, listTexts } from "./sources.ts";

/** Appliers for all queued changes of pages and components. */
export const appliers = {
  ...pageAppliers,
  ...componentAppliers,
  ...uploadAppliers,
  card_standing: applyCardStatus,
};

export async function findComponent(own: Own, id: string): Promise<Component | undefined> {
  const doc = await findLiveComponent(own, id);
  return doc && presentComponent(doc);
}

/** Decks on active pages, without their cards. */
export async function listDeckHeads(own: Own) {
  const [pages, decks] = await Promise.all([listPages(own), listDeckHeadsOf(own)]);
  const shown = new Set(pages.filter((page) => !page.archived).map(({ _id }) => _id));
  return decks.filter(({ pageId }) => shown.has(pageId));
}

interface PageHead {
  title: string;
  emoji: string | null;
  /** Increases with every change of the page and of what is on it. */
  rev: number;
}

/** Title and emoji of a page that is neither archived nor deleted. */
export async function findPageHead(own: Own, id: string): Promise<PageHead | undefined> {
  const fields = ["title", "emoji", "rev"] as const;
  const [page] = await pagesOf(own).find({ _id: id, deletedAt: null, archived: false }, { fields, limit: 1 });
  return page && { title: page.title, emoji: page.emoji ?? null, rev: page.rev };
}

const headFields = ["type", "pageId", "title", "isArchived", "rev"] as const;
export type ComponentHead = Pick<ComponentDoc, "_id" | (typeof headFields)[number]>;

/** A component on such a page, without its content. */
export async function findActiveHead(own: Own, id: string): Promise<ComponentHead | undefined> {
  const [head] = await componentsOf(own).find({ _id: id, deletedAt: null }, { fields: headFields, limit: 1 });
  return head && (await findPageHead(own, head.pageId)) ? head : undefined;
}

/** What is on a page, in page order, without any content. */
export async function listHeadsOnPage(own: Own, pageId: string): Promise<ComponentHead[]> {
  const page = await findPage(own, pageId);
  if (!page) return [];
  const heads: ComponentHead[] = [];
  const ids = await listIdsOnPage(own, page);
  for await (const head of readInSlices(componentsOf(own), ids, { fields: headFields })) heads.push(head);
  return heads;
}

/** Components by id, in that order; those deleted meanwhile are left out. Begins with one, since each may be large. */
export async function* readComponents(own: Own, ids: readonly string[]): AsyncGenerator<Component> {
  for await (const doc of readInSlices(componentsOf(own), ids, { filter: { deletedAt: null }, first: 1 }))
    yield presentComponent(doc);
}

/** Whether one of the components is this file or shows it as its own; pictures inside cards are not looked at. */
export const isFileOn = async (own: Own, place: { _id: string } | { pageId: string }, fileId: string) =>
  (await componentsOf(own).count({ ...place, fileId, deletedAt: null, isArchived: false })) > 0;

/** A component on such a page. */
export async function findActiveComponent(own: Own, id: string): Promise<Component | undefined> {
  const component = await findComponent(own, id);
  return component && (await findPageHead(own, component.pageId)) ? component : undefined;
}

interface AppendOptions {
  generationId: string;
  now: number;
}

/**
 * Appends cards to a deck and returns its version. Cards that are or were in the deck are skipped, so a repeat changes
 * nothing and removed cards stay removed.
 */
export async function appendCards(
  own: Own,
  componentId: string,
  cards: readonly Flashcard[],
  { generationId, now }: AppendOptions,
): Promise<{ version: number; cardCount: number }> {
  const requestId = `${generationId}:${cards.at(-1)?.id ?? ""}`;
  const { doc } = await changeOnce(componentsOf(own), {
    id: componentId,
    requestId,
    change: (deck) => {
      if (deck.deletedAt !== null || deck.deckLog === null) throw new Failure("not_found", "no_deck");
      const knownIds = new Set(deck.deckLog.map(([key]) => key));
      const newCards = cards.filter((card) => !knownIds.has(card.id));
      const all = [...(deck.content["cards"] as Flashcard[]), ...newCards];
      if (all.length > MAX_DECK_CARDS) throw new Failure("too_large", "deck_full");
      if (newCards.length === 0) return { set: {} };
      const content = { ...deck.content, cards: all };
      const version = deck.version + 1;
      const deckLog = logDeck(deck.deckLog, content as Parameters<typeof logDeck>[1], version);
      return { set: { content, version, deckLog, modifiedAt: now, ...listFieldsOf(deck.type, content) } };
    },
  });
  await bumpPage(own, doc.pageId);
  await publishChanges(own, [{ kind: "content", ids: [componentId] }]);
  return { version: doc.version, cardCount: doc.cardCount ?? 0 };
}

/** Content digests of all pages or one; another account's page is not included. */
export async function listDigests(own: Own, pageId: string | undefined): Promise<PageDigest[]> {
  const page = pageId === undefined ? undefined : await findPage(own, pageId);
  const pages = pageId === undefined ? await listPages(own) : page ? [page] : [];
  const all = pageId === undefined ? await listVersions(own) : await listVersionsOnPage(own, pageId);
  const onPage = groupBy(all, (component) => component.pageId);
  return pages.map(({ _id, components }) => ({
    pageId: _id,
    ...pageDigest(sortByIds(onPage.get(_id) ?? [], components)),
  }));
}

/** Titles of all pages, and of the components on active pages. */
export async function listOverview(own: Own) {
  const pages = await listPages(own);
  const activePageIds = new Set(pages.filter((page) => !page.archived).map(({ _id }) => _id));
  const components = (await listSummaries(own)).filter((summary) => activePageIds.has(summary.pageId));
  return {
    pages: pages.map(({ _id, title, emoji, archived }) => ({ _id, title, emoji, archived })),
    components: components.map(presentSummary),
  };
}
