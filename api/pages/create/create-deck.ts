import { DeckContent } from "#shared/flashcards/schema.ts";
import { buildPage } from "#shared/pages/present.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import type { Own } from "#api/store/owned-store.ts";
import { pageNotFound, insertIntoPageOrder } from "../sync/apply-page.ts";
import { createDeckLog, summaryFieldsOf } from "../present.ts";
import { componentsOf, findPage, pagesOf, refuseForeignComponentId, touchPage } from "../store.ts";

/** Creates the page with this id, or restores it if it was deleted. */
export async function createOrRestorePage(own: Own, pageId: string, title: string, now: number): Promise<string> {
  const data = { title, emoji: null, parent: null, order: now, isFlashcardPage: false, createdAt: now };
  const request = { id: pageId, clientId: "api", seq: 0, type: "page_create", createdAt: now } as const;
  const { ownedBy: _owner, children: _children, ...page } = buildPage({ ...request, resourceId: pageId, data }, "");
  // `insert` leaves an existing page unchanged.
  await pagesOf(own).insert({ ...page, lastOpened: null, rev: 1, applied: [], deletedAt: null });
  const restored = { deletedAt: null, archived: false, archivedAt: null };
  if (!(await pagesOf(own).patch({ _id: pageId }, { set: restored }))) throw pageNotFound();
  return pageId;
}

export const findPageTitle = async (own: Own, pageId: string): Promise<string | undefined> =>
  (await findPage(own, pageId))?.title;

interface DeckTarget {
  componentId: string;
  title: string;
  /** Where to create a missing deck; `createPage` creates a page if none is given. */
  pageId: string | undefined;
  createPage: () => Promise<string>;
}

/** Creates an empty deck with this id, or restores a deleted one with its cards. */
export async function createOrRestoreDeck(
  own: Own,
  { componentId, title, pageId, createPage }: DeckTarget,
  now: number,
): Promise<{ pageId: string; cardCount: number }> {
  const existing = await componentsOf(own).get(componentId);
  if (existing && existing.deletedAt === null && (await findPage(own, existing.pageId)))
    return { pageId: existing.pageId, cardCount: existing.cardCount ?? 0 };
  await refuseForeignComponentId(own, componentId);
  const target = pageId ?? (await createPage());
  if (existing) await componentsOf(own).patch({ _id: componentId }, { set: { deletedAt: null, pageId: target } });
  else await insertEmptyDeck(own, { componentId, title, pageId: target }, now);
  await insertIntoPageOrder(own, target, {
    requestId: `deck:${componentId}:${now}`,
    positions: [{ id: componentId }],
  });
  await touchPage(own, target, now);
  await publishChanges(own, [{ kind: "page", ids: [target, componentId] }]);
  return { pageId: target, cardCount: existing?.cardCount ?? 0 };
}

async function insertEmptyDeck(
  own: Own,
  { componentId, title, pageId }: { componentId: string; title: string; pageId: string },
  now: number,
): Promise<void> {
  const content = DeckContent.parse({ title });
  await componentsOf(own).insert({
    _id: componentId,
    pageId,
    type: "flash_cards",
    content,
    createdAt: now,
    modifiedAt: now,
    createdBy: own.ownerId,
    lastOpenedAt: null,
    version: 1,
    deletedAt: null,
    writtenBy: null,
    deckLog: createDeckLog("flash_cards", content, 1),
    rev: 1,
    applied: [],
    ...summaryFieldsOf("flash_cards", content),
  });
}
