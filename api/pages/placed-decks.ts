import { DeckContent } from "#shared/flashcards/schema.ts";
import { freshPage } from "#shared/pages/present.ts";
import { noteChanges } from "#api/store/changes.ts";
import type { Own } from "#api/store/owned.ts";
import { noSuchPage, placeOnPage } from "./apply-page.ts";
import { freshDeckLog, listedOf } from "./present.ts";
import { componentsOf, findPage, pagesOf, touchPage } from "./store.ts";

/** Creates the page with this id, or restores it if it was deleted. */
export async function placePage(own: Own, pageId: string, title: string, now: number): Promise<string> {
  const data = { title, emoji: null, parent: null, order: now, isFlashcardPage: false, createdAt: now };
  const request = { id: pageId, clientId: "api", seq: 0, type: "page_create", createdAt: now } as const;
  const { ownedBy: _owner, children: _children, ...page } = freshPage({ ...request, resourceId: pageId, data }, "");
  await pagesOf(own).insert({ ...page, lastOpened: null, rev: 1, applied: [], deletedAt: null });
  const back = { deletedAt: null, archived: false, archivedAt: null };
  if (!(await pagesOf(own).patch({ _id: pageId }, { set: back }))) throw noSuchPage();
  return pageId;
}

export const findPageTitle = async (own: Own, pageId: string): Promise<string | undefined> =>
  (await findPage(own, pageId))?.title;

interface DeckPlace {
  componentId: string;
  title: string;
  /** Where to create a missing deck; `fallback` creates a page if none is given. */
  pageId: string | undefined;
  fallback: () => Promise<string>;
}

/** Creates an empty deck with this id, or restores a deleted one with its cards. */
export async function placeDeck(
  own: Own,
  { componentId, title, pageId, fallback }: DeckPlace,
  now: number,
): Promise<{ pageId: string; cardCount: number }> {
  const held = await componentsOf(own).get(componentId);
  if (held && held.deletedAt === null && (await findPage(own, held.pageId)))
    return { pageId: held.pageId, cardCount: held.cardCount ?? 0 };
  const target = pageId ?? (await fallback());
  const place = () =>
    placeOnPage(own, target, { requestId: `deck:${componentId}:${now}`, places: [{ id: componentId }] });
  if (held) {
    await componentsOf(own).patch({ _id: componentId }, { set: { deletedAt: null, pageId: target } });
    await place();
    return { pageId: target, cardCount: held.cardCount ?? 0 };
  }
  const content = DeckContent.parse({ title });
  await componentsOf(own).insert({
    _id: componentId,
    pageId: target,
    type: "flash_cards",
    content,
    createdAt: now,
    modifiedAt: now,
    createdBy: own.ownerId,
    lastOpenedAt: null,
    version: 1,
    deletedAt: null,
    writtenBy: null,
    deckLog: freshDeckLog("flash_cards", content, 1),
    rev: 1,
    applied: [],
    ...listedOf("flash_cards", content),
  });
  await place();
  await touchPage(own, target, now);
  await noteChanges(own, [{ kind: "page", ids: [target, componentId] }]);
  return { pageId: target, cardCount: 0 };
}
